/** Parts of the page beside the picture: crumbs, legend, list of boxes, kinds of uses, details of a box. */
import { button, element, outside } from "../shared/elements";
import { counted } from "./read/fields";
import { isBack } from "./layout/geometry";
import { placeOf } from "./read/ids";
import { badgeSvg, dotOf, lookOf, WORDS, type Palette } from "./looks";
import type { Arrow, Box, Picture, Tone } from "./model";
import type { Scene } from "./scene";

export interface Crumb {
  name: string;
  go: (() => void) | undefined;
}

export function crumbs(given: readonly Crumb[]): HTMLElement {
  const items = given.map(({ name, go }) =>
    element("li", {}, go ? button(outside(name, 60), go, { class: "plain" }) : currentCrumb(name)),
  );
  return element("ol", {}, ...items);
}

function currentCrumb(name: string): HTMLElement {
  return element("span", { "aria-current": "page" }, outside(name, 60));
}

/** An SVG drawing from our own text; nothing of a reply is in it. */
function sign(drawing: string, size = 18): Element {
  const markup = `<svg xmlns="http://www.w3.org/2000/svg" width="14" height="14" viewBox="0 0 ${size} ${size}" aria-hidden="true">${drawing}</svg>`;
  return document.importNode(new DOMParser().parseFromString(markup, "image/svg+xml").documentElement, true);
}

export function badge(box: Box, palette: Palette, isDot: boolean): Element {
  if (!isDot || box.tone === "focus") return sign(badgeSvg(lookOf(box, palette).badge, "sans-serif"));
  const { shape, fill, stroke } = dotOf(box, palette);
  const paint = `fill="${fill}" stroke="${stroke}" stroke-width="2"`;
  if (shape === "diamond") return sign(`<path d="M9 1L17 9L9 17L1 9z" ${paint}/>`);
  if (shape === "rectangle") return sign(`<rect x="3" y="3" width="12" height="12" ${paint}/>`);
  return sign(`<circle cx="9" cy="9" r="6" ${paint}/>`);
}

/** What the signs in a scene mean: one of each, with its word. */
export function legend(scene: Scene, palette: Palette): HTMLElement {
  const isRings = scene.layout.rings.length > 0;
  const seen = new Map<string, Box>();
  for (const box of scene.boxes.values()) {
    const word = meaning(box, isRings);
    if (word && !seen.has(word)) seen.set(word, box);
  }
  const items = [...seen].slice(0, 10).map(([word, box]) => element("li", {}, badge(box, palette, isRings), word));
  return element("ul", { class: "legend", "aria-label": "Legend" }, ...items, ...lineSigns(scene, palette));
}

function lineSigns({ lines, layout, picture }: Scene, palette: Palette): HTMLElement[] {
  const isCyclic = lines.some(({ source, target }) => {
    const [from, to] = [layout.spots.get(source)!, layout.spots.get(target)!];
    return layout.rings.length === 0 && isBack(picture.arrangement, from, to);
  });
  const dashes = sign(`<path d="M0 9h18" stroke="${palette.removed}" stroke-width="2.5" stroke-dasharray="5 3"/>`);
  return [
    ...(lines.length ? [element("li", {}, "→ uses")] : []),
    ...(isCyclic ? [element("li", {}, dashes as HTMLElement, "closes a cycle")] : []),
  ];
}

function meaning(box: Box, isRings: boolean): string {
  if (box.tone !== "plain" && box.tone !== "outside" && (isRings || !isSeverity(box.tone))) {
    return box.tone === "focus" && box.look !== "element" ? "" : WORDS[box.tone];
  }
  if (box.look === "element") return box.type ?? "";
  return box.look === "more" ? "several" : box.look;
}

const isSeverity = (tone: Tone): boolean => tone === "minor" || tone === "major" || tone === "breaking";

/** The boxes as a list, of which one is in the tab order; up, down, Home and End walk through it. */
export function boxList(
  boxes: readonly Box[],
  chosen: string,
  badgeFor: (box: Box) => Element,
  choose: (id: string) => void,
): HTMLElement {
  const buttons = boxes.map((box) => {
    const about = [WORDS[box.tone], box.members ? `${box.members.length}` : ""].filter(Boolean).join(" ");
    const name = element("span", { class: "name" }, outside(box.label, 80));
    const made = button(badgeFor(box) as HTMLElement, () => choose(box.id), {
      class: "plain",
      tabindex: -1,
      "data-id": box.id.slice(0, 500),
      "aria-current": box.id === chosen ? "true" : undefined,
    });
    made.append(name, element("small", {}, about));
    return made;
  });
  const first = buttons.find((one) => one.getAttribute("aria-current")) ?? buttons[0];
  first?.setAttribute("tabindex", "0");
  const list = element("ul", { class: "list" }, ...buttons.map((one) => element("li", {}, one)));
  list.addEventListener("keydown", (event) => walk(event, buttons));
  return list;
}

function walk(event: KeyboardEvent, buttons: readonly HTMLElement[]): void {
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (to === undefined || at < 0) return;
  event.preventDefault();
  const next = buttons[Math.max(0, Math.min(to, buttons.length - 1))]!;
  buttons[at]!.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
}

/** A switch for each kind of use. Nothing if there is but one. */
export function kindSwitches(
  arrows: readonly Arrow[],
  isShown: (kind: string) => boolean,
  change: (kind: string, isOn: boolean) => void,
): HTMLElement | null {
  const counts = new Map<string, number>();
  for (const { kind, count } of arrows) counts.set(kind, (counts.get(kind) ?? 0) + count);
  if (counts.size < 2) return null;
  const kinds = [...counts].sort((one, other) => other[1] - one[1]);
  const labels = kinds.map(([kind, count]) => {
    const box = element("input", { type: "checkbox", checked: isShown(kind), name: "kind", value: kind });
    box.addEventListener("change", () => change(kind, box.checked));
    return element("label", {}, box, outside(kind, 30), element("small", {}, count.toLocaleString("en")));
  });
  return element("fieldset", { class: "kinds" }, element("legend", {}, "Kinds of uses"), ...labels);
}

export function heading(picture: Picture): HTMLElement[] {
  const parts: HTMLElement[] = [element("h1", {}, outside(picture.title, 120)), element("p", {}, outside(picture.summary, 700))];
  if (picture.verdict) {
    const { level, text } = picture.verdict;
    const known = /^[A-Z]{1,12}$/.test(level) ? level : "";
    const name = element("strong", {}, "Risk ", outside(level, 20));
    parts.push(element("div", { class: `verdict ${known}` }, name, element("span", { class: "note" }, outside(text, 400))));
  }
  return [...parts, ...picture.notes.map((note) => element("p", { class: "note" }, outside(note, 600)))];
}

export interface Detail {
  box: Box;
  scene: Scene;
  actions: HTMLElement[];
  choose: (id: string) => void;
  /** Where its source will stand. */
  source: HTMLElement;
}

export function details({ box, scene, actions, choose, source }: Detail): HTMLElement {
  const out = scene.lines.filter((line) => line.source === box.id);
  const into = scene.lines.filter((line) => line.target === box.id);
  const kind = [box.type, WORDS[box.tone]].filter(Boolean).join(", ");
  return element(
    "section",
    { class: "chosen", "aria-label": "Chosen", tabindex: -1 },
    element("h2", {}, outside(box.label, 300)),
    element("p", { class: "where" }, outside(placeOf(box), 300)),
    kind || box.note ? element("p", { class: "note" }, outside([kind, box.members ? box.note : ""].filter(Boolean).join(" · "), 200)) : null,
    box.why ? element("p", { class: "note" }, outside(box.why, 300)) : null,
    element("div", { class: "actions" }, ...actions),
    source,
    ...members(box),
    ...uses("Uses", out.map((line) => [line.target, line.count, line.kinds] as const), scene, choose),
    ...uses("Used by", into.map((line) => [line.source, line.count, line.kinds] as const), scene, choose),
  );
}

function members({ members = [] }: Box): HTMLElement[] {
  if (members.length === 0) return [];
  const items = members.slice(0, 100).map((box) => element("li", {}, outside(box.label, 120)));
  const rest = members.length - items.length;
  if (rest > 0) items.push(element("li", { class: "note" }, `${rest} more`));
  return [element("h2", { class: "part" }, `Stands for ${members.length}`), element("ul", { class: "plain-list" }, ...items)];
}

type Use = readonly [id: string, count: number, kinds: readonly (readonly [string, number])[]];

function uses(title: string, found: readonly Use[], scene: Scene, choose: (id: string) => void): HTMLElement[] {
  if (found.length === 0) return [];
  const buttons = found.slice(0, 60).map(([id, count, kinds]) => {
    const about = kinds.length === 1 && kinds[0]![0] !== "use" ? `${kinds[0]![0]} ${count}` : counted(count, "use");
    const name = element("span", { class: "name" }, outside(scene.boxes.get(id)?.label ?? id, 80));
    const made = button(name, () => choose(id), { class: "plain" });
    made.append(element("small", {}, outside(about, 40)));
    return element("li", {}, made);
  });
  return [element("h2", { class: "part" }, `${title} (${found.length})`), element("ul", { class: "list" }, ...buttons)];
}

/** The graph view: a stack of pictures, each of one answer; the last is seen. */
import { copyButton } from "../shared/copy";
import { colours, onScheme } from "../shared/colours";
import { button, element, outside } from "../shared/elements";
import { connect, type Answer } from "../shared/host";
import { announce } from "../shared/live";
import { reachWithFrame } from "../shared/marks";
import { table } from "../shared/table";
import * as asking from "./asking";
import { Canvas } from "./canvas";
import { MOST_BOXES } from "./fold";
import { COLOURS, WORDS, type Palette } from "./looks";
import { joined, noPicture, type Box, type Picture } from "./model";
import { badge, boxList, crumbs, details, heading, kindSwitches, legend, type Crumb } from "./parts";
import { folderOf, isTest, nameOf, placeOf } from "./read/ids";
import { read } from "./read/index";
import { text } from "./read/fields";
import { sceneOf, type Scene } from "./scene";
import { mermaid } from "./write/mermaid";
import { svg } from "./write/svg";
import "./style.css";

/** A picture on the stack, and what the user did with it. */
interface View {
  answer: Answer;
  picture: Picture;
  chosen: string;
  open: Set<string>;
}

/** As many members are shown in the place of their group. */
const FEW = 24;
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

const host = connect();
const views: View[] = [];
const hidden = new Set<string>();
let scene: Scene | undefined;
let isTable = false;
let hidesTests = false;
let asked = 0;

const ground = element("div", {
  class: "ground __________cytoscape_container",
  tabindex: 0,
  role: "group",
  "aria-label": "Graph. Arrows go to neighbours, Enter opens, Escape goes back; plus, minus and 0 zoom.",
});
const path = element("nav", { class: "crumbs", "aria-label": "Path" });
const words = element("input", { type: "search", name: "words", "aria-label": "Search the project", placeholder: "Search the project" });
// No form: a sandboxed frame may not send one.
const searching = element("div", { class: "search", role: "search" }, words, button("Search", () => find()));
const tableButton = button("Table", () => switchTable(), { "aria-pressed": "false" });
const asks = element("span", { class: "tools" });
const tools = element(
  "div",
  { class: "tools" },
  asks,
  tableButton,
  button("Save SVG", () => saveSvg()),
  copyButton("Copy Mermaid", () => (scene ? mermaid([...scene.boxes.values()], scene.lines) : "")),
);
const zoom = element(
  "div",
  { class: "zoom", role: "group", "aria-label": "Zoom" },
  button("+", () => canvas.zoom(1.3), { "aria-label": "Zoom in" }),
  button("−", () => canvas.zoom(1 / 1.3), { "aria-label": "Zoom out" }),
  button("⤢", () => canvas.fit(true), { "aria-label": "Show all", title: "Show all" }),
);
const busy = element("div", { class: "busy", hidden: true }, "Asking …");
const stage = element("section", { class: "stage", "aria-label": "Picture" }, ground, zoom, busy);
const panel = element("aside", { class: "panel", "aria-label": "About the picture" });
// Cytoscape adds a style element unless one of this id is there; the page's policy would refuse it.
const marker = element("span", { id: "__________cytoscape_stylesheet", hidden: true });

document
  .querySelector("main")!
  .append(element("header", { class: "bar" }, path, searching, tools), element("div", { class: "body" }, stage, panel), marker);
document.documentElement.classList.toggle("inline", host.isInline);
const canvas = new Canvas(ground, press);

const palette = (): Palette => colours(COLOURS);
const current = (): View | undefined => views.at(-1);
const isShown = (kind: string): boolean => !hidden.has(kind);
const isNarrow = (): boolean => window.matchMedia("(max-width: 760px)").matches;

words.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.isComposing) find();
});
ground.addEventListener("keydown", (event) => {
  if (steer(event)) event.preventDefault();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.target !== words) back();
});
onScheme(() => draw(true));

host.onAnswer((answer) => {
  views.length = 0;
  hidden.clear();
  push(answer);
  const again = asking.again(answer, host);
  if (again) void ask(again, true);
});
if (!current()) {
  if (host.canCall) void ask(asking.folder("."));
  else push({ tool: "", arguments: {}, reply: {} }, noPicture("Nothing yet", "The graph appears with the first answer."));
}

function find(): void {
  const wanted = words.value.trim();
  if (wanted) void ask(asking.search(wanted));
}

/** Asks a tool and shows its answer, instead of the present one if `replaces`. A later question wins. */
async function ask({ tool, arguments: given }: asking.Question, replaces = false): Promise<void> {
  const turn = ++asked;
  const before = current();
  busy.hidden = replaces;
  const full = { ...(before ? asking.projectOf(before.answer) : {}), ...given };
  try {
    const reply = await asking.whole(host, tool, full);
    if (turn !== asked) return;
    if (replaces && before) views.pop();
    push({ tool, arguments: full, reply });
  } catch (error) {
    if (turn === asked && !replaces) refuse(error instanceof Error ? error.message : String(error));
  } finally {
    if (turn === asked) busy.hidden = true;
  }
}

function refuse(message: string): void {
  announce(message);
  if (!current()) push({ tool: "", arguments: {}, reply: {} }, noPicture("No picture", message));
  panel.querySelector(".problem")?.remove();
  panel.prepend(element("p", { class: "problem", role: "alert" }, outside(message, 500)));
  panel.scrollTop = 0;
}

function push(answer: Answer, picture = read(answer), open = new Set<string>()): void {
  const view = { answer, picture, chosen: "", open };
  if (insideOf(view) === ".") views.length = 0;
  views.push(view);
  draw();
  if (answer.tool) reachWithFrame("drawn");
  panel.scrollTop = 0;
  announce(`${picture.title}. ${picture.summary}`);
}

function back(): void {
  const view = current();
  if (view?.chosen) {
    const before = view.chosen;
    const isInPanel = panel.contains(document.activeElement);
    choose("");
    if (isInPanel) focusInList(before);
  } else if (views.length > 1) {
    views.pop();
    draw();
    announce(current()!.picture.title);
  }
}

function focusInList(id: string): void {
  const buttons = [...panel.querySelectorAll<HTMLElement>("[data-id]")];
  const found = buttons.find((one) => one.dataset["id"] === id.slice(0, 500));
  if (!found) return;
  for (const one of buttons) one.setAttribute("tabindex", one === found ? "0" : "-1");
  found.focus();
}

/** Draws the current picture; with `keepsView` where the user has moved it to. */
function draw(keepsView = false): void {
  const view = current();
  if (!view) return;
  const picture = hidesTests ? withoutTests(view.picture) : view.picture;
  scene = sceneOf(picture, isShown, view.open, getComputedStyle(document.body).fontFamily, isNarrow());
  const isEmpty = scene.boxes.size === 0;
  stage.querySelectorAll(".legend, .empty, .tables").forEach((part) => part.remove());
  stage.classList.toggle("reads", isTable && !isEmpty);
  ground.hidden = isEmpty || isTable;
  zoom.hidden = ground.hidden;
  if (isEmpty) stage.append(emptyNote(view.picture));
  else if (isTable) stage.append(tables(scene));
  else {
    const inks = palette();
    stage.append(legend(scene, inks));
    canvas.show(scene, inks, keepsView);
    canvas.choose(view.chosen);
  }
  path.replaceChildren(crumbs(crumbsOf()));
  searching.hidden = !host.canCall;
  asks.replaceChildren(...(host.canCall && !host.isInline ? starts() : []));
  drawPanel();
}

function starts(): HTMLElement[] {
  return [
    button("Changes", () => void ask(asking.changes()), { title: "What changed since the last commit" }),
    button("Routes", () => void ask(asking.routes()), { title: "Routes and their handlers" }),
  ];
}

function withoutTests(picture: Picture): Picture {
  const boxes = picture.boxes.filter((box) => box.tone !== "test" && !isTest(box.file ?? box.id));
  const kept = new Set(boxes.map((box) => box.id));
  return { ...picture, boxes, arrows: picture.arrows.filter(({ source, target }) => kept.has(source) && kept.has(target)) };
}

function emptyNote(picture: Picture): HTMLElement {
  const notes = [picture.summary, ...picture.notes].filter(Boolean);
  return element("div", { class: "empty" }, element("h2", {}, outside(picture.title, 120)), ...notes.map((note) => element("p", {}, outside(note, 500))));
}

/** For an opened folder the folders above it, else the pictures before, from the whole project. */
function crumbsOf(): Crumb[] {
  const view = current()!;
  const isPart = views.at(-2)?.answer === view.answer;
  const inside = isPart ? "" : insideOf(view);
  const opens = (place: string) => (host.canCall ? () => void ask(asking.folder(place)) : undefined);
  const root = { name: "Project", go: opens(".") };
  if (inside === ".") return [{ ...root, go: undefined }];
  if (inside) {
    const names = inside.split("/");
    const above = names.slice(0, -1).map((name, at) => ({ name, go: opens(`${names.slice(0, at + 1).join("/")}/`) }));
    return [root, ...above, { name: names.at(-1)!, go: undefined }];
  }
  const before = views.slice(0, -1).filter((one) => insideOf(one) !== ".").slice(-3);
  const links = before.map((one) => ({
    name: one.picture.title,
    go: () => {
      views.length = views.indexOf(one) + 1;
      draw();
    },
  }));
  return [...(host.canCall ? [root] : []), ...links, { name: view.picture.title, go: undefined }];
}

/** The folder or file that a picture opens; `.` is the project, and no text another kind of picture. */
function insideOf({ answer }: View): string {
  return text(answer.reply["inside"]).replace(/^\.\/(?=.)/, "").replace(/(?<=.)\/$/, "");
}

function drawPanel(): void {
  const view = current()!;
  if (!scene) return;
  const drawn = scene;
  const box = drawn.boxes.get(view.chosen);
  const parts: (HTMLElement | null)[] = [element("div", {}, ...heading(view.picture)), moreBoxes(view), morePages(view)];
  if (box) parts.push(chosenPart(box, drawn));
  if (host.canCall && view.picture.next.length) parts.push(nextCalls(view.picture));
  parts.push(kindSwitches(view.picture.arrows, isShown, toggleKind), testSwitch(view.picture));
  if (drawn.boxes.size) {
    const inks = palette();
    const isDot = drawn.layout.rings.length > 0;
    const boxes = [...drawn.boxes.values()];
    parts.push(element("h2", { class: "part" }, `Boxes (${boxes.length})`));
    parts.push(boxList(boxes, view.chosen, (one) => badge(one, inks, isDot), (id) => choose(id, true)));
  }
  panel.replaceChildren(...parts.filter((part) => part !== null));
}

/** Opens a folder again with as many boxes as can be drawn, if some were left out. */
function moreBoxes({ answer }: View): HTMLElement | null {
  const { reply, arguments: given } = answer;
  const left = reply["omitted_boxes"];
  if (!host.canCall || typeof left !== "number" || left === 0 || given["max_boxes"] === MOST_BOXES) return null;
  const again = { tool: answer.tool, arguments: { ...given, max_boxes: MOST_BOXES } };
  return element("div", { class: "actions" }, button(`Draw up to ${MOST_BOXES} boxes`, () => void ask(again, true)));
}

/** Loads the next pages of a list. */
function morePages(view: View): HTMLElement | null {
  const left = asking.left(view.answer);
  if (!host.canCall || left === 0) return null;
  return element("div", { class: "actions" }, button(`Load more of ${left.toLocaleString("en")}`, () => void load(view)));
}

async function load(view: View): Promise<void> {
  const turn = ++asked;
  busy.hidden = false;
  try {
    const answer = { ...view.answer, reply: await asking.more(host, view.answer) };
    const at = views.indexOf(view);
    if (turn !== asked || at < 0) return;
    views[at] = { ...view, answer, picture: read(answer) };
    draw();
    announce(views[at]!.picture.notes[0] ?? "All is loaded.");
  } catch (error) {
    if (turn === asked) refuse(error instanceof Error ? error.message : String(error));
  } finally {
    if (turn === asked) busy.hidden = true;
  }
}

function nextCalls({ next }: Picture): HTMLElement {
  const buttons = next.map((call) => button(outside(call.name || call.tool, 60), () => void ask(call)));
  return element("div", {}, element("h2", { class: "part" }, "Ask next"), element("div", { class: "actions" }, ...buttons));
}

function toggleKind(kind: string, isOn: boolean): void {
  if (isOn) hidden.delete(kind);
  else hidden.add(kind);
  draw(true);
  [...panel.querySelectorAll<HTMLInputElement>("input[name=kind]")].find((one) => one.value === kind)?.focus();
}

function testSwitch(picture: Picture): HTMLElement | null {
  if (!picture.boxes.some((box) => box.tone === "test")) return null;
  const box = element("input", { type: "checkbox", name: "tests", checked: !hidesTests });
  box.addEventListener("change", () => {
    hidesTests = !box.checked;
    draw();
    panel.querySelector<HTMLInputElement>("input[name=tests]")?.focus();
  });
  return element("fieldset", { class: "kinds" }, element("legend", {}, "Shown"), element("label", {}, box, "Tests"));
}

function chosenPart(box: Box, drawn: Scene): HTMLElement {
  const source = element("div", {});
  if (box.source) source.append(element("pre", { tabindex: 0 }, sourceText(box.source)));
  return details({ box, scene: drawn, actions: actionsOf(box, source), choose: (id) => choose(id, true), source });
}

/** Source as it stands, without characters that would turn or hide it. */
function sourceText(source: string): string {
  return source.slice(0, 20_000).replace(UNSEEN, "·");
}

function actionsOf(box: Box, source: HTMLElement): HTMLElement[] {
  if (box.look === "more") return [button("Show each", () => expand(box))];
  if (!host.canCall) return [];
  const open = asking.opening(box)!;
  const name = box.look === "folder" || box.look === "file" ? "Open" : "Callers and callees";
  const actions = [button(name, () => void ask(open))];
  if (box.look === "folder") return actions;
  if (box.look === "file") actions.push(button("Around it", () => void ask(asking.neighbourhood(box.id))));
  else actions.push(button("Source", () => void showSource(box, source)));
  actions.push(button("Impact", () => void ask(asking.impact(asking.nameable(box)))));
  return actions;
}

/** Shows what a box stands for: in its place if that is little, else alone. */
function expand({ label, members = [] }: Box): void {
  const view = current()!;
  const ids = members.map((one) => one.id);
  if (ids.length > FEW) {
    const focus = view.picture.boxes.filter((one) => one.tone === "focus");
    const summary = `${ids.length} of the elements of "${view.picture.title}".`;
    const picture = { ...view.picture, title: label, summary, ...joined([...focus, ...members], view.picture.arrows) };
    push(view.answer, picture, new Set(ids));
    return;
  }
  for (const id of ids) view.open.add(id);
  draw();
  choose(ids[0] ?? "");
}

async function showSource(box: Box, into: HTMLElement): Promise<void> {
  into.replaceChildren(element("p", { class: "note" }, "Asking …"));
  try {
    const given = { ...asking.projectOf(current()!.answer), element: asking.nameable(box), detail: "full" };
    const reply = await host.call("coderef_symbol", given);
    into.replaceChildren(element("pre", { tabindex: 0 }, sourceText(text(reply["source"])) || "No source."));
  } catch (error) {
    into.replaceChildren(element("p", { class: "problem" }, outside(error instanceof Error ? error.message : String(error), 400)));
  }
}

function press(id: string | undefined, twice: boolean): void {
  const box = id === undefined ? undefined : scene?.boxes.get(id);
  if (!box) choose("");
  else if (box.look === "more") expand(box);
  else if (twice || (box.look === "folder" && host.canCall)) openBox(box);
  else choose(box.id);
}

function openBox(box: Box): void {
  const open = asking.opening(box);
  if (box.look === "more") expand(box);
  else if (host.canCall && open) void ask(open);
  else choose(box.id);
}

/** Chooses a box, or none. `movesFocus` goes on to its details, as from a list. */
function choose(id: string, movesFocus = false): void {
  const view = current();
  if (!view || !scene) return;
  view.chosen = id;
  if (!isTable) canvas.choose(id);
  drawPanel();
  if (movesFocus) panel.querySelector<HTMLElement>(".chosen")?.focus();
  else if (!isNarrow()) panel.scrollTop = 0;
  const box = scene.boxes.get(id);
  if (!box) return;
  reachWithFrame("pressed");
  announce([box.label, box.type, WORDS[box.tone], box.note].filter(Boolean).join(", "));
  host.tell(`The user looks at ${placeOf(box)}${box.type ? ` (${box.type} ${box.label})` : ""} in the graph "${view.picture.title}".`);
}

/** Keys on the picture: to what a box uses or is used by, or to the next box above or below. */
function steer({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const view = current();
  if (!view || !scene || ctrlKey || metaKey || altKey) return false;
  const at = scene.layout.spots.get(view.chosen);
  const box = scene.boxes.get(view.chosen);
  if (key === "+" || key === "-") canvas.zoom(key === "+" ? 1.3 : 1 / 1.3);
  else if (key === "0") canvas.fit(true);
  else if (key === "Enter" && box) openBox(box);
  else if (key.startsWith("Arrow") && !at) choose([...scene.boxes.values()].find((one) => one.tone === "focus")?.id ?? [...scene.boxes.keys()][0] ?? "");
  else if (key.startsWith("Arrow")) step(key);
  else return false;
  return true;
}

function step(key: string): void {
  const from = scene!.layout.spots.get(current()!.chosen)!;
  const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [0, 0];
  const linked = new Set(
    scene!.lines.flatMap(({ source, target }) => (source === current()!.chosen ? [target] : target === current()!.chosen ? [source] : [])),
  );
  let [best, least] = ["", Infinity];
  for (const [id, spot] of scene!.layout.spots) {
    const [dx, dy] = [spot.x - from.x, spot.y - from.y];
    const ahead = dx * x! + dy * y!;
    const aside = Math.abs(dx * y!) + Math.abs(dy * x!);
    if (ahead <= 1 || (x === 0 && aside > from.width)) continue;
    // Neighbours come first where the arrows run, the nearest box up and down.
    const distance = ahead + 2 * aside + (x !== 0 && !linked.has(id) ? 10_000 : 0);
    if (distance < least) [best, least] = [id, distance];
  }
  if (best) choose(best);
}

function switchTable(): void {
  isTable = !isTable;
  tableButton.setAttribute("aria-pressed", String(isTable));
  draw();
}

function tables(drawn: Scene): HTMLElement {
  const boxes = [...drawn.boxes.values()];
  const label = (id: string): string => drawn.boxes.get(id)?.label ?? id;
  const ofBoxes = table<Box>({
    caption: "Boxes",
    columns: [
      { name: "Name", text: (box) => box.label },
      { name: "Kind", text: (box) => [box.type ?? box.look, WORDS[box.tone]].filter(Boolean).join(", ") },
      { name: "Where", text: placeOf },
      { name: "About", text: (box) => [box.note, box.why].filter(Boolean).join(" · ") },
      { name: "Steps", text: (box) => (box.depth === undefined ? "" : String(box.depth)), isNumber: true },
    ],
    rows: boxes,
    choose: (box) => choose(box.id),
  });
  if (drawn.lines.length === 0) return element("div", { class: "tables" }, ofBoxes);
  const ofLines = table({
    caption: "Uses",
    columns: [
      { name: "From", text: (line) => label(line.source) },
      { name: "To", text: (line) => label(line.target) },
      { name: "Kinds", text: (line) => line.kinds.map(([kind, count]) => `${kind} ${count}`).join(", ") },
      { name: "Uses", text: (line) => String(line.count), isNumber: true },
    ],
    rows: drawn.lines,
    choose: (line) => choose(line.source),
  });
  return element("div", { class: "tables" }, ofBoxes, ofLines);
}

function saveSvg(): void {
  if (!scene) return;
  const address = URL.createObjectURL(new Blob([svg(scene, palette())], { type: "image/svg+xml" }));
  const name = scene.picture.title.replace(/[^\w.-]+/g, "-").slice(0, 60) || "graph";
  element("a", { href: address, download: `${nameOf(folderOf(name) + name)}.svg` }).click();
  window.setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

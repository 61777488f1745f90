/** The places of a scene as a list of buttons and as a table, and the legend of nearby categories. */
import { copyButton } from "../shared/copy";
import { button, clipped, element, outside } from "../shared/elements";
import { type Column, table } from "../shared/table";
import { collection, geometryOf } from "./export";
import { CATEGORIES, drawSymbol } from "./marks";
import { palette } from "./palette";
import type { Item, Leg, Scene } from "./scene";
import { brackets, coordinates, length } from "./words";

const PAGE = 100;

/** Chooses an item; by a key, the focus goes to its card. */
export type Choose = (item: Item, isByKey: boolean) => void;

/** A button for each place; legs stand between their stops. */
export function places({ items, legs }: Scene, choose: Choose): HTMLElement {
  const rows = element("ol", { class: items.length === 1 ? "places single" : "places" });
  const legTo = new Map(legs.map((leg) => [leg.end, leg]));
  const more = button("", () => add(), { class: "more" });
  let shown = 0;
  const add = (): void => {
    for (const item of items.slice(shown, shown + PAGE)) rows.append(...row(item, legTo.get(item.key), choose));
    shown = Math.min(items.length, shown + PAGE);
    more.hidden = shown === items.length;
    more.textContent = `Show ${Math.min(PAGE, items.length - shown)} more of ${(items.length - shown).toLocaleString("en")}`;
  };
  add();
  return element("div", {}, rows, more);
}

function row(item: Item, leg: Leg | undefined, choose: Choose): HTMLElement[] {
  const distance = item.facts.find(([name]) => name === "Distance")?.[1];
  const detail = item.problem ?? [item.kind, distance, item.address].filter(Boolean).join(" · ");
  const content = element(
    "span",
    {},
    element("span", { class: "name" }, outside(item.name, 120)),
    element("span", { class: item.problem ? "detail problem" : "detail" }, outside(detail, 200)),
  );
  const made = element(
    "li",
    { "data-key": item.key },
    button(content, ({ detail }) => choose(item, detail === 0), { class: "plain place" }),
  );
  made.firstElementChild!.prepend(symbol(item));
  const between = leg && element("li", { class: "leg" }, element("span", {}, length(leg.distance_m)));
  return between ? [between, made] : [made];
}

function symbol(item: Item): HTMLElement {
  if (item.mark === "nearby" || item.mark === "asked") return drawn(item);
  const level = item.depth === undefined ? "" : ` level-${Math.min(3, item.depth)}`;
  const text = item.number === undefined ? "" : String(item.number);
  return element("span", { class: `number${level}${geometryOf(item) ? "" : " nowhere"}`, "aria-hidden": "true" }, text);
}

function drawn(item: Item): HTMLCanvasElement {
  const ratio = Math.max(2, window.devicePixelRatio || 1);
  const canvas = element("canvas", { class: "symbol", width: 22 * ratio, height: 22 * ratio, "aria-hidden": "true" });
  const context = canvas.getContext("2d")!;
  context.scale(ratio, ratio);
  drawSymbol(context, item, palette());
  return canvas;
}

/** The categories of nearby places that the map shows. */
export function legend({ items }: Scene): HTMLElement | null {
  const shown = Object.keys(CATEGORIES).filter((name) => items.some((item) => item.mark === "nearby" && known(item) === name));
  if (shown.length === 0) return null;
  const rows = shown.map((name) => {
    const item = items.find((each) => each.mark === "nearby" && known(each) === name)!;
    return element("li", {}, drawn(item), name === "place" ? "other places" : name);
  });
  return element("ul", { class: "legend", "aria-label": "Categories" }, ...rows);
}

function known({ category = "" }: Item): string {
  return category in CATEGORIES ? category : "place";
}

/** The same data as a table. */
export function placesTable(scene: Scene, choose: Choose): HTMLElement {
  const { items, legs } = scene;
  const title = clipped(scene.title, 120);
  const has = (is: (item: Item) => unknown): boolean => items.some(is);
  const legTo = new Map(legs.map((leg) => [leg.end, leg]));
  const columns: (Column<Item> | false)[] = [
    { name: "Name", text: ({ name }) => name },
    { name: "Kind", text: ({ kind }) => kind },
    has(({ category }) => category) && { name: "Category", text: ({ category = "" }) => category },
    has(({ address, problem }) => address || problem) && { name: "Address", text: ({ address, problem }) => problem ?? address },
    has(({ point }) => point) && { name: "Latitude, longitude", text: ({ point }) => (point ? coordinates(point) : ""), isNumber: true },
    has(({ box }) => box) && { name: "[west, south, east, north]", text: ({ box }) => (box ? brackets(box) : ""), isNumber: true },
    legs.length > 0 && { name: "From the last stop", text: ({ key }) => (legTo.has(key) ? length(legTo.get(key)!.distance_m) : ""), isNumber: true },
    ...["Distance", "Match", "ISO 3166"].map(
      (name) => has((item) => fact(item, name)) && { name, text: (item: Item) => fact(item, name) },
    ),
  ];
  const made = table({ caption: `${title}: ${items.length.toLocaleString("en")} rows`, columns: columns.filter((each) => each !== false), rows: items, choose });
  const copied = copyButton("Copy all as GeoJSON", () => collection(items), "Copy all as GeoJSON");
  return element("div", { class: "table-view" }, element("div", { class: "table-tools" }, copied), made);
}

function fact({ facts }: Item, wanted: string): string {
  return facts.find(([name]) => name === wanted)?.[1] ?? "";
}

/** The card of a place or of a spot: what is known of it, copies, and questions to go on. */
import { copyButton } from "../shared/copy";
import { button, element, outside } from "../shared/elements";
import { geojson, geometryOf, wkt } from "./export";
import type { Position } from "./geometry";
import type { Choose } from "./listing";
import type { Item } from "./scene";
import { brackets, coordinates } from "./words";

export type Ask = (tool: string, given: { [key: string]: number | string }) => void;

/** `ask` is absent where nobody can be asked. */
export function itemCard(item: Item, source: string, ask: Ask | undefined, close: () => void): HTMLElement {
  const { name, address, kind, point, box, isEstimated, problem } = item;
  const facts: [string, string][] = [];
  if (point) facts.push(["Coordinates", coordinates(point, 5)]);
  if (box) facts.push([isEstimated ? "Box (estimated)" : "Box", brackets(box)]);
  facts.push(...item.facts);
  if (source) facts.push(["Source", source]);
  return card(
    name,
    [
      element("p", { class: "kind" }, outside(kind, 60)),
      address ? element("p", { class: "address" }, outside(address)) : null,
      problem ? element("p", { class: "problem" }, outside(problem, 500)) : null,
      list(facts),
      copies(item),
      point ? questions(point, ask) : null,
    ],
    close,
  );
}

/** An empty spot of the map. */
export function spotCard(at: Position, ask: Ask | undefined, close: () => void): HTMLElement {
  const rounded = at.map((value) => Number(value.toFixed(5))) as Position;
  const geometry = { type: "Point", coordinates: rounded } as const;
  const copied = element(
    "div",
    { class: "copies" },
    copyButton("lat, lon", () => `${rounded[1]}, ${rounded[0]}`, "Copy latitude, longitude"),
    copyButton("GeoJSON", () => JSON.stringify(geometry), "Copy as GeoJSON"),
    copyButton("WKT", () => wkt(geometry), "Copy as WKT"),
  );
  return card(coordinates(rounded), [element("p", { class: "kind" }, "a point on the map"), copied, questions(rounded, ask)], close);
}

/** Places that no scale brings apart. */
export function groupCard(items: readonly Item[], choose: Choose, close: () => void): HTMLElement {
  const rows = items.slice(0, 50).map((item) => element("li", {}, button(outside(item.name, 120), ({ detail }) => choose(item, detail === 0), { class: "plain" })));
  const more = items.length > 50 ? element("p", { class: "note" }, `and ${items.length - 50} more: see the table`) : null;
  return card(`${items.length.toLocaleString("en")} places here`, [element("ul", { class: "group" }, ...rows), more], close);
}

function card(title: string, content: (Node | null)[], close: () => void): HTMLElement {
  const heading = element("h2", { tabindex: -1 }, outside(title, 160));
  const shut = button("×", close, { class: "plain close", "aria-label": "Close the card" });
  const made = element("section", { class: "card", "aria-label": "Chosen place" }, shut, heading, ...content);
  made.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
  });
  return made;
}

function list(facts: readonly [string, string][]): HTMLElement {
  const rows = facts.map(([name, value]) =>
    element("div", {}, element("dt", {}, outside(name, 80)), element("dd", {}, outside(value, 400))),
  );
  return element("dl", {}, ...rows);
}

function copies(item: Item): HTMLElement | null {
  const geometry = geometryOf(item);
  if (!geometry) return null;
  const { box } = item;
  return element(
    "div",
    { class: "copies" },
    element("span", { class: "note" }, "Copy"),
    copyButton("GeoJSON", () => geojson(item), "Copy as GeoJSON"),
    copyButton("WKT", () => wkt(geometry), "Copy as WKT"),
    box ? copyButton("[w, s, e, n]", () => brackets(box), "Copy the box as [w, s, e, n]: west, south, east, north") : null,
  );
}

function questions([lon, lat]: Position, ask: Ask | undefined): HTMLElement | null {
  if (!ask) return null;
  const given = { lat, lon };
  return element(
    "div",
    { class: "questions" },
    button("What is here", () => ask("reverse_geocode", given)),
    button("Nearby here", () => ask("nearby_places", { ...given, radius_km: 10, limit: 10 })),
    button("Areas here", () => ask("admin_boundaries", { ...given, geometry: "simplified" })),
  );
}

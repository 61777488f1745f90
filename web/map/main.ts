/** The map view: answers in, a map with a list, a card and a table out. */
import { button, clipped, element, outside } from "../shared/elements";
import { type Answer, type Fields, Refused, connect } from "../shared/host";
import { announce } from "../shared/live";
import { reachWithFrame } from "../shared/marks";
import { type Ask, groupCard, itemCard, spotCard } from "./card";
import type { Position } from "./geometry";
import { legend, places, placesTable } from "./listing";
import { read } from "./read";
import { scaleBar } from "./scalebar";
import type { Item, Scene } from "./scene";
import { coordinates } from "./words";
import { MapView } from "./view";
import "./style.css";

const BASE = "Map: Natural Earth (public domain). Names: GeoNames (CC BY 4.0).";
const KEYS = "Arrow keys move the map, plus and minus zoom, 0 shows everything, N and P choose the next and the previous place, Enter opens what is chosen or in the middle.";

const host = connect();
const bar = scaleBar();
const view = new MapView({ chose, left: () => close(), drew: (metres) => bar.show(metres) });
const heading = element("div", { class: "heading" });
const search = element("search", { hidden: true });
const back = button("← Back", () => goBack(), { hidden: true });
const toggle = button("Table", () => toggleTable(), { "aria-pressed": "false", hidden: true });
const chosen = element("div", { class: "chosen" });
const listed = element("div", { class: "listed" });
const status = element("p", { class: "status problem", hidden: true });
const tableFrame = element("div", { class: "table-place", hidden: true });
const credit = element("p", { class: "credit" });
const frame = element(
  "div",
  { class: "map-place" },
  view.canvas,
  element("p", { id: "keys", class: "visually-hidden" }, KEYS),
  element(
    "div",
    { class: "controls", role: "group", "aria-label": "Zoom" },
    button("+", () => view.zoom(1.6), { "aria-label": "Zoom in" }),
    button("−", () => view.zoom(1 / 1.6), { "aria-label": "Zoom out" }),
    button("⤢", () => view.fit(), { "aria-label": "Show everything", title: "Show everything" }),
  ),
  bar.element,
);
const panel = element("aside", { class: "panel", "aria-label": "Places" }, status, chosen, listed);

let scene: Scene | undefined;
let answer: Answer | undefined;
let last: HTMLElement | undefined;
const before: Answer[] = [];

function start(): void {
  document.documentElement.classList.toggle("inline", host.isInline);
  const header = element("header", {}, heading, search, element("div", { class: "tools" }, back, toggle));
  document.querySelector("main")!.append(header, element("div", { class: "body" }, frame, tableFrame, panel), credit);
  credit.textContent = BASE;
  offer();
  welcome();
  host.onAnswer((came) => show(came));
}

function welcome(): void {
  heading.replaceChildren(element("h1", {}, "Map"));
  const words = host.canCall ? "Search for a place, or choose a point of the map." : "There is no answer to draw yet.";
  listed.replaceChildren(element("p", { class: "note" }, words));
}

/** A box to search with, where tools can be called. */
function offer(): void {
  if (!host.canCall || search.childElementCount > 0) return;
  const field = element("input", { type: "search", name: "query", placeholder: "Find a place", "aria-label": "Find a place", maxlength: 500 });
  const find = (): void => {
    if (field.value.trim()) ask("geocode", { query: field.value.trim(), limit: 8 });
  };
  // A form does not work in a sandboxed frame without allow-forms.
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.isComposing) find();
  });
  search.append(field, button("Find", find));
  search.hidden = false;
}

const ask: Ask = (tool, given) => void asking(tool, given);

async function asking(tool: string, given: Fields): Promise<void> {
  document.body.classList.add("asking");
  announce("Asking …");
  try {
    const reply = await host.call(tool, given);
    if (answer) before.push(answer);
    show({ tool, arguments: given, reply });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    fail(error.message);
  } finally {
    document.body.classList.remove("asking");
  }
}

function fail(message: string): void {
  status.replaceChildren(outside(message, 600));
  status.hidden = false;
  announce(message);
}

function goBack(): void {
  const earlier = before.pop();
  if (earlier) show(earlier);
}

function show(came: Answer): void {
  answer = came;
  scene = read(came);
  offer();
  toggle.hidden = scene.items.length === 0;
  if (toggle.hidden && !tableFrame.hidden) toggleTable();
  back.hidden = before.length === 0;
  status.hidden = true;
  close();
  const { title, subtitle } = scene;
  heading.replaceChildren(
    element("h1", {}, outside(title, 120)),
    subtitle ? element("p", { class: "note" }, outside(subtitle, 200)) : "",
  );
  view.canvas.setAttribute("aria-label", `Map of ${clipped(title, 120)}: ${clipped(subtitle, 160)}`);
  listed.replaceChildren(...content(scene));
  tableFrame.replaceChildren(placesTable(scene, choose));
  credit.replaceChildren(scene.attribution ? element("span", {}, "Data: ", outside(scene.attribution, 400), ". ") : "", BASE);
  view.show(scene);
  reachWithFrame("drawn");
  const [only, ...others] = scene.items.filter(({ mark }) => mark !== "asked");
  if (only && others.length === 0) reveal(only);
  announce(`${title}. ${scene.problem ?? subtitle}`);
}

function content(shown: Scene): HTMLElement[] {
  const notes = shown.notes.map((note) => element("p", { class: "note" }, outside(note, 700)));
  const problem = shown.problem ? [element("p", { class: "problem" }, outside(shown.problem, 700))] : [];
  const key = legend(shown);
  return [...problem, ...(key ? [key] : []), ...(shown.items.length > 0 ? [places(shown, choose)] : []), ...outlines(shown), ...notes];
}

/** The outlines of areas, if the answer came without them. */
function outlines({ kind, items }: Scene): HTMLElement[] {
  const at = items.find(({ mark }) => mark === "asked")?.point;
  if (kind !== "areas" || !host.canCall || !at || items.some(({ geometry }) => geometry)) return [];
  return [button("Draw the outlines", () => ask("admin_boundaries", { lat: at[1], lon: at[0], geometry: "simplified" }))];
}

function chose(items: Item[], at: Position | undefined, opens: boolean): void {
  if (items.length === 1) return choose(items[0]!, opens);
  const question = host.canCall ? ask : undefined;
  view.choose(undefined);
  mark(undefined);
  if (items.length > 1) open(groupCard(items, choose, close));
  else if (at) open(spotCard(at, question, close));
  if (opens) focusCard();
  announce(items.length > 1 ? `${items.length} places here` : at ? coordinates(at) : "Off the map");
}

function choose(item: Item, isByKey: boolean): void {
  if (!tableFrame.hidden) toggleTable();
  reveal(item);
  reachWithFrame("pressed");
  if (isByKey) focusCard();
  panel.scrollTop = 0;
  announce(`${item.name}, ${item.kind}`);
  host.tell(described(item));
}

function reveal(item: Item): void {
  view.choose(item);
  mark(item);
  open(itemCard(item, scene?.source ?? "", host.canCall ? ask : undefined, close));
}

function open(card: HTMLElement): void {
  const { activeElement } = document;
  if (!chosen.contains(activeElement)) last = activeElement instanceof HTMLElement ? activeElement : undefined;
  chosen.replaceChildren(card);
}

function close(): void {
  if (!chosen.hasChildNodes()) return;
  const hadFocus = chosen.contains(document.activeElement);
  chosen.replaceChildren();
  view.choose(undefined);
  mark(undefined);
  if (hadFocus) (last?.isConnected && last.offsetParent ? last : view.canvas).focus();
}

function focusCard(): void {
  chosen.querySelector("h2")?.focus();
}

function mark(item: Item | undefined): void {
  for (const row of listed.querySelectorAll("[aria-current]")) row.removeAttribute("aria-current");
  if (item) listed.querySelector(`[data-key="${item.key}"]`)?.setAttribute("aria-current", "true");
}

function toggleTable(): void {
  tableFrame.hidden = !tableFrame.hidden;
  frame.hidden = panel.hidden = !tableFrame.hidden;
  toggle.setAttribute("aria-pressed", String(!tableFrame.hidden));
}

/** What the model is told: the place that the user looks at. */
function described({ name, address, kind, point, box }: Item): string {
  const where = [point && `at ${point[1]}, ${point[0]} (lat, lon)`, box && `box [${box.join(", ")}]`].filter(Boolean).join(", ");
  return `On the map the user chose ${clipped(address || name, 200)} (${clipped(kind, 40)}) ${where}`.trim();
}

start();

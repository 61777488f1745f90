/**
 * Replies of the places tools → what the map draws: pure.
 *
 * A reply is known by its fields, because a chat may not say which tool it is of. Absent fields have their default.
 */
import { clipped } from "../shared/elements";
import type { Answer, Fields, Json } from "../shared/host";
import * as field from "./fields";
import type { Item, Leg, Scene } from "./scene";
import { coordinates, length } from "./words";

type Part = Pick<Scene, "kind" | "title" | "items"> & Partial<Scene>;

/** The most items that a map takes: one each of a large table. */
const MOST_ITEMS = 50_000;

export function read({ tool, arguments: asked, reply }: Answer): Scene {
  const part = failure(reply) ?? partOf(reply, asked) ?? unknown(tool);
  part.items.forEach((item, key) => (item.key = key));
  const hint = field.text(reply["hint"]);
  return {
    subtitle: "",
    legs: [],
    attribution: field.text(reply["attribution"]),
    source: sourceOf(field.fields(reply["source"])),
    ...part,
    notes: [...(part.notes ?? []), hint, field.text(reply["spelling"])].filter((note) => note && note !== part.problem),
  };
}

function failure(reply: Fields): Part | undefined {
  if (reply["success"] !== false && typeof reply["error"] !== "string") return undefined;
  const problem = field.text(reply["error"]) || "The tool gave an error.";
  return { kind: "empty", title: "No answer", items: [], problem };
}

function unknown(tool: string): Part {
  const problem = tool ? `A reply of ${tool} has no places to draw.` : "The reply has no places to draw.";
  return { kind: "empty", title: "Nothing to draw", items: [], problem };
}

function partOf(reply: Fields, asked: Fields): Part | undefined {
  if ("distances_m" in reply) return matrix(reply);
  if ("points" in reply) return route(reply);
  if ("items" in reply) return batch(reply);
  if ("boundaries" in reply) return areas(reply, asked);
  if ("asked" in reply && "found" in reply) return reverse(reply);
  if ("place_name" in reply) return box(reply, asked);
  if ("results" in reply || "suggestions" in reply) return found(reply, asked);
  return "places" in reply || "here" in reply || "categories" in reply ? nearby(reply, asked) : undefined;
}

// One function for each reply.

function found(reply: Fields, asked: Fields): Part {
  const items = field.list(reply["results"]).map((result, number) => place(result, number + 1));
  const query = field.text(asked["query"]) || values(field.fields(asked["structured"])).join(", ");
  const unused = field.texts(reply["unused"]);
  const missing = field.texts(reply["not_found"]);
  const notes = [
    unused.length > 0 ? `Not used: ${unused.join("; ")}.` : "",
    missing.length > 0 ? `Not found: ${missing.join(", ")}.` : "",
  ];
  const title = query || items[0]?.name || "Places";
  if (items.length > 0) return { kind: "places", title, subtitle: counted(items.length, "place"), items, notes };
  const suggestions = field.list(reply["suggestions"]).map((each, number) => place(each, number + 1));
  const problem = suggestions.length > 0 ? "Nothing found. These places may be meant." : "Nothing found.";
  return { kind: "places", title, items: suggestions, notes, problem };
}

function reverse(reply: Fields): Part {
  const item = place({ ...reply, ...field.fields(reply["found"]) }, undefined);
  const at = field.point(field.fields(reply["asked"]));
  const away = field.number(reply["distance_m"]) ?? 0;
  item.facts.push(["Distance", away === 0 ? "the point lies in it" : `${length(away)} from the point`]);
  for (const [name, key] of [["Plus code", "plus_code"], ["MGRS", "mgrs"]] as const) {
    const code = field.text(reply[key]);
    if (code) item.facts.push([name, code]);
  }
  const items = at ? [item, askedPoint(at)] : [item];
  return { kind: "reverse", title: item.name, subtitle: at ? `at ${coordinates(at)}` : "", items };
}

function box(reply: Fields, asked: Fields): Part {
  const named = { ...reply, name: reply["place_name"] ?? "", precision: "bounding box" };
  const item = { ...place(named, undefined), point: undefined, isBox: true };
  const area = field.number(reply["area_km2"]);
  const center = field.point(field.fields(reply["center"]));
  if (area !== undefined) item.facts.push(["Area of the box", `${area.toLocaleString("en")} km²`]);
  if (center) item.facts.push(["Centre", coordinates(center)]);
  const padding = field.number(asked["padding"]);
  const subtitle = padding ? `bounding box, padded by ${padding * 100} %` : "bounding box";
  return { kind: "box", title: item.name, subtitle, items: [item] };
}

function areas(reply: Fields, asked: Fields): Part {
  const items = field.list(reply["boundaries"]).map((boundary, depth): Item => {
    const item = place(boundary, depth + 1);
    item.kind = field.text(boundary["level"]);
    if (item.geometry?.type === "Point") item.point = item.geometry.coordinates;
    const code = field.text(boundary["code"]);
    return { ...item, depth, facts: [...(code ? [["ISO 3166", code] as [string, string]] : []), ...item.facts] };
  });
  const at = field.point(asked);
  const title = items.at(-1)?.name ?? "Administrative areas";
  const subtitle = at ? `areas that contain ${coordinates(at)}` : counted(items.length, "area");
  const postcode = field.text(reply["postcode"]);
  const isBare = items.every(({ geometry, facts }) => !geometry && !facts.some(([name]) => name === "Outline"));
  const bare = isBare ? "This answer has no outlines; with geometry: simplified it has." : "";
  const notes = [bare, postcode && `Postcode ${postcode}.`, ...field.list(reply["disputed"]).map(dispute)];
  return { kind: "areas", title, subtitle, items: at ? [...items, askedPoint(at)] : items, notes };
}

function nearby(reply: Fields, asked: Fields): Part {
  const items = field.list(reply["places"]).map((each) => {
    const item = place(each, undefined);
    const away = field.number(each["distance_m"]);
    if (away !== undefined) item.facts.unshift(["Distance", length(away)]);
    return { ...item, mark: "nearby" as const, category: category(each), address: "" };
  });
  const at = field.point(asked);
  const here = [...new Set(values(field.fields(reply["here"])))];
  const states = field.fields(reply["categories"]);
  const notes = (["failed", "unsupported"] as const).map((state) => {
    const names = field.texts(states[state]);
    return names.length > 0 ? `${state === "failed" ? "Failed, ask again" : "Not in this data"}: ${names.join(", ")}.` : "";
  });
  return {
    kind: "nearby",
    title: here.length > 0 ? here.slice(0, 2).join(", ") : "What is near",
    subtitle: at ? `${counted(items.length, "place")} near ${coordinates(at)}` : counted(items.length, "place"),
    items: at ? [...items, askedPoint(at)] : items,
    notes,
    problem: items.length === 0 ? "Nothing found near this point." : undefined,
  };
}

function route(reply: Fields): Part {
  const items = stops(reply);
  const legs = field.list(reply["legs"]).flatMap((leg): Leg[] => {
    const [start, end] = [field.number(leg["start"]) ?? 0, field.number(leg["end"]) ?? 0];
    const [from, to] = [items[start]?.point, items[end]?.point];
    const distance_m = field.number(leg["distance_m"]) ?? 0;
    return from && to ? [{ from, to, start, end, distance_m }] : [];
  });
  for (const { end, distance_m } of legs) items[end]?.facts.unshift(["From the last stop", length(distance_m)]);
  const total = field.number(reply["total_distance_m"]) ?? 0;
  const gaps = items.some((item) => item.problem) ? "The legs of stops that were not found are missing." : "";
  const names = items.map(({ name }) => clipped(name, 40));
  const title = items.length < 2 ? (names[0] ?? "Route") : `${names[0]} – ${names.at(-1)}`;
  const subtitle = `${counted(items.length, "stop")}, ${length(total)} along great circles`;
  return { kind: "route", title, subtitle, items, legs, notes: [gaps, left(reply)] };
}

function matrix(reply: Fields): Part {
  const items = stops(reply);
  const rows = Array.isArray(reply["distances_m"]) ? reply["distances_m"] : [];
  items.forEach((item, row) => {
    const distances = Array.isArray(rows[row]) ? rows[row] : [];
    distances.slice(0, 100).forEach((each, other) => {
      const far = field.number(each);
      if (far !== undefined && other !== row) item.facts.push([`To ${clipped(items[other]?.name ?? "", 60)}`, length(far)]);
    });
  });
  return { kind: "matrix", title: "Distances", subtitle: counted(items.length, "point"), items, notes: [left(reply)] };
}

function batch(reply: Fields): Part {
  const asked = field.list(reply["items"]).slice(0, MOST_ITEMS);
  const mark = asked.length > 60 ? "dot" : "pin";
  const items = asked.flatMap((each, number): Item[] => {
    const query = field.text(each["query"]);
    const results = field.list(each["results"]);
    if (results.length === 0) return [missing(query, number + 1, field.fields(each["error"]))];
    return results.map((result) => {
      const item = place(result, number + 1);
      if (query && query !== item.name) item.facts.unshift(["Asked", query]);
      return { ...item, mark };
    });
  });
  const failed = items.filter((item) => item.problem).length;
  const subtitle = failed > 0 ? `${counted(asked.length, "query")}, ${failed.toLocaleString("en")} without a place` : counted(asked.length, "query");
  return { kind: "batch", title: "Places of a batch", subtitle, items, notes: [left(reply)] };
}

// Parts of replies.

function place(result: Fields, number: number | undefined): Item {
  const name = field.text(result["name"]);
  const address = field.text(result["display_name"]);
  return {
    key: 0,
    name: name || address || "Without a name",
    address: address === name ? "" : address,
    kind: kindOf(result),
    mark: "pin",
    number,
    point: field.point(result),
    box: field.box(result["bbox"]),
    isEstimated: result["bbox_kind"] === "estimated",
    geometry: field.geometry(result["geometry"]),
    facts: factsOf(result),
  };
}

function kindOf(result: Fields): string {
  const precise = field.text(result["precision"]);
  const type = field.text(result["type"]).replaceAll("_", " ");
  return precise === "house" || precise === "" || precise === "region" ? type || precise : precise;
}

function factsOf(result: Fields): [string, string][] {
  const facts: [string, string][] = [];
  const add = (name: string, value: string): void => void (value && facts.push([name, value]));
  const confidence = field.number(result["confidence"]);
  const match = field.text(result["match"]);
  add("Match", [match, confidence === undefined ? "" : `confidence ${confidence}`].filter(Boolean).join(", "));
  const from = field.text(result["corrected_from"]);
  add("Corrected", from ? `${from} → ${field.text(result["corrected_to"])}` : "");
  add("Time zone", field.text(result["time_zone"]));
  const level = field.number(result["admin_level"]);
  add("Admin level", level === undefined ? "" : String(level));
  const id = field.number(result["osm_id"]);
  add("OpenStreetMap", id === undefined ? "" : `${field.text(result["osm_type"])} ${id}`);
  add("From the", field.text(result["backend"]));
  for (const area of field.list(result["disputed"])) add("Disputed", dispute(area));
  const tolerance = field.number(result["geometry_tolerance_m"]);
  add("Outline within", tolerance ? length(tolerance) : "");
  add("Outline", field.text(result["geometry_note"]));
  return facts;
}

function dispute(area: Fields): string {
  const [held, claimed] = [values(field.fields(area["administered_by"])), values(field.fields(area["claimed_by"]))];
  const sides = [held.length > 0 ? `administered by ${held.join(", ")}` : "", claimed.length > 0 ? `claimed by ${claimed.join(", ")}` : ""];
  return [`${field.text(area["name"])} (${field.text(area["kind"]).replaceAll("_", " ")})`, ...sides].filter(Boolean).join("; ");
}

function stops(reply: Fields): Item[] {
  return field.list(reply["points"]).map((stop, number) => {
    const error = field.fields(stop["error"]);
    if ("error" in stop) return missing(field.text(stop["name"]), number + 1, error);
    const item = place(stop, number + 1);
    if (!item.point) return missing(item.name, number + 1, error);
    return field.text(stop["name"]) || field.text(stop["display_name"]) ? item : { ...item, name: coordinates(item.point) };
  });
}

function missing(name: string, number: number, error: Fields): Item {
  const why = [field.text(error["error"]), field.text(error["hint"])].filter(Boolean).join(". ");
  const problem = why || "Nothing found.";
  return { key: 0, name: name || "Without a name", address: "", kind: "not found", mark: "pin", number, facts: [], problem };
}

function askedPoint(point: [number, number]): Item {
  return { key: 0, name: "The point asked", address: "", kind: "point", mark: "asked", point, facts: [] };
}

/** Bus stops and stations are of the category `transport`, whose keys are several. */
function category(result: Fields): string {
  const key = field.text(result["category"]);
  const isTransport = ["railway", "public_transport", "aeroway", "highway"].includes(key);
  return isTransport || TRANSPORT.has(field.text(result["type"])) ? "transport" : key;
}

const TRANSPORT = new Set(["bus_station", "ferry_terminal", "taxi"]);

function left(reply: Fields): string {
  const remaining = field.texts(reply["remaining"]);
  return remaining.length > 0 ? `Not asked: ${remaining.slice(0, 20).join("; ")}${remaining.length > 20 ? " …" : ""}.` : "";
}

function sourceOf(source: Fields): string {
  const degraded = source["degraded"] === true ? "degraded" : "";
  const parts = [field.text(source["backend"]), field.text(source["host"]), field.text(source["data_version"])];
  return [...parts, source["cached"] === true ? "cached" : "", degraded, field.text(source["reason"])].filter(Boolean).join(", ");
}

function values(named: Fields): string[] {
  return Object.values(named).filter((value: Json): value is string => typeof value === "string");
}

function counted(count: number, noun: string): string {
  const plural = noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${count.toLocaleString("en")} ${count === 1 ? noun : plural}`;
}


/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fields } from "../shared/host";
import { read } from "./read";

const scene = (reply: Fields, given: Fields = {}) => read({ tool: "", arguments: given, reply });

const BOX = [174.5889, -21.7111, -178.2161, -12.4798];

test("places are read with what is known of them, in a sparse reply too", () => {
  const full = { name: "Fiji", display_name: "Fiji", category: "boundary", type: "country", precision: "country", bbox: BOX, bbox_kind: "exact", match: "exact", confidence: 0.99, lat: -17.8, lon: 178 };
  const { items, kind } = scene({ success: true, results: [full, { name: "Suva", lat: -18.1, lon: 178.4 }], count: 2 }, { query: "Fiji" });
  assert.equal(kind, "places");
  assert.deepEqual([items[0]!.box, items[0]!.point, items[0]!.kind], [BOX, [178, -17.8], "country"]);
  assert.deepEqual(items[0]!.facts, [["Match", "exact, confidence 0.99"]]);
  assert.deepEqual([items[1]!.name, items[1]!.box, items[1]!.facts], ["Suva", undefined, []]);
});

test("an empty answer and an error say so, with the hint", () => {
  const empty = scene({ success: true, results: [], count: 0, hint: "Check the spelling." }, { query: "Atlantis" });
  assert.deepEqual([empty.problem, empty.notes], ["Nothing found.", ["Check the spelling."]]);
  const error = scene({ success: false, error: "nothing at 0, -30", hint: "This is probably open sea." });
  assert.deepEqual([error.problem, error.notes, error.items], ["nothing at 0, -30", ["This is probably open sea."], []]);
  assert.match(read({ tool: "geocoder_status", arguments: {}, reply: {} }).problem!, /geocoder_status/);
});

test("suggestions are shown if nothing was found", () => {
  const { items, problem } = scene({ results: [], suggestions: [{ name: "Vaduz", display_name: "Vaduz, Liechtenstein", lat: 47.1, lon: 9.5 }] });
  assert.match(problem!, /may be meant/);
  assert.deepEqual(items[0]!.point, [9.5, 47.1]);
});

test("a route has legs between the stops that were found, and says what is missing", () => {
  const { items, legs, notes } = scene({
    points: [{ name: "Tokyo", lat: 35.7, lon: 139.7 }, { name: "Nowhere", error: { error: "no place matches 'Nowhere'", code: "not_found", hint: "Check it." } }, { lat: 37.8, lon: -122.4 }, { name: "Lima", lat: -12, lon: -77 }],
    legs: [{ start: 2, end: 3, distance_m: 7_250_000 }],
    total_distance_m: 7_250_000, remaining: ["Quito"],
  });
  assert.deepEqual(legs.map(({ from, to }) => [from, to]), [[[-122.4, 37.8], [-77, -12]]]);
  assert.equal(items[1]!.problem, "no place matches 'Nowhere'. Check it.");
  assert.equal(items[2]!.name, "37.8°N, 122.4°W");
  assert.ok(notes.some((note) => note.includes("Quito")));
});

test("a batch keeps a row for each query, found or not", () => {
  const { items, subtitle } = scene({ items: [{ query: "Paris, FR", results: [{ name: "Paris", lat: 48.9, lon: 2.3 }] }, { query: "Nowhere", results: [] }], total: 2 });
  assert.equal(items.length, 2);
  assert.deepEqual(items[0]!.facts, [["Asked", "Paris, FR"]]);
  assert.equal(items[1]!.problem, "Nothing found.");
  assert.match(subtitle, /1 without a place/);
});

test("a point's card has its codes in other grids", () => {
  const { items } = scene({ asked: { lat: 46.947, lon: 7.451 }, found: { lat: 46.95, lon: 7.45 }, name: "Bern", plus_code: "8FR9WFW2+RC", mgrs: "32TLT8212000438", distance_m: 0 });
  assert.deepEqual(items[0]!.facts.slice(-2), [["Plus code", "8FR9WFW2+RC"], ["MGRS", "32TLT8212000438"]]);
});

test("a hierarchy is outermost first, with the point that was asked", () => {
  const geometry = { type: "Polygon", coordinates: [[[0, 0], [1, 0], [1, 1], [0, 0]]] };
  const { items } = scene({ boundaries: [{ level: "country", name: "Switzerland", code: "CH", geometry }, { level: "city", name: "Zürich" }] }, { lat: 47.4, lon: 8.5 });
  assert.deepEqual(items.map(({ depth, mark }) => [depth, mark]), [[0, "pin"], [1, "pin"], [undefined, "asked"]]);
  assert.deepEqual(items[0]!.geometry, geometry);
  assert.deepEqual(items[2]!.point, [8.5, 47.4]);
});

test("nearby places have their category, and stations are transport", () => {
  const { items, notes } = scene({
    places: [{ name: "Gare", category: "railway", type: "station", lat: 1, lon: 2, distance_m: 120 }, { name: "Bus", category: "amenity", type: "bus_station", lat: 1, lon: 2 }, { name: "Bar", category: "amenity", type: "bar", lat: 1, lon: 2 }],
    categories: { answered: [], failed: ["shop"], unsupported: [] },
  });
  assert.deepEqual(items.map(({ category }) => category), ["transport", "transport", "amenity"]);
  assert.ok(notes.includes("Failed, ask again: shop."));
});

test("values of other types and off the globe are not drawn", () => {
  const hostile: Fields = {
    results: [
      { name: 5, lat: "1", lon: {} },
      { name: "x", lat: 91, lon: 0, bbox: [0, 0, "1", 1] },
      { name: "y", lat: 1, lon: 1, bbox: [0, 5, 1, 1], geometry: { type: "Polygon", coordinates: [[[0, 0], [1, "a"]]] } },
      { name: "z", lat: 1, lon: 1, geometry: { type: "GeometryCollection", geometries: [] } },
      null, [], "text",
    ],
  };
  const { items } = scene(hostile);
  assert.equal(items.length, 7);
  assert.ok(items.every(({ box, geometry }) => box === undefined && geometry === undefined));
  assert.deepEqual(items.map(({ point }) => point !== undefined), [false, false, true, true, false, false, false]);
  const odd: Fields[] = [{ results: "x" }, { items: 4 }, { points: [null], legs: [{ start: 7, end: -1 }] }, { boundaries: {} }, { distances_m: [[{}]], points: [] }];
  for (const reply of odd) scene(reply);
});

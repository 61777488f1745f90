/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { collection, geojson, geometryOf, wkt } from "./export";
import type { Geometry } from "./geometry";
import type { Item } from "./scene";
import { brackets, coordinates, degrees, length, roundLength } from "./words";

const FIJI: Item = {
  key: 0, name: "Fiji", address: "", kind: "country", mark: "pin", facts: [],
  point: [177.9754, -17.8261], box: [174.5889, -21.7111, -178.2161, -12.4798],
};

test("a place is a Feature with its point, and its box across 180°", () => {
  assert.deepEqual(JSON.parse(geojson(FIJI)), {
    type: "Feature",
    bbox: [174.5889, -21.7111, -178.2161, -12.4798],
    properties: { name: "Fiji", kind: "country" },
    geometry: { type: "Point", coordinates: [177.9754, -17.8261] },
  });
});

test("a box alone is polygons that never cross 180°", () => {
  const box = geometryOf({ box: FIJI.box });
  assert.equal(box?.type, "MultiPolygon");
  assert.equal(
    wkt(box!),
    "MULTIPOLYGON (((174.5889 -21.7111, 180 -21.7111, 180 -12.4798, 174.5889 -12.4798, 174.5889 -21.7111)), " +
      "((-180 -21.7111, -178.2161 -21.7111, -178.2161 -12.4798, -180 -12.4798, -180 -21.7111)))",
  );
});

test("an outline goes before a point", () => {
  const geometry: Geometry = { type: "Polygon", coordinates: [[[0, 0], [1, 0], [1, 1], [0, 0]]] };
  assert.equal(geometryOf({ ...FIJI, geometry }), geometry);
});

test("each geometry has its well-known text", () => {
  const texts: [Geometry, string][] = [
    [{ type: "Point", coordinates: [1, -2.5] }, "POINT (1 -2.5)"],
    [{ type: "MultiPoint", coordinates: [[1, 2], [3, 4]] }, "MULTIPOINT ((1 2), (3 4))"],
    [{ type: "LineString", coordinates: [[1, 2], [3, 4]] }, "LINESTRING (1 2, 3 4)"],
    [{ type: "MultiLineString", coordinates: [[[1, 2], [3, 4]]] }, "MULTILINESTRING ((1 2, 3 4))"],
    [{ type: "Polygon", coordinates: [[[0, 0], [1, 0], [1, 1], [0, 0]]] }, "POLYGON ((0 0, 1 0, 1 1, 0 0))"],
  ];
  for (const [geometry, text] of texts) assert.equal(wkt(geometry), text);
});

test("a collection leaves out what is nowhere", () => {
  const missing: Item = { ...FIJI, point: undefined, box: undefined, problem: "Nothing found." };
  assert.equal(JSON.parse(collection([FIJI, missing])).features.length, 1);
});

test("numbers are said as maps say them", () => {
  assert.equal(coordinates([177.9754, -17.8261], 2), "17.83°S, 177.98°E");
  assert.equal(degrees(-180, 0, "E", "W"), "180°");
  assert.equal(degrees(0, 0, "N", "S"), "0°");
  assert.equal(brackets(FIJI.box!), "[174.5889, -21.7111, -178.2161, -12.4798]");
  assert.deepEqual([length(85.4), length(1_234), length(6_206_123)], ["85 m", "1.2 km", "6,206 km"]);
  assert.deepEqual([roundLength(1_999), roundLength(5), roundLength(0.3)], [1_000, 5, 0.2]);
});

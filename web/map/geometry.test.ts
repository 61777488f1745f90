/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { geoArea, geoContains } from "d3-geo";
import { type Box, type Geometry, type Position, boxShape, distance, outlineShape, pieces, position, vector, width } from "./geometry";

const EVERYTHING = 4 * Math.PI;
const FIJI: Box = [174.5889, -21.7111, -178.2161, -12.4798];

function contains(box: Box, point: Position): boolean {
  return geoContains({ type: "Polygon", coordinates: boxShape(box).fill }, point);
}

/** The area of a box on the unit sphere. */
function area(box: Box): number {
  const radians = Math.PI / 180;
  return width(box) * radians * (Math.sin(box[3] * radians) - Math.sin(box[1] * radians));
}

test("a box across 180° holds what is on both sides and nothing of the rest", () => {
  assert.ok(contains(FIJI, [179.9, -17]));
  assert.ok(contains(FIJI, [-179, -17]));
  assert.ok(!contains(FIJI, [0, -17]));
  assert.ok(!contains(FIJI, [-177, -17]));
});

test("boxes on the globe have the area between their parallels and meridians", () => {
  const boxes: Box[] = [
    FIJI,
    [19.6, 41.2, -169, 81.9],
    [-10, 35, 30, 70],
    [-180, -90, 180, -60.5],
    [-180, 66, 180, 90],
    [-180, -23, 180, 23],
    [-170, -80, 170, 80],
  ];
  for (const box of boxes) {
    const found = geoArea({ type: "Polygon", coordinates: boxShape(box).fill });
    assert.ok(Math.abs(found - area(box)) < 0.003 * EVERYTHING, `${box}: ${found}, not ${area(box)}`);
  }
});

test("a box around a pole holds the pole, and has one parallel as its edge", () => {
  const { edges } = boxShape([-180, -90, 180, -60]);
  assert.ok(contains([-180, -90, 180, -60], [50, -89.9]));
  assert.ok(!contains([-180, -90, 180, -60], [50, -50]));
  assert.equal(edges.length, 1);
  assert.ok(edges[0]!.every(([, lat]) => lat === -60));
});

test("a box is cut at 180° into pieces as the tools cut it", () => {
  assert.deepEqual(pieces(FIJI), [[174.5889, -21.7111, 180, -12.4798], [-180, -21.7111, -178.2161, -12.4798]]);
  assert.deepEqual(pieces([1, 2, 3, 4]), [[1, 2, 3, 4]]);
});

test("an outline is wound for the globe whichever way it came, holes too", () => {
  const ring: Position[] = [[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]];
  const hole: Position[] = [[4, 4], [4, 6], [6, 6], [6, 4], [4, 4]];
  for (const coordinates of [[ring, hole], [[...ring].reverse(), [...hole].reverse()]]) {
    const { fill } = outlineShape({ type: "Polygon", coordinates });
    const shape = { type: "MultiPolygon", coordinates: fill } as const;
    assert.ok(geoArea(shape) < 0.05);
    assert.ok(geoContains(shape, [2, 2]));
    assert.ok(!geoContains(shape, [5, 5]));
  }
});

test("the edges of an outline leave out its cuts at 180° and along the pole", () => {
  const west: Position[] = [[180, -10], [180, -5], [175, -5], [175, -10], [180, -10]];
  const cap: Position[] = [[-180, -90], [180, -90], [180, -70], [0, -65], [-180, -70], [-180, -90]];
  const lines = (geometry: Geometry): Position[][] => outlineShape(geometry).edges;
  assert.deepEqual(lines({ type: "Polygon", coordinates: [west] }), [[[180, -5], [175, -5], [175, -10], [180, -10]]]);
  assert.deepEqual(lines({ type: "Polygon", coordinates: [cap] }), [[[180, -70], [0, -65], [-180, -70]]]);
});

test("distances are great circles on the tools' sphere", () => {
  const [tokyo, honolulu]: [Position, Position] = [[139.69171, 35.6895], [-157.85833, 21.30694]];
  assert.ok(Math.abs(distance(tokyo, honolulu) - 6_206_000) < 5_000);
  assert.equal(distance(tokyo, tokyo), 0);
});

test("vectors and positions are inverse, and a pole has longitude 0", () => {
  for (const each of [[12.5, -33], [-179.5, 80], [180, 0]] as Position[]) {
    const [lon, lat] = position(vector(each));
    assert.ok(Math.abs(lon - each[0]) < 1e-9 && Math.abs(lat - each[1]) < 1e-9);
  }
  assert.equal(position([1e-17, 1e-17, -1])[0], 0);
});

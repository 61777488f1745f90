/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { clustered } from "./clusters";
import { type Position, distance } from "./geometry";

const RADIUS = 0.05;
const EARTH_M = 6_371_000;

/** Positions all over the globe, the same each time. */
function spread(count: number): Position[] {
  let seed = 7;
  const next = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  return Array.from({ length: count }, () => [360 * next() - 180, (Math.asin(2 * next() - 1) * 180) / Math.PI]);
}

test("each point is in one cluster, within its radius of the first", () => {
  const points = spread(3_000);
  const found = clustered(points, RADIUS);
  assert.deepEqual(found.flatMap(({ members }) => members).sort((a, b) => a - b), points.map((_, number) => number));
  for (const { members } of found)
    for (const each of members) assert.ok(distance(points[members[0]!]!, points[each]!) <= RADIUS * EARTH_M * 1.001);
});

test("points on both sides of 180° and around a pole are together", () => {
  assert.equal(clustered([[179.9, 0], [-179.9, 0.1]], RADIUS).length, 1);
  assert.equal(clustered([[0, 89.5], [90, 89.5], [180, 89.5], [-90, 89.5]], RADIUS).length, 1);
  assert.equal(clustered([[0, 0], [90, 0]], RADIUS).length, 2);
});

test("the middle of a cluster lies among its members, and one alone stays where it is", () => {
  const [pair] = clustered([[179, 0], [-179, 0]], RADIUS);
  assert.ok(Math.abs(Math.abs(pair!.at[0]) - 180) < 1e-9);
  assert.deepEqual(clustered([[12.34567, 8.9]], RADIUS)[0]!.at, [12.34567, 8.9]);
});

test("a smaller radius opens clusters", () => {
  const points = spread(2_000);
  assert.ok(clustered(points, RADIUS).length > 2 * clustered(points, 8 * RADIUS).length);
  assert.equal(clustered([[1, 1], [1, 1], [1, 1]], 1e-9).length, 1);
});

/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Camera, framed, inverse, isWorld, middleOf, moved, projectionOf, wholeWorld, zoomed } from "./camera";
import { type Position, boxShape } from "./geometry";

const SIZE = { width: 900, height: 600 };

function inView(positions: Position[], size = SIZE): boolean {
  const projection = projectionOf(framed(positions, size), size);
  return positions.every((each) => {
    const [x, y] = projection(each)!;
    return x >= 0 && y >= 0 && x <= size.width && y <= size.height;
  });
}

test("everything asked for is in view, across 180°, at the poles, on a phone", () => {
  const asked: Position[][] = [
    boxShape([174.6, -21.7, -178.2, -12.5]).edges.flat(),
    boxShape([-180, -90, 180, -60]).edges.flat(),
    boxShape([19.6, 41.2, -169, 81.9]).edges.flat(),
    [[139.7, 35.7], [-157.9, 21.3], [-122.4, 37.8]],
    [[174.8, -36.8], [-70.7, -33.5]],
    [[2.35, 48.85]],
    [[2.35, 48.85], [2.3501, 48.8501]],
    [[-170, 60], [170, -60], [0, 0], [90, 10], [-90, -10]],
  ];
  for (const positions of asked) {
    assert.ok(inView(positions), JSON.stringify(positions[0]));
    assert.ok(inView(positions, { width: 360, height: 400 }), `phone: ${JSON.stringify(positions[0])}`);
  }
});

test("Fiji is framed in one piece around 178°, not around 0°", () => {
  const { lon, scale } = framed(boxShape([174.6, -21.7, -178.2, -12.5]).edges.flat(), SIZE);
  assert.ok(Math.abs(lon - 178.2) < 0.2, String(lon));
  assert.ok(!isWorld(scale, SIZE));
});

test("Antarctica is framed around its pole", () => {
  const { lat } = framed(boxShape([-180, -90, 180, -60]).edges.flat(), SIZE);
  assert.ok(lat < -89);
});

test("a map of far places is cut where they have their widest gap", () => {
  assert.equal(Math.abs(middleOf([170, -170])), 180);
  assert.equal(middleOf([-10, 30]), 10);
  assert.equal(middleOf(Array.from({ length: 36 }, (_, number) => number * 10 - 180)), 10);
});

test("what is under the pointer stays there when the map is zoomed or dragged", () => {
  const camera = { lon: 178, lat: -17, scale: 3_000 };
  const at: [number, number] = [700, 150];
  const before = inverse(projectionOf(camera, SIZE), at)!;
  const pixel = projectionOf(zoomed(camera, SIZE, 3, at), SIZE)(before)!;
  assert.ok(Math.hypot(pixel[0] - at[0], pixel[1] - at[1]) < 2);
  const dragged = projectionOf(moved(camera, SIZE, [450, 300], [400, 260]), SIZE)([178, -17])!;
  assert.ok(Math.hypot(dragged[0] - 400, dragged[1] - 260) < 2);
});

test("a drag near a pole moves the map without spinning it", () => {
  const camera = { lon: 0, lat: -90, scale: 800 };
  const spots: Position[] = [[0, -70], [90, -75], [180, -80]];
  const before = spots.map((spot) => projectionOf(camera, SIZE)(spot)!);
  let next: Camera = camera;
  for (let step = 0; step < 15; step++) next = moved(next, SIZE, [450, 300], [450, 290]);
  spots.forEach((spot, number) => {
    const [x, y] = projectionOf(next, SIZE)(spot)!;
    const [x0, y0] = before[number]!;
    assert.ok(Math.hypot(x - x0, y - (y0 - 150)) < 15, `${spot}: ${x - x0}, ${y - y0}`);
  });
});

test("far from the poles north is above", () => {
  let camera: Camera = { lon: 0, lat: 80, scale: 2_000, roll: 40 };
  assert.notEqual(moved(camera, SIZE, [450, 300], [450, 290]).roll, 0);
  for (let step = 0; step < 60 && camera.lat > 49; step++) camera = moved(camera, SIZE, [450, 300], [450, 250]);
  assert.equal(Math.abs(camera.roll!), 0);
});

test("no zoom leaves the globe or loses its numbers", () => {
  let camera = wholeWorld(SIZE);
  for (let turn = 0; turn < 80; turn++) camera = zoomed(camera, SIZE, 1.5, [10, 10]);
  assert.ok(Object.values(camera).every(Number.isFinite));
  for (let turn = 0; turn < 80; turn++) camera = zoomed(camera, SIZE, 0.5, [890, 590]);
  assert.ok(Object.values(camera).every(Number.isFinite));
  assert.ok(isWorld(camera.scale, SIZE));
});

test("off the globe there is no position", () => {
  const world = projectionOf(wholeWorld(SIZE), SIZE);
  assert.equal(inverse(world, [2, 2]), undefined);
  assert.ok(inverse(world, [450, 300]));
});

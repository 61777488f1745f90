// Makes world.json of what packaging/views/world.py writes to stdin: the same bytes for the same input.
//
// Two topologies: `coarse` for maps of the world and `fine` for maps of a country. They are TopoJSON, simplified by
// the area of triangles (Visvalingam) and quantised, with each arc as a string (`arcs.ts` reads it), a third of the size
// of arrays of numbers.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as client from "topojson-client";
import { topology } from "topojson-server";
import { filter, filterWeight, presimplify, simplify, sphericalRingArea, sphericalTriangleArea } from "topojson-simplify";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const EARTH_KM2 = 510e6;
const steradians = (km2) => (km2 / EARTH_KM2) * 4 * Math.PI;

/**
 * Triangles and rings that are smaller go, and lakes and rivers that are less known; positions are whole steps of the
 * box of everything.
 */
const LEVELS = {
  coarse: { km2: 900, ring: 1500, fame: { lakes: 0.6, rivers: 0.68 }, steps: 1e4 },
  fine: { km2: 24, ring: 8, fame: {}, steps: 5e4 },
};

const { labels, ...layers } = JSON.parse(readFileSync(0, "utf8"));
const whole = presimplify(topology(layers), sphericalTriangleArea);

// Lakes are small, and rivers are but lines.
weigh("lakes", 6);
weigh("rivers", 0.4);

/** Multiplies the weight of a layer's positions. */
function weigh(layer, factor) {
  const arcs = new Set(whole.objects[layer].geometries.flatMap((one) => one.arcs.flat(Infinity)).map((arc) => (arc < 0 ? ~arc : arc)));
  for (const arc of arcs) for (const position of whole.arcs[arc]) position[2] *= factor;
}

function level({ km2, ring, fame, steps }) {
  const simple = simplify(whole, steradians(km2));
  const objects = {};
  for (const [name, { geometries }] of Object.entries(simple.objects)) {
    const known = geometries.filter(({ properties }) => properties.fame >= (fame[name] ?? 0));
    const bare = known.map(({ type, arcs }) => ({ type, arcs }));
    objects[name] = { type: "GeometryCollection", geometries: bare };
  }
  const kept = filter({ ...simple, objects }, filterWeight(simple, steradians(ring), sphericalRingArea));
  const { arcs, transform, objects: used } = client.quantize(kept, steps);
  return { type: "Topology", transform, objects: used, arcs: arcs.map(packed) };
}

/** The differences of an arc's positions, five bits a letter, the lowest first; the sixth bit says that more follow. */
function packed(arc) {
  let text = "";
  for (const value of arc.flat()) {
    for (let rest = value < 0 ? -2 * value - 1 : 2 * value; ; rest >>>= 5) {
      text += LETTERS[rest > 31 ? (rest & 31) | 32 : rest];
      if (rest <= 31) break;
    }
  }
  return text;
}

const world = { coarse: level(LEVELS.coarse), fine: level(LEVELS.fine), labels };
const target = join(dirname(fileURLToPath(import.meta.url)), "world.json");
const text = `${JSON.stringify(world)}\n`;
writeFileSync(target, text);
const kB = (value) => `${(JSON.stringify(value).length / 1000).toFixed(0)} kB`;
console.log(`coarse ${kB(world.coarse)}, fine ${kB(world.fine)}, labels ${kB(labels)}`);

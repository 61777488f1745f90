/** Reads the topologies of world.json, whose arcs `world.mjs` packs into strings. */
import type { GeometryCollection, Topology } from "topojson-specification";

export interface PackedTopology {
  type: string;
  transform: { scale: number[]; translate: number[] };
  objects: Record<string, unknown>;
  arcs: string[];
}

export type Layers = Topology<Record<"countries" | "lakes" | "rivers", GeometryCollection>>;

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const VALUES = new Map(Array.from(LETTERS, (letter, value) => [letter, value]));

export function unpacked(topology: PackedTopology): Layers {
  return { ...topology, arcs: topology.arcs.map(differences) } as unknown as Layers;
}

/** The differences of one arc's positions: five bits a letter, the lowest first; the sixth bit says that more follow. */
export function differences(text: string): [number, number][] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const letter of text) {
    const bits = VALUES.get(letter) ?? 0;
    value |= (bits & 31) << shift;
    shift += 5;
    if (bits > 31) continue;
    numbers.push(value & 1 ? -(value + 1) / 2 : value / 2);
    value = shift = 0;
  }
  const pairs: [number, number][] = [];
  for (let at = 0; at + 1 < numbers.length; at += 2) pairs.push([numbers[at]!, numbers[at + 1]!]);
  return pairs;
}

/** Groups thousands of points by what lies close together at a scale: pure. */
import { type Position, type Vector, position, vector } from "./geometry";

export interface Cluster {
  /** The numbers of its points, the first one first. */
  members: number[];
  /** Their middle. */
  at: Position;
}

/**
 * Clusters of points within `radius` (in radians) of a first one, in the points' order; each point is in one.
 *
 * Neighbours are found in a grid of cubes in space, which has no edge at 180° and no poles.
 */
export function clustered(points: readonly Position[], radius: number): Cluster[] {
  const vectors = points.map(vector);
  const cubes = new Map<string, number[]>();
  vectors.forEach((each, number) => {
    const key = each.map((value) => Math.floor(value / radius)).join();
    const cube = cubes.get(key);
    if (cube) cube.push(number);
    else cubes.set(key, [number]);
  });
  const taken = new Uint8Array(points.length);
  const found: Cluster[] = [];
  vectors.forEach((centre, first) => {
    if (taken[first]) return;
    const members = [...around(centre, radius, cubes)].filter(
      (number) => !taken[number] && chord(vectors[number]!, centre) <= radius,
    );
    members.sort((a, b) => a - b);
    for (const number of members) taken[number] = 1;
    found.push({ members, at: members.length === 1 ? points[first]! : middle(members.map((each) => vectors[each]!)) });
  });
  return found;
}

function* around(centre: Vector, radius: number, cubes: Map<string, number[]>): Iterable<number> {
  const [x, y, z] = centre.map((value) => Math.floor(value / radius)) as Vector;
  for (let dx = -1; dx <= 1; dx++)
    for (let dy = -1; dy <= 1; dy++)
      for (let dz = -1; dz <= 1; dz++) yield* cubes.get(`${x + dx},${y + dy},${z + dz}`) ?? [];
}

function chord(a: Vector, b: Vector): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function middle(vectors: readonly Vector[]): Position {
  const sum: Vector = [0, 0, 0];
  for (const each of vectors) each.forEach((value, axis) => (sum[axis]! += value));
  return position(sum);
}

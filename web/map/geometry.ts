/**
 * Boxes and outlines on the globe: pure.
 *
 * A position is [longitude, latitude]. A box is [west, south, east, north]; west > east means that it crosses 180°.
 * d3-geo reads polygons as lying on a sphere: outer rings run clockwise, and nothing is cut at 180°.
 */

export type Position = [number, number];
export type Box = [number, number, number, number];
export type Geometry =
  | { type: "Point"; coordinates: Position }
  | { type: "MultiPoint" | "LineString"; coordinates: Position[] }
  | { type: "MultiLineString" | "Polygon"; coordinates: Position[][] }
  | { type: "MultiPolygon"; coordinates: Position[][][] };

const EARTH_M = 6_371_000;
const RADIANS = Math.PI / 180;

/** The degrees from west to east, more than 0 and at most 360. */
export function width([west, , east]: Box): number {
  const turned = (((east - west) % 360) + 360) % 360;
  return turned === 0 && east !== west ? 360 : turned;
}

/** A longitude from -180 to 180. */
export function wrapped(lon: number): number {
  return lon >= -180 && lon <= 180 ? lon : ((((lon + 180) % 360) + 360) % 360) - 180;
}

/** The box in pieces that never cross 180°. */
export function pieces(box: Box): Box[] {
  const [west, south, east, north] = box;
  return west <= east ? [box] : [[west, south, 180, north], [-180, south, east, north]];
}

/** The box as a polygon on the globe, its parallels as lines of one latitude, and the lines that bound it. */
export function boxShape(box: Box): { fill: Position[][]; edges: Position[][] } {
  const [west, south, east, north] = box;
  const steps = Math.max(2, Math.ceil(width(box)));
  const along = (lat: number): Position[] =>
    Array.from({ length: steps + 1 }, (_, step) => [wrapped(west + (width(box) * step) / steps), lat]);
  if (width(box) < 360) {
    const [top, bottom] = [along(north), along(south).reverse()];
    const ring: Position[] = [...top, ...meridian(east, north, south), ...bottom, ...meridian(west, south, north)];
    return { fill: [[...ring, ring[0]!]], edges: [[...ring, ring[0]!]] };
  }
  // A box around the whole globe has a parallel as its edge, or two, and no meridian.
  const rings: Position[][] = [];
  if (north < 90) rings.push(along(north));
  if (south > -90) rings.push(along(south).reverse());
  return { fill: rings, edges: rings };
}

/** Positions between two latitudes: long edges otherwise count as few positions when a map is framed. */
function meridian(lon: number, from: number, to: number): Position[] {
  const steps = Math.max(1, Math.ceil(Math.abs(to - from) / 5));
  return Array.from({ length: steps - 1 }, (_, step) => [lon, from + ((to - from) * (step + 1)) / steps]);
}

/** The polygons of an outline as d3-geo wants them, and its lines without those along 180° and the poles. */
export function outlineShape(geometry: Geometry): { fill: Position[][][]; edges: Position[][] } {
  const polygons = polygonsOf(geometry);
  return {
    fill: polygons.map((rings) => rings.map((ring, number) => wound(ring, number === 0))),
    edges: [...polygons.flat(), ...linesOf(geometry)].flatMap(uncut),
  };
}

export function polygonsOf(geometry: Geometry): Position[][][] {
  if (geometry.type === "Polygon") return [geometry.coordinates];
  return geometry.type === "MultiPolygon" ? geometry.coordinates : [];
}

function linesOf(geometry: Geometry): Position[][] {
  if (geometry.type === "LineString") return [geometry.coordinates];
  return geometry.type === "MultiLineString" ? geometry.coordinates : [];
}

/** The ring in the given direction on the plane. */
function wound(ring: Position[], clockwise: boolean): Position[] {
  let doubled = 0;
  for (let at = 1; at < ring.length; at++) {
    const [[x0, y0], [x1, y1]] = [ring[at - 1]!, ring[at]!];
    doubled += (x1 - x0) * (y1 + y0);
  }
  return doubled > 0 === clockwise ? ring : [...ring].reverse();
}

/** A line in pieces, without its ways along 180° and along a pole, which are cuts of the plane. */
function uncut(line: Position[]): Position[][] {
  const found: Position[][] = [];
  let piece: Position[] = [];
  for (let at = 0; at < line.length; at++) {
    const [before, here] = [line[at - 1], line[at]!];
    if (before && isCut(before, here)) {
      if (piece.length > 1) found.push(piece);
      piece = [];
    }
    piece.push(here);
  }
  if (piece.length > 1) found.push(piece);
  return found;
}

function isCut(a: Position, b: Position): boolean {
  const atEdge = Math.abs(a[0]) > 179.9999 && a[0] === b[0];
  return atEdge || (Math.abs(a[1]) > 89.99 && Math.abs(b[1]) > 89.99);
}

/** All positions of a geometry. */
export function positionsOf(geometry: Geometry): Position[] {
  switch (geometry.type) {
    case "Point":
      return [geometry.coordinates];
    case "MultiPoint":
    case "LineString":
      return geometry.coordinates;
    case "Polygon":
    case "MultiLineString":
      return geometry.coordinates.flat();
    case "MultiPolygon":
      return geometry.coordinates.flat(2);
  }
}

/** Metres along the great circle. */
export function distance(a: Position, b: Position): number {
  const [dLat, dLon] = [(b[1] - a[1]) * RADIANS, (b[0] - a[0]) * RADIANS];
  const half = Math.sin(dLat / 2) ** 2 + Math.cos(a[1] * RADIANS) * Math.cos(b[1] * RADIANS) * Math.sin(dLon / 2) ** 2;
  return 2 * EARTH_M * Math.asin(Math.min(1, Math.sqrt(half)));
}

export type Vector = [number, number, number];

/** A position as a point of the unit sphere. */
export function vector([lon, lat]: Position): Vector {
  const ring = Math.cos(lat * RADIANS);
  return [ring * Math.cos(lon * RADIANS), ring * Math.sin(lon * RADIANS), Math.sin(lat * RADIANS)];
}

/** The position below a vector of any length but 0. */
export function position([x, y, z]: Vector): Position {
  const ring = Math.hypot(x, y);
  const lon = ring < 1e-9 * Math.abs(z) ? 0 : Math.atan2(y, x) / RADIANS;
  return [lon, Math.atan2(z, ring) / RADIANS];
}

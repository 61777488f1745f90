/**
 * Where a map looks, and what fits into it: pure.
 *
 * A camera has a centre and a scale in pixels a radian. A map of a part of the globe is Lambert's azimuthal equal-area
 * projection around its centre, which has no cut at 180° and no trouble at the poles; a map of more is Equal Earth.
 */
import { type GeoProjection, geoAzimuthalEqualArea, geoEqualEarth } from "d3-geo";
import { type Position, type Vector, position, vector, wrapped } from "./geometry";

export interface Camera {
  lon: number;
  lat: number;
  scale: number;
  /** Degrees by which the map is turned; 0 with north above the centre. Near the poles a drag turns it. */
  roll?: number;
}

export interface Size {
  width: number;
  height: number;
}

const EARTH_M = 6_371_000;
/** Half the diagonal of the largest azimuthal map, in radii of the globe: 75° from its centre. */
const LARGEST_RADIUS = 2 * Math.sin((75 / 2) * (Math.PI / 180));
/** The least that is shown around several positions. */
const LEAST_M = 300;
const LARGEST_SCALE = EARTH_M / 0.5;
const WORLD = { width: 5.42, height: 2.66 };

export function smallestScale({ width, height }: Size): number {
  return 0.9 * Math.min(width / WORLD.width, height / WORLD.height);
}

/** The camera within its bounds. */
export function bounded({ lon, lat, scale, roll = 0 }: Camera, size: Size): Camera {
  const least = smallestScale(size);
  // From 70° to 50° a turned map comes back to north above.
  const upright = Math.max(0, Math.min(1, (Math.abs(lat) - 50) / 20));
  return {
    lon: wrapped(lon),
    lat: Math.max(-90, Math.min(90, lat)),
    scale: Math.max(least, Math.min(LARGEST_SCALE, scale)),
    roll: isWorld(Math.max(least, scale), size) ? 0 : roll * upright,
  };
}

export function isWorld(scale: number, { width, height }: Size): boolean {
  return Math.hypot(width, height) / 2 / scale > LARGEST_RADIUS;
}

/** Metres a pixel at the centre. */
export function metresPerPixel({ scale }: Camera): number {
  return EARTH_M / scale;
}

/** The angle from the centre to the farthest corner, in degrees; 180 for a map of the world. */
export function reach({ scale }: Camera, size: Size): number {
  if (isWorld(scale, size)) return 180;
  return (2 * Math.asin(Math.hypot(size.width, size.height) / 4 / scale) * 180) / Math.PI;
}

export function projectionOf(camera: Camera, size: Size): GeoProjection {
  const { lon, lat, scale, roll = 0 } = camera;
  const { width, height } = size;
  const projection = isWorld(scale, size)
    ? geoEqualEarth().rotate([-lon, 0]).scale(scale)
    : geoAzimuthalEqualArea()
        .rotate([-lon, -lat, roll])
        .scale(scale)
        .clipAngle(Math.min(179, reach(camera, size) * 1.1));
  projection.translate([0, 0]);
  const [, y] = projection([lon, lat])!;
  return projection
    .translate([width / 2, height / 2 - y])
    .precision(0.4)
    .clipExtent([[-40, -40], [width + 40, height + 40]]);
}

/** The camera after what is at one pixel has been moved to another. */
export function moved(camera: Camera, size: Size, from: [number, number], to: [number, number]): Camera {
  const centre: [number, number] = [size.width / 2 - to[0] + from[0], size.height / 2 - to[1] + from[1]];
  const before = projectionOf(camera, size);
  const found = inverse(before, centre);
  if (!found) return camera;
  const next = { ...camera, lon: found[0], lat: found[1], roll: 0 };
  const right = inverse(before, [size.width / 2 + 40, size.height / 2]);
  const roll = right && leaning(projectionOf(next, size), [camera.lon, camera.lat], right);
  return bounded({ ...next, roll: roll ?? 0 }, size);
}

/** The degrees by which a map must be turned so that one position lies level with another, to its right. */
function leaning(projection: GeoProjection, left: Position, right: Position): number {
  const [[x0, y0], [x1, y1]] = [projection(left)!, projection(right)!];
  return (-Math.atan2(y1 - y0, x1 - x0) * 180) / Math.PI;
}

/** The camera at another scale; what is at the pixel stays there, if it can. */
export function zoomed(camera: Camera, size: Size, factor: number, at: [number, number]): Camera {
  const fixed = inverse(projectionOf(camera, size), at);
  let next = bounded({ ...camera, scale: camera.scale * factor }, size);
  for (let turn = 0; fixed && turn < 2; turn++) {
    const now = projectionOf(next, size)(fixed);
    if (now) next = moved(next, size, now, at);
  }
  return next;
}

/** The position at a pixel; undefined off the globe. */
export function inverse(projection: GeoProjection, pixel: [number, number]): Position | undefined {
  const found = projection.invert?.(pixel);
  if (!found || !found.every(Number.isFinite)) return undefined;
  const back = projection(found);
  const isOn = back && Math.hypot(back[0] - pixel[0], back[1] - pixel[1]) < 1;
  return isOn ? [wrapped(found[0]), found[1]] : undefined;
}

/** The camera that shows all positions. One position alone is shown with `alone_m` around it. */
export function framed(positions: readonly Position[], size: Size, padding = 48, alone_m = 100_000): Camera {
  if (positions.length === 0) return wholeWorld(size);
  const room = { width: Math.max(80, size.width - 2 * padding), height: Math.max(80, size.height - 2 * padding) };
  const regional = fitted(positions, centreOf(positions), room, positions.length > 1 ? LEAST_M : alone_m);
  if (regional && !isWorld(regional.scale, size)) return bounded(regional, size);
  return bounded(worldwide(positions, room), size);
}

export function wholeWorld(size: Size): Camera {
  return bounded({ lon: 10, lat: 8, scale: 0 }, size);
}

function centreOf(positions: readonly Position[]): Position | undefined {
  const sum: Vector = [0, 0, 0];
  for (const each of positions) vector(each).forEach((value, axis) => (sum[axis]! += value));
  const isSpread = Math.hypot(...sum) < 0.1 * positions.length;
  return isSpread ? undefined : position(sum);
}

/** Moves the centre to the middle of what is shown, until it stays. */
function fitted(positions: readonly Position[], from: Position | undefined, room: Size, least_m: number) {
  let centre = from;
  let scale = 0;
  for (let turn = 0; centre && turn < 5; turn++) {
    const plane = geoAzimuthalEqualArea().rotate([-centre[0], -centre[1]]).scale(1).translate([0, 0]).clipAngle(null);
    const { x, y } = extent(positions.map((each) => plane(each)!));
    const least = (2 * least_m) / EARTH_M;
    scale = Math.min(room.width / Math.max(x[1] - x[0], least), room.height / Math.max(y[1] - y[0], least));
    centre = (plane.invert!([(x[0] + x[1]) / 2, (y[0] + y[1]) / 2]) as Position | null) ?? undefined;
    if (centre && Math.abs(centre[1]) > 89.9) centre = [0, centre[1]];
  }
  return centre && { lon: centre[0], lat: centre[1], scale };
}

/** Equal Earth, cut where the longitudes have their widest gap. */
function worldwide(positions: readonly Position[], room: Size): Camera {
  const lon = middleOf(positions.map(([each]) => each));
  const plane = geoEqualEarth().rotate([-lon, 0]).scale(1).translate([0, 0]);
  const { x, y } = extent(positions.map((each) => plane(each)!));
  const scale = Math.min(room.width / Math.max(x[1] - x[0], 0.5), room.height / Math.max(y[1] - y[0], 0.5));
  // What is nearly everywhere is shown on the whole world, and not up to its last place.
  if (x[1] - x[0] > 0.55 * WORLD.width) return { lon, lat: 4, scale: 0 };
  const [, lat] = plane.invert!([0, (y[0] + y[1]) / 2])!;
  return { lon: wrapped(lon + ((x[0] + x[1]) / 2 / WORLD.width) * 360), lat, scale };
}

/** The middle of the longitudes: opposite the middle of their widest gap; 10° if they are everywhere. */
export function middleOf(longitudes: readonly number[]): number {
  const sorted = [...longitudes].sort((a, b) => a - b);
  let widest = 0;
  let middle = 10;
  sorted.forEach((lon, number) => {
    const next = number + 1 < sorted.length ? sorted[number + 1]! : sorted[0]! + 360;
    if (next - lon > widest) [widest, middle] = [next - lon, (lon + next) / 2 - 180];
  });
  return widest < 20 ? 10 : wrapped(middle);
}

function extent(points: readonly [number, number][]): { x: [number, number]; y: [number, number] } {
  const found: { x: [number, number]; y: [number, number] } = { x: [Infinity, -Infinity], y: [Infinity, -Infinity] };
  for (const [x, y] of points) {
    found.x = [Math.min(found.x[0], x), Math.max(found.x[1], x)];
    found.y = [Math.min(found.y[0], y), Math.max(found.y[1], y)];
  }
  return found;
}

/** Meridians and parallels about 120 pixels apart, with degrees at the map's edges. */
import type { GeoProjection } from "d3-geo";
import { type Camera, type Size, inverse, isWorld } from "./camera";
import { type Position, wrapped } from "./geometry";
import type { Palette } from "./palette";
import { degrees } from "./words";

const STEPS = [30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];
const SPACING = 120;

export interface Tick {
  text: string;
  at: [number, number];
  side: "bottom" | "left";
}

export function graticule(
  context: CanvasRenderingContext2D, projection: GeoProjection, camera: Camera, size: Size, palette: Palette,
): void {
  context.strokeStyle = palette.graticule;
  context.lineWidth = 0.7;
  context.beginPath();
  for (const { line } of lines(projection, camera, size)) {
    let isOpen = false;
    let before: [number, number] | undefined;
    for (const each of line) {
      const pixel = projection(each);
      // A line that jumps across the map has crossed the cut of a map of the world.
      const jumps = pixel && before && Math.hypot(pixel[0] - before[0], pixel[1] - before[1]) > size.width / 2;
      if (pixel && isOpen && !jumps) context.lineTo(...pixel);
      else if (pixel) context.moveTo(...pixel);
      isOpen = pixel !== null;
      before = pixel ?? undefined;
    }
  }
  context.stroke();
}

/** Where lines leave the map at the bottom and at the left. None for a map of the world, whose lines are few and known. */
export function ticks(projection: GeoProjection, camera: Camera, size: Size): Tick[] {
  if (isWorld(camera.scale, size)) return [];
  const digits = Math.max(0, Math.ceil(-Math.log10(stepOf(camera)) - 1e-9));
  return lines(projection, camera, size).flatMap(({ line, lon, lat }): Tick[] => {
    const side = lon === undefined ? "left" : "bottom";
    const at = crossing(line.map((each) => projection(each)), side, size);
    const text = lon === undefined ? degrees(lat!, digits, "N", "S") : degrees(wrapped(lon), digits, "E", "W");
    return at ? [{ text, at, side }] : [];
  });
}

function crossing(pixels: ([number, number] | null)[], side: "bottom" | "left", size: Size): [number, number] | undefined {
  const [axis, edge] = side === "bottom" ? [1, size.height] : [0, 0];
  for (let number = 1; number < pixels.length; number++) {
    const [a, b] = [pixels[number - 1], pixels[number]];
    if (!a || !b || a[axis]! === b[axis]! || (a[axis]! - edge) * (b[axis]! - edge) > 0) continue;
    const part = (edge - a[axis]!) / (b[axis]! - a[axis]!);
    const at: [number, number] = [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])];
    if (at[0] >= 0 && at[0] <= size.width && at[1] >= 0 && at[1] <= size.height) return at;
  }
  return undefined;
}

function stepOf({ scale }: Camera): number {
  const wanted = (SPACING / scale) * (180 / Math.PI);
  return [...STEPS].reverse().find((step) => step >= wanted) ?? 30;
}

interface Line {
  line: Position[];
  lon?: number;
  lat?: number;
}

function lines(projection: GeoProjection, camera: Camera, size: Size): Line[] {
  const step = stepOf(camera);
  const view = extent(projection, camera, size);
  // Meridians come close together near the poles: fewer of them.
  const cosine = Math.cos((Math.min(88, Math.abs(camera.lat)) * Math.PI) / 180);
  const apart = [...STEPS].reverse().find((each) => each >= step / Math.max(cosine, 0.05)) ?? 30;
  const found: Line[] = [];
  for (const lat of multiples(Math.max(view.south, -90 + step / 2), Math.min(view.north, 90 - step / 2), step))
    found.push({ lat, line: between(view.west, view.east).map((lon) => [wrapped(lon), lat]) });
  for (const lon of multiples(view.west, view.east - (view.east - view.west >= 360 ? apart / 2 : 0), apart))
    found.push({ lon, line: between(Math.max(view.south, -88), Math.min(view.north, 88)).map((lat) => [wrapped(lon), lat]) });
  return found;
}

function multiples(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step - 1e-9);
  const count = Math.max(0, Math.min(200, Math.floor(to / step + 1e-9) - first + 1));
  return Array.from({ length: count }, (_, number) => (first + number) * step);
}

function between(from: number, to: number): number[] {
  return Array.from({ length: 73 }, (_, number) => from + ((to - from) * number) / 72);
}

/** The longitudes and latitudes in view; west and east may be beyond 180. All longitudes if a pole is in view. */
function extent(projection: GeoProjection, camera: Camera, size: Size) {
  const edge: Position[] = [];
  for (let part = 0; part <= 1; part += 0.125)
    for (const pixel of [[part, 0], [part, 1], [0, part], [1, part]] as const) {
      const found = inverse(projection, [pixel[0] * size.width, pixel[1] * size.height]);
      if (found) edge.push(found);
    }
  const hasPole = [90, -90].map((lat) => {
    const pixel = projection([0, lat]);
    return pixel && pixel[0] >= 0 && pixel[0] <= size.width && pixel[1] >= 0 && pixel[1] <= size.height;
  });
  const all = isWorld(camera.scale, size);
  const latitudes = edge.map(([, lat]) => lat);
  const around = edge.map(([lon]) => wrapped(lon - camera.lon));
  const whole = all || hasPole.includes(true) || edge.length === 0;
  return {
    west: whole ? camera.lon - 180 : camera.lon + Math.min(...around),
    east: whole ? camera.lon + 180 : camera.lon + Math.max(...around),
    south: all || hasPole[1] ? -90 : Math.min(camera.lat, ...latitudes),
    north: all || hasPole[0] ? 90 : Math.max(camera.lat, ...latitudes),
  };
}

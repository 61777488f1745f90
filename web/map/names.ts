/** Names of the base map: oceans, seas, countries and towns, as many as there is room for at a scale. */
import type { GeoProjection } from "d3-geo";
import { type Camera, type Size, inverse } from "./camera";
import type { Position } from "./geometry";
import { type Label, type Room, around, placed } from "./labels";
import type { Palette } from "./palette";
import { SANS, SERIF } from "./type";
import packed from "./world.json";

type Kind = "ocean" | "sea" | "country" | "city";

/** The scales between which names of a kind are shown, and how many at the first of them. */
const SHOWN: Record<Kind, { from: number; to: number; first: number }> = {
  ocean: { from: 90, to: 1_500, first: Infinity },
  country: { from: 170, to: 12_000, first: 14 },
  sea: { from: 420, to: 20_000, first: 12 },
  city: { from: 380, to: Infinity, first: 24 },
};

const OCEAN_PARTS_FROM = 300;
const FEW = /^(Arctic|Indian|Southern) /;

export interface Names {
  labels: Label[];
  /** The pixels of the towns. */
  towns: [number, number][];
}

/** Names in `taken` stand on the map already, as those of the data. */
export function names(
  context: CanvasRenderingContext2D, room: Room, projection: GeoProjection, camera: Camera, size: Size, palette: Palette,
  taken: ReadonlySet<string>,
): Names {
  const found: Names = { labels: [], towns: [] };
  for (const kind of Object.keys(SHOWN) as Kind[]) {
    for (const [name, lon, lat] of shown(kind, camera.scale)) {
      const at = taken.has(name) ? undefined : pixelOf([lon, lat], projection, size);
      if (!at) continue;
      const isTown = kind === "city";
      const isOn = (x: number): boolean => inverse(projection, [at[0] + x, at[1]]) !== undefined;
      const middles = isTown ? around(at, 4) : (width: number) => (isOn(width / 2) && isOn(-width / 2) ? [at] : []);
      const label = placed(context, room, styled(kind, name, palette, camera.scale), middles);
      if (!label) continue;
      found.labels.push(label);
      if (!isTown) continue;
      found.towns.push(at);
      room.reserve({ x: at[0] - 3, y: at[1] - 3, width: 6, height: 6 });
    }
  }
  return found;
}

function shown(kind: Kind, scale: number): [string, number, number][] {
  const { from, to, first } = SHOWN[kind];
  if (scale < from || scale > to) return [];
  const all = packed.labels[kind] as [string, number, number][];
  // A small map has room for whole oceans, a larger one for their parts.
  if (kind === "ocean") return all.filter(([name]) => /^(North|South) /.test(name) === scale > OCEAN_PARTS_FROM || FEW.test(name));
  return all.slice(0, first * (scale / from) ** 1.5);
}

function pixelOf(position: Position, projection: GeoProjection, { width, height }: Size): [number, number] | undefined {
  const found = projection(position);
  if (!found || found[0] < 0 || found[1] < 0 || found[0] > width || found[1] > height) return undefined;
  return inverse(projection, found) && found;
}

function styled(kind: Kind, name: string, palette: Palette, scale: number): Omit<Label, "at"> {
  switch (kind) {
    case "ocean":
      return { text: name, font: `italic ${scale < OCEAN_PARTS_FROM ? 13 : 16}px ${SERIF}`, spacing: scale < OCEAN_PARTS_FROM ? 1.2 : 2.5, colour: palette["sea-ink"], halo: palette["sea-halo"] };
    case "sea":
      return { text: name, font: `italic 13px ${SERIF}`, spacing: 1, colour: palette["sea-ink"], halo: palette["sea-halo"] };
    case "country":
      return { text: name.toUpperCase(), font: `500 11px ${SANS}`, spacing: 1.6, colour: palette["land-ink"], halo: palette.halo };
    case "city":
      return { text: name, font: `12px ${SERIF}`, colour: palette["town-ink"], halo: palette.halo };
  }
}

export function drawTowns(context: CanvasRenderingContext2D, towns: [number, number][], palette: Palette): void {
  context.fillStyle = palette.land;
  context.strokeStyle = palette["town-ink"];
  context.lineWidth = 1;
  for (const [x, y] of towns) {
    context.beginPath();
    context.arc(x, y, 2.2, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
  }
}

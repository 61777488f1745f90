/** The data on the map: areas, legs, marks and clusters, where they are in the picture, and what is under a pixel. */
import { type GeoProjection, geoCircle, geoContains, geoInterpolate, geoPath } from "d3-geo";
import { clipped } from "../shared/elements";
import type { Camera, Size } from "./camera";
import { type Cluster, clustered } from "./clusters";
import { type Position, boxShape, distance, outlineShape } from "./geometry";
import { type Label, type Room, around, placed } from "./labels";
import { clusterSize, drawCluster, drawMark, sizeOf } from "./marks";
import type { Palette } from "./palette";
import type { Item, Leg, Scene } from "./scene";
import { SANS } from "./type";
import { length, roundLength } from "./words";

type Pixel = [number, number];

/** The most marks that are drawn one by one. */
export const MOST_MARKS = 2_000;
/** How far apart clusters are, in pixels. */
const CLUSTER = 44;
const METRES_PER_DEGREE = 111_195;
const MOST_LABELS = 80;
/** The most boxes of marks that are drawn, if the map has room for them: with more, only the chosen one's. */
const MOST_BOXES = 60;
/** Boxes and outlines that are smaller, in pixels, are hidden by their mark. */
const LEAST_AREA = 14;

interface Area {
  item: Item;
  fill: Position[][][];
  edges: Position[][];
  isBox: boolean;
}

/** A circle of a round radius around the point that was asked. */
interface Ring {
  centre: Position;
  radius_m: number;
}

/** A mark or a cluster in the picture. */
export interface Drawn {
  items: Item[];
  at: Pixel;
}

export class Overlay {
  private readonly areas: Area[];
  private readonly points: Item[];
  private readonly rings: Ring[];
  private readonly clusters = new Map<number, Cluster[]>();
  chosen: number | undefined;
  drawn: Drawn[] = [];
  labels: Label[] = [];

  constructor(private readonly scene: Scene) {
    this.areas = scene.items.flatMap(areaOf);
    this.rings = ringsOf(scene);
    this.points = scene.items.filter(({ point }) => point !== undefined);
  }

  /** Finds the places of marks and labels in the picture; labels take room. */
  layOut(context: CanvasRenderingContext2D, room: Room, projection: GeoProjection, camera: Camera, size: Size, palette: Palette): void {
    this.drawn = this.marksIn(projection, camera, size);
    for (const { items, at } of this.drawn) {
      const reach = items.length > 1 ? clusterSize(items.length) + 3 : sizeOf(items[0]!);
      room.reserve({ x: at[0] - reach, y: at[1] - reach, width: 2 * reach, height: 2 * reach });
    }
    const legs = this.scene.legs.map((leg) => legLabel(context, room, projection, leg, palette));
    const areas = this.areas.map((area) => areaLabel(context, room, projection, area, size, palette));
    const rings = this.rings.map((ring) => ringLabel(context, room, projection, ring, palette));
    this.reserveLines(room, projection, size);
    this.labels = [...areas, ...this.markLabels(context, room, palette), ...rings, ...legs].filter((label) => label !== undefined);
  }

  /** Labels keep off legs and edges. */
  private reserveLines(room: Room, projection: GeoProjection, size: Size): void {
    const legs = this.scene.legs.map(({ from, to }) => steps(from, to, 120));
    const edges = this.areas.length > 8 ? [] : this.areas.flatMap((area) => area.edges);
    for (const line of [...legs, ...edges.map(dense)]) {
      let last: Pixel = [-99, -99];
      for (const each of line) {
        const [x, y] = projection(each)!;
        if (x < 0 || y < 0 || x > size.width || y > size.height || Math.hypot(x - last[0], y - last[1]) < 6) continue;
        last = [x, y];
        room.reserve({ x: x - 2, y: y - 2, width: 4, height: 4 });
      }
    }
  }

  draw(context: CanvasRenderingContext2D, projection: GeoProjection, palette: Palette): void {
    const { chosen } = this;
    const path = geoPath(projection, context);
    for (const ring of this.rings) drawRing(context, path, ring, palette);
    const isFull = this.areas.length > MOST_BOXES;
    for (const area of this.areas) {
      const isChosen = area.item.key === chosen;
      if (isChosen || (!isFull && isLarge(path, area))) drawArea(context, path, area, palette, isChosen);
    }
    for (const leg of this.scene.legs) drawLeg(context, path, leg, palette, chosen !== undefined && leg.end === chosen);
    const order = [...this.drawn].sort((a, b) => Number(isOf(a, chosen)) - Number(isOf(b, chosen)) || b.at[1] - a.at[1]);
    for (const { items, at } of order) {
      if (items.length > 1) drawCluster(context, items.length, at, palette);
      else drawMark(context, items[0]!, at, palette, items[0]!.key === chosen);
    }
  }

  /** The mark or cluster nearest to a pixel, or else the smallest area there. */
  under(pixel: Pixel, at: Position | undefined, tolerance: number): Drawn | undefined {
    const near = (each: Drawn): number => {
      const reach = each.items.length > 1 ? clusterSize(each.items.length) : sizeOf(each.items[0]!);
      return Math.hypot(each.at[0] - pixel[0], each.at[1] - pixel[1]) - reach;
    };
    const [first] = this.drawn.filter((each) => near(each) <= tolerance).sort((a, b) => near(a) - near(b));
    if (first || !at) return first;
    const area = [...this.areas].reverse().find(({ fill }) => geoContains({ type: "MultiPolygon", coordinates: fill }, at));
    return area && { items: [area.item], at: pixel };
  }

  private marksIn(projection: GeoProjection, camera: Camera, size: Size): Drawn[] {
    const isIn = ([x, y]: Pixel): boolean => x > -20 && y > -20 && x < size.width + 20 && y < size.height + 20;
    const pixels = this.points.map((item) => projection(item.point!)!);
    const single = this.points.flatMap((item, number): Drawn[] =>
      isIn(pixels[number]!) ? [{ items: [item], at: pixels[number]! }] : [],
    );
    if (single.length <= MOST_MARKS) return single;
    return this.clustersAt(camera.scale).flatMap(({ members, at }): Drawn[] => {
      const pixel = projection(at)!;
      return isIn(pixel) ? [{ items: members.map((each) => this.points[each]!), at: pixel }] : [];
    });
  }

  /** Clusters for the nearest half step of the scale, so that they stay while the map moves. */
  private clustersAt(scale: number): Cluster[] {
    const step = Math.round(2 * Math.log2(scale));
    const known = this.clusters.get(step);
    if (known) return known;
    const made = clustered(this.points.map(({ point }) => point!), CLUSTER / 2 ** (step / 2));
    this.clusters.set(step, made);
    return made;
  }

  private markLabels(context: CanvasRenderingContext2D, room: Room, palette: Palette): (Label | undefined)[] {
    const single = this.drawn.filter(({ items }) => items.length === 1 && items[0]!.mark !== "asked");
    if (single.length > MOST_LABELS && this.scene.kind !== "nearby") return [];
    return single.map(({ items: [item], at }) => {
      const style = { text: clipped(item!.name, 32), font: `600 12.5px ${SANS}`, colour: palette.ink, halo: palette.halo };
      return placed(context, room, style, around(at, sizeOf(item!) + (item!.key === this.chosen ? 8 : 4)));
    });
  }
}

/** Positions along a great circle. */
function steps(from: Position, to: Position, count: number): Position[] {
  const along = geoInterpolate(from, to);
  return Array.from({ length: count + 1 }, (_, number) => along(number / count));
}

/** A line with positions between its own, if it has few. */
function dense(line: Position[]): Position[] {
  if (line.length > 200) return line;
  return line.slice(1).flatMap((each, number) => steps(line[number]!, each, Math.ceil(400 / line.length)));
}

function isLarge(path: ReturnType<typeof geoPath>, { item, edges }: Area): boolean {
  if (!item.point) return true;
  const [[left, top], [right, bottom]] = path.bounds({ type: "MultiLineString", coordinates: edges });
  return right - left > LEAST_AREA || bottom - top > LEAST_AREA;
}

function isOf({ items }: Drawn, key: number | undefined): boolean {
  return items.length === 1 && items[0]!.key === key;
}

function areaOf(item: Item): Area[] {
  if (item.geometry && item.geometry.type !== "Point" && item.geometry.type !== "MultiPoint") {
    const outline = { item, ...outlineShape(item.geometry), isBox: false };
    return item.isBox ? [...boxOf(item), outline] : [outline];
  }
  return boxOf(item);
}

function boxOf(item: Item): Area[] {
  if (!item.box) return [];
  const { fill, edges } = boxShape(item.box);
  return fill.length > 0 ? [{ item, fill: [fill], edges, isBox: true }] : [];
}

/** Two rings within the farthest place, of which the outer is at least half as far. */
function ringsOf({ kind, items }: Scene): Ring[] {
  const centre = items.find(({ mark }) => mark === "asked")?.point;
  if (kind !== "nearby" || !centre) return [];
  const farthest = Math.max(0, ...items.map(({ point }) => (point ? distance(centre, point) : 0)));
  if (farthest < 1) return [];
  const outer = roundLength(farthest);
  return [outer / 2, outer].map((radius_m) => ({ centre, radius_m }));
}

function drawRing(context: CanvasRenderingContext2D, path: ReturnType<typeof geoPath>, { centre, radius_m }: Ring, palette: Palette): void {
  const [ring] = geoCircle().center(centre).radius(radius_m / METRES_PER_DEGREE)().coordinates;
  context.beginPath();
  path({ type: "LineString", coordinates: ring! });
  context.setLineDash([2, 4]);
  context.strokeStyle = palette.border;
  context.lineWidth = 1.2;
  context.stroke();
  context.setLineDash([]);
}

function ringLabel(
  context: CanvasRenderingContext2D, room: Room, projection: GeoProjection, { centre: [lon, lat], radius_m }: Ring, palette: Palette,
): Label | undefined {
  const north = lat + radius_m / METRES_PER_DEGREE;
  const south = lat - radius_m / METRES_PER_DEGREE;
  const ends = [north, south].filter((each) => Math.abs(each) < 90).map((each) => projection([lon, each])!);
  const style = { text: length(radius_m), font: `11px ${SANS}`, colour: palette["land-ink"], halo: palette.halo };
  return placed(context, room, style, () => ends);
}

function areaColour(item: Item, palette: Palette): string {
  return item.depth === undefined ? palette.mark : palette[`level-${Math.min(3, item.depth)}` as keyof Palette];
}

function drawArea(
  context: CanvasRenderingContext2D, path: ReturnType<typeof geoPath>, { item, fill, edges, isBox }: Area, palette: Palette, isChosen: boolean,
): void {
  const colour = areaColour(item, palette);
  context.beginPath();
  path({ type: "MultiPolygon", coordinates: fill });
  context.globalAlpha = isChosen ? 0.12 : 0.07;
  context.fillStyle = colour;
  context.fill();
  context.globalAlpha = 1;
  context.beginPath();
  path({ type: "MultiLineString", coordinates: edges });
  context.setLineDash(isBox && item.isEstimated ? [6, 4] : []);
  context.strokeStyle = palette.halo;
  context.lineWidth = isBox && isChosen ? 5 : 3.5;
  context.globalAlpha = 0.6;
  context.stroke();
  context.globalAlpha = 1;
  context.strokeStyle = colour;
  context.lineWidth = isChosen ? (isBox ? 3 : 2.2) : isBox ? 1.8 : 1.4;
  context.stroke();
  context.setLineDash([]);
}

function drawLeg(
  context: CanvasRenderingContext2D, path: ReturnType<typeof geoPath>, { from, to }: Leg, palette: Palette, isChosen: boolean,
): void {
  for (const [colour, width] of [[palette.halo, 5], [palette.route, isChosen ? 3.5 : 2.2]] as const) {
    context.beginPath();
    path({ type: "LineString", coordinates: [from, to] });
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.stroke();
  }
}

function legLabel(context: CanvasRenderingContext2D, room: Room, projection: GeoProjection, leg: Leg, palette: Palette): Label | undefined {
  if (distance(leg.from, leg.to) < 1) return undefined;
  const along = geoInterpolate(leg.from, leg.to);
  const middles = [0.5, 0.42, 0.58, 0.34, 0.66].map((part) => projection(along(part))!);
  const style = { text: length(leg.distance_m), font: `600 12px ${SANS}`, colour: palette.route, halo: palette.panel, pill: palette.route };
  return placed(context, room, style, () => middles);
}

/** The name of an area above its upper edge, or inside below it. A small box of a marked place needs none. */
function areaLabel(
  context: CanvasRenderingContext2D, room: Room, projection: GeoProjection, { item, edges, isBox }: Area, size: Size, palette: Palette,
): Label | undefined {
  if (isBox ? item.point : item.isBox) return undefined;
  const longest = edges.reduce((most, line) => (line.length > most.length ? line : most), []);
  const [[left, top], [right, bottom]] = geoPath(projection).bounds({ type: "LineString", coordinates: longest });
  if (!(right - left >= 8) || right - left > 3 * size.width) return undefined;
  const middle = Math.max(70, Math.min(size.width - 70, (left + right) / 2));
  const style = {
    text: clipped(item.name, 40), font: `600 13px ${SANS}`, colour: areaColour(item, palette), halo: palette.halo,
  };
  return placed(context, room, style, () => [
    [middle, top - 11], [middle, top + 13], [middle, bottom + 12], [middle, bottom - 13], [middle, (top + bottom) / 2],
  ]);
}

/** Positions that a map of the items must show. */
export function positionsOfScene(items: readonly Item[], legs: readonly Leg[]): Position[] {
  const found: Position[] = [];
  for (const item of items) {
    if (item.point) found.push(item.point);
    for (const { edges } of areaOf(item)) for (const line of edges) for (const each of line) found.push(each);
  }
  for (const { from, to } of legs) {
    const along = geoInterpolate(from, to);
    for (let part = 0.1; part < 1; part += 0.1) found.push(along(part));
  }
  return found;
}

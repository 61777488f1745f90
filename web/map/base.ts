/** The map below the data: land, lakes, rivers, borders, graticule, names. */
import { type GeoProjection, geoArea, geoPath } from "d3-geo";
import { merge, mesh, feature } from "topojson-client";
import { type PackedTopology, unpacked } from "./arcs";
import { type Camera, type Size, isWorld, reach } from "./camera";
import { type Position, type Vector, position, vector } from "./geometry";
import { graticule } from "./graticule";
import type { Palette } from "./palette";
import packed from "./world.json";

/** A polygon or a line with the cap of the globe that holds it. */
interface Piece {
  shape: Position[] | Position[][];
  centre: Vector;
  /** The angle from the centre, in radians. */
  radius: number;
}

interface Layers {
  land: Piece[];
  coast: Piece[];
  borders: Piece[];
  lakes: Piece[];
  rivers: Piece[];
}

const LEVELS = {} as Record<"coarse" | "fine", Layers>;
/** The scale from which the coarse outlines look coarse. */
const FINE_FROM = 330;
/** The same while the map moves. */
const FINE_FROM_MOVING = 1_200;
/** The scales from which rivers, then lakes and borders, then coasts are too rough to be shown: errors of 10 pixels. */
const LAST = { rivers: 14_000, lakes: 30_000, coasts: 60_000 };

export function drawBase(
  context: CanvasRenderingContext2D,
  { projection, camera, size, palette, isMoving }: {
    projection: GeoProjection;
    camera: Camera;
    size: Size;
    palette: Palette;
    isMoving: boolean;
  },
): void {
  const path = geoPath(projection, context);
  const layers = layersOf(camera.scale < (isMoving ? FINE_FROM_MOVING : FINE_FROM) ? "coarse" : "fine");
  const seen = seenFrom(camera, size);
  const fill = (pieces: Piece[], colour: string): void => {
    context.beginPath();
    path({ type: "MultiPolygon", coordinates: pieces.filter(seen).map(({ shape }) => shape as Position[][]) });
    context.fillStyle = colour;
    context.fill();
  };
  const stroke = (pieces: Piece[], colour: string, width: number): void => {
    context.beginPath();
    path({ type: "MultiLineString", coordinates: pieces.filter(seen).map(({ shape }) => shape as Position[]) });
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.stroke();
  };
  const thin = Math.min(1, Math.max(0.4, camera.scale / 700));
  context.lineJoin = "round";
  context.lineCap = "round";
  if (camera.scale > LAST.coasts) {
    context.fillStyle = palette.land;
    context.fillRect(0, 0, size.width, size.height);
    return graticule(context, projection, camera, size, palette);
  }
  water(context, path, isWorld(camera.scale, size), palette, size);
  fill(layers.land, palette.land);
  graticule(context, projection, camera, size, palette);
  if (camera.scale < LAST.rivers) stroke(layers.rivers, palette.river, camera.scale > 2_000 ? 1.2 : 0.7);
  if (camera.scale < LAST.lakes) {
    fill(layers.lakes, palette.water);
    stroke(layers.lakes.map(shore), palette.river, 0.6);
    context.setLineDash(camera.scale > 700 ? [5, 3, 1.5, 3] : []);
    stroke(layers.borders, palette.border, thin);
    context.setLineDash([]);
  }
  stroke(layers.coast, palette.coast, thin);
}

function water(context: CanvasRenderingContext2D, path: ReturnType<typeof geoPath>, isWhole: boolean, palette: Palette, size: Size): void {
  if (!isWhole) {
    context.fillStyle = palette.water;
    context.fillRect(0, 0, size.width, size.height);
    return;
  }
  context.beginPath();
  path({ type: "Sphere" });
  context.fillStyle = palette.water;
  context.fill();
  context.strokeStyle = palette.coast;
  context.lineWidth = 1;
  context.stroke();
}

function shore({ shape, ...cap }: Piece): Piece {
  return { shape: (shape as Position[][])[0]!, ...cap };
}

/** Whether a piece may be in view. */
function seenFrom(camera: Camera, size: Size): (piece: Piece) => boolean {
  const limit = (reach(camera, size) * Math.PI) / 180;
  const centre = vector([camera.lon, camera.lat]);
  return (piece) => angle(centre, piece.centre) <= limit + piece.radius;
}

function layersOf(level: "coarse" | "fine"): Layers {
  return (LEVELS[level] ??= made((packed as unknown as Record<string, PackedTopology>)[level]!));
}

function made(topology: PackedTopology): Layers {
  const world = unpacked(topology);
  const { countries, lakes, rivers } = world.objects;
  const polygons = merge(world, countries.geometries as Parameters<typeof merge>[1]).coordinates as Position[][][];
  const lines = (is: (a: object, b: object) => boolean): Piece[] =>
    (mesh(world, countries, is).coordinates as Position[][]).map(piece);
  const shapes = <Shape>(layer: typeof lakes): Shape[] =>
    feature(world, layer).features.flatMap(({ geometry }) => {
      if (geometry.type === "MultiPolygon" || geometry.type === "MultiLineString") return geometry.coordinates as Shape[];
      return geometry.type === "Polygon" || geometry.type === "LineString" ? [geometry.coordinates as Shape] : [];
    });
  return {
    land: polygons.filter(isSmall).map(polygon),
    coast: lines((a, b) => a === b),
    borders: lines((a, b) => a !== b),
    lakes: shapes<Position[][]>(lakes).filter(isSmall).map(polygon),
    rivers: shapes<Position[]>(rivers).map(piece),
  };
}

/** A ring that simplification has turned over would fill the globe but for itself. */
function isSmall(shape: Position[][]): boolean {
  return geoArea({ type: "Polygon", coordinates: shape }) < 2 * Math.PI;
}

function polygon(shape: Position[][]): Piece {
  return { ...piece(shape[0]!), shape };
}

function piece(shape: Position[]): Piece {
  const vectors = shape.map(vector);
  const sum: Vector = [0, 0, 0];
  for (const each of vectors) each.forEach((value, axis) => (sum[axis]! += value));
  const centre = vector(position(sum));
  return { shape, centre, radius: vectors.reduce((most, each) => Math.max(most, angle(centre, each)), 0) };
}

function angle(a: Vector, b: Vector): number {
  return 2 * Math.asin(Math.min(1, Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) / 2));
}

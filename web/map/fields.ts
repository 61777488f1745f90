/** Reads values of replies. What is absent or of another type is undefined: replies leave out defaults. */
import type { Fields, Json } from "../shared/host";
import type { Box, Geometry, Position } from "./geometry";

export function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

export function number(value: Json | undefined): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function fields(value: Json | undefined): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

export function list(value: Json | undefined): Fields[] {
  return Array.isArray(value) ? value.map(fields) : [];
}

export function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** A position of {lat, lon}. */
export function point(value: Fields): Position | undefined {
  return onGlobe([value["lon"], value["lat"]]);
}

export function box(value: Json | undefined): Box | undefined {
  if (!Array.isArray(value) || value.length !== 4) return undefined;
  const [southwest, northeast] = [onGlobe([value[0], value[1]]), onGlobe([value[2], value[3]])];
  return southwest && northeast && southwest[1] <= northeast[1] ? [...southwest, ...northeast] : undefined;
}

function onGlobe([lon, lat]: (Json | undefined)[]): Position | undefined {
  const [x, y] = [number(lon), number(lat)];
  return x !== undefined && y !== undefined && Math.abs(x) <= 180 && Math.abs(y) <= 90 ? [x, y] : undefined;
}

const DEPTHS: Record<string, number> = {
  Point: 0, MultiPoint: 1, LineString: 1, MultiLineString: 2, Polygon: 2, MultiPolygon: 3,
};
const MOST_POSITIONS = 300_000;

/** A GeoJSON geometry, checked; undefined if it is none. */
export function geometry(value: Json | undefined): Geometry | undefined {
  const { type, coordinates } = fields(value);
  const depth = typeof type === "string" ? DEPTHS[type] : undefined;
  if (depth === undefined) return undefined;
  const room = { left: MOST_POSITIONS };
  const checked = nested(coordinates, depth, room);
  return checked === undefined ? undefined : ({ type, coordinates: checked } as unknown as Geometry);
}

function nested(value: Json | undefined, depth: number, room: { left: number }): unknown {
  if (!Array.isArray(value)) return undefined;
  if (depth === 0) return room.left-- > 0 ? onGlobe(value) : undefined;
  if (value.length === 0) return undefined;
  const inner = value.map((each) => nested(each, depth - 1, room));
  return inner.includes(undefined) ? undefined : inner;
}

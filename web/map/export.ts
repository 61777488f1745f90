/** Places as GeoJSON, WKT and boxes, for other programs: pure. */
import { type Box, type Geometry, type Position, pieces, polygonsOf, positionsOf } from "./geometry";
import type { Item } from "./scene";

/** The outline of an item, or its point, or its box in pieces that never cross 180°. */
export function geometryOf({ geometry, point, box }: Pick<Item, "geometry" | "point" | "box">): Geometry | undefined {
  if (geometry) return geometry;
  if (point) return { type: "Point", coordinates: point };
  if (!box) return undefined;
  const polygons = pieces(box).map((piece) => [corners(piece)]);
  return polygons.length === 1 ? { type: "Polygon", coordinates: polygons[0]! } : { type: "MultiPolygon", coordinates: polygons };
}

/** A Feature with the box (RFC 7946: west > east across 180°). */
export function geojson(item: Item): string {
  return JSON.stringify(feature(item));
}

/** A FeatureCollection of all items that are somewhere. */
export function collection(items: readonly Item[]): string {
  const features = items.filter((item) => geometryOf(item)).map(feature);
  return JSON.stringify({ type: "FeatureCollection", features });
}

function feature(item: Item): object {
  const { name, address, kind, box } = item;
  const properties = { name, ...(address ? { display_name: address } : {}), ...(kind ? { kind } : {}) };
  return { type: "Feature", ...(box ? { bbox: box } : {}), properties, geometry: geometryOf(item) ?? null };
}

/** Well-known text: `POINT (177.9754 -17.8261)`. */
export function wkt(geometry: Geometry): string {
  const ring = (positions: Position[]): string => `(${positions.map(pair).join(", ")})`;
  const rings = (lines: Position[][]): string => `(${lines.map(ring).join(", ")})`;
  switch (geometry.type) {
    case "Point":
      return `POINT (${pair(geometry.coordinates)})`;
    case "MultiPoint":
      return `MULTIPOINT (${positionsOf(geometry).map((each) => `(${pair(each)})`).join(", ")})`;
    case "LineString":
      return `LINESTRING ${ring(geometry.coordinates)}`;
    case "MultiLineString":
      return `MULTILINESTRING ${rings(geometry.coordinates)}`;
    case "Polygon":
      return `POLYGON ${rings(geometry.coordinates)}`;
    case "MultiPolygon":
      return `MULTIPOLYGON (${polygonsOf(geometry).map(rings).join(", ")})`;
  }
}

function pair([lon, lat]: Position): string {
  return `${lon} ${lat}`;
}

function corners([west, south, east, north]: Box): Position[] {
  return [[west, south], [east, south], [east, north], [west, north], [west, south]];
}

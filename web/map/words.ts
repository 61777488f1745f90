/** Numbers as a map says them: pure. */
import type { Box, Position } from "./geometry";

/** `17.826°S, 177.975°E`. */
export function coordinates([lon, lat]: Position, digits = 4): string {
  return `${degrees(lat, digits, "N", "S")}, ${degrees(lon, digits, "E", "W")}`;
}

/** `15°S`; without a letter at 0° and 180°. */
export function degrees(value: number, digits: number, positive: string, negative: string): string {
  const rounded = Number(Math.abs(value).toFixed(digits));
  const letter = rounded === 0 || (rounded === 180 && positive === "E") ? "" : `${value > 0 ? positive : negative}`;
  return `${rounded}°${letter}`;
}

/** `120 m`, `3.4 km`, `6,206 km`. */
export function length(metres: number): string {
  if (metres < 1000) return `${Math.round(metres)} m`;
  const km = metres / 1000;
  return `${km.toLocaleString("en", { maximumFractionDigits: km < 100 ? 1 : 0 })} km`;
}

/** `[174.5889, -21.7111, -178.2161, -12.4798]`, as the tools give and take it. */
export function brackets(box: Box): string {
  return `[${box.join(", ")}]`;
}

/** The largest of 1, 2, 5, 10, 20 … that is no greater. */
export function roundLength(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  return [5, 2, 1].map((digit) => digit * power).find((each) => each <= most) ?? power;
}

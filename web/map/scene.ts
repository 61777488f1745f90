/** What a map draws, whichever tool the answer is of. */
import type { Box, Geometry, Position } from "./geometry";

/** How a point is drawn: a numbered pin, a small dot, the place that was asked for, or the shape of a category. */
export type Mark = "pin" | "dot" | "asked" | "nearby";

export interface Item {
  /** Its number in the scene. */
  key: number;
  name: string;
  /** The whole name with its regions, if there is more than the name. */
  address: string;
  /** "city", "cafe", "state", … */
  kind: string;
  mark: Mark;
  /** What a pin shows. */
  number?: number;
  point?: Position;
  box?: Box;
  isEstimated?: boolean;
  /** Whether its box is what was asked for: it is drawn, even around an outline. */
  isBox?: boolean;
  geometry?: Geometry;
  /** The category of a nearby place. */
  category?: string;
  /** 0 for the outermost area of a hierarchy. */
  depth?: number;
  /** Names and values for the card. */
  facts: [string, string][];
  /** Why there is no place. */
  problem?: string;
}

export interface Leg {
  from: Position;
  to: Position;
  distance_m: number;
  start: number;
  end: number;
}

export type Kind = "places" | "box" | "reverse" | "areas" | "nearby" | "route" | "batch" | "matrix" | "empty";

export interface Scene {
  kind: Kind;
  title: string;
  subtitle: string;
  items: Item[];
  legs: Leg[];
  /** Sentences below the title: hints, what is missing. */
  notes: string[];
  /** Nothing to draw, and why. */
  problem?: string;
  attribution: string;
  source: string;
}

/** The map's colours, as `style.css` has them for light and dark. */
import { colours } from "../shared/colours";

const NAMES = [
  "water", "land", "coast", "border", "river", "graticule", "land-ink", "sea-ink", "town-ink", "halo", "sea-halo",
  "mark", "mark-edge", "mark-ink", "route", "asked", "ink", "panel", "focus",
  "amenity", "tourism", "natural", "historic", "leisure", "shop", "transport", "place",
  "level-0", "level-1", "level-2", "level-3",
] as const;

export type Palette = Record<(typeof NAMES)[number], string>;

export function palette(): Palette {
  return colours(NAMES);
}

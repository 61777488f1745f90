/** How boxes look: colours, borders, and a badge with a letter, so that no meaning hangs on a colour alone. */
import type { Box, Tone } from "./model";

export const COLOURS = [
  "page", "panel", "raised", "ink", "ink-soft", "line", "edge", "accent", "tint", "focus",
  "calls", "shapes", "types", "values", "routes", "folders", "tests", "badge-ink",
  "added", "modified", "removed", "renamed", "breaking", "major", "minor",
] as const; // prettier-ignore
export type Palette = Record<(typeof COLOURS)[number], string>;
type Colour = keyof Palette;

export interface BoxLook {
  fill: string;
  stroke: string;
  width: number;
  border: "solid" | "dashed";
  badge: { fill: string; ink: string; letter: string };
}

/** `folder` and `file` are drawn as signs, the others as letters. */
const KINDS = new Map<string, readonly [letter: string, colour: Colour]>([
  ["function", ["ƒ", "calls"]],
  ["method", ["m", "calls"]],
  ["constructor", ["n", "calls"]],
  ["hook", ["h", "calls"]],
  ["decorator", ["@", "calls"]],
  ["handler", ["ƒ", "calls"]],
  ["class", ["C", "shapes"]],
  ["component", ["X", "shapes"]],
  ["schema", ["S", "shapes"]],
  ["struct", ["S", "shapes"]],
  ["interface", ["I", "types"]],
  ["type", ["T", "types"]],
  ["enum", ["E", "types"]],
  ["constant", ["k", "values"]],
  ["variable", ["v", "values"]],
  ["property", ["p", "values"]],
  ["endpoint", ["→", "routes"]],
]);

export const LETTERS: Partial<Record<Tone, string>> = {
  added: "A",
  modified: "M",
  removed: "D",
  renamed: "R",
  moved: "V",
};

/** The words of tones, for legends and tables. */
export const WORDS: Record<Tone, string> = {
  plain: "",
  focus: "asked about",
  test: "test",
  outside: "outside",
  added: "added",
  modified: "modified",
  removed: "removed",
  renamed: "renamed",
  moved: "moved",
  minor: "minor",
  major: "major",
  breaking: "breaking",
};

const STATUS: Partial<Record<Tone, Colour>> = {
  added: "added",
  modified: "modified",
  removed: "removed",
  renamed: "renamed",
  moved: "renamed",
};

export function lookOf(box: Box, palette: Palette): BoxLook {
  const status = STATUS[box.tone];
  return {
    fill: palette[box.tone === "focus" ? "tint" : box.tone === "outside" ? "page" : "raised"],
    stroke: palette[box.tone === "focus" ? "accent" : (status ?? (box.tone === "test" ? "tests" : "edge"))],
    width: box.tone === "focus" || status ? 2 : 1,
    border: box.tone === "outside" ? "dashed" : "solid",
    badge: { ...badgeOf(box, palette), ink: palette["badge-ink"] },
  };
}

function badgeOf(box: Box, palette: Palette): { fill: string; letter: string } {
  const status = STATUS[box.tone];
  if (status) return { fill: palette[status], letter: LETTERS[box.tone]! };
  const isTest = box.tone === "test";
  if (box.look === "more") return { fill: palette[isTest ? "tests" : "values"], letter: "+" };
  if (box.look === "folder" || box.look === "file") {
    return { fill: palette[isTest ? "tests" : box.look === "folder" ? "folders" : "values"], letter: box.look };
  }
  const [letter, colour] = KINDS.get(box.look === "route" ? "endpoint" : (box.type ?? "")) ?? ["·", "values"];
  return { fill: palette[isTest ? "tests" : colour], letter };
}

/** The shape of a dot in rings, beside its colour: a diamond breaks, a full circle is major, a hollow one minor. */
export interface DotLook {
  shape: "diamond" | "ellipse" | "rectangle";
  fill: string;
  stroke: string;
}

export function dotOf(box: Box, palette: Palette): DotLook {
  if (box.tone === "test") return { shape: "rectangle", fill: palette.tests, stroke: palette.tests };
  if (box.tone === "breaking") return { shape: "diamond", fill: palette.breaking, stroke: palette.breaking };
  if (box.tone === "major") return { shape: "ellipse", fill: palette.major, stroke: palette.major };
  return { shape: "ellipse", fill: palette.page, stroke: palette.minor };
}

const FOLDER = "M4 6.2h3.6l1.3 1.5H14v5.6H4z";
const FILE = "M5.5 4h4.6L12.5 6.5V14h-7z";

/** The badge as SVG elements in a square of 18. */
export function badgeSvg({ fill, ink, letter }: BoxLook["badge"], font: string): string {
  const square = `<rect width="18" height="18" rx="4" fill="${fill}"/>`;
  if (letter === "folder" || letter === "file") {
    return `${square}<path d="${letter === "folder" ? FOLDER : FILE}" fill="${ink}"/>`;
  }
  const family = font.replace(/["&<>]/g, "'");
  return `${square}<text x="9" y="13.2" text-anchor="middle" font-family="${family}" font-size="12" font-weight="700" fill="${ink}">${letter}</text>`;
}

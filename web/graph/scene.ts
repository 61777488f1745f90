/** What is drawn: boxes at their places, the lines between them, and the texts that fit. */
import { clipped } from "../shared/elements";
import { arrange } from "./layout/index";
import { linesOf, type Layout, type Line, type Measure } from "./layout/geometry";
import { fold } from "./fold";
import type { Box, Picture } from "./model";

export interface Scene {
  picture: Picture;
  boxes: Map<string, Box>;
  lines: Line[];
  layout: Layout;
  font: string;
}

/** Text sizes and places in a box. */
export const LABEL = { size: 13, weight: 600, most: 30 };
export const NOTE = { size: 11, weight: 400, most: 44 };
export const RING_LABEL = 15.5;
export const INSET = 33;
const [MARGIN, LEAST, TALL, LOW] = [12, 84, 42, 30];

/** Boxes in one column or ring, beyond which they are folded. */
const MOST = { layers: 300, sides: 28, rings: 34 };

export const labelOf = (box: Box): string => clipped(box.label, LABEL.most) || "(no name)";
export const noteOf = (box: Box): string => clipped(box.note, NOTE.most);

export function sceneOf(
  picture: Picture,
  isShown: (kind: string) => boolean,
  open: ReadonlySet<string>,
  font: string,
  isNarrow: boolean,
): Scene {
  const most = isNarrow && picture.arrangement !== "layers" ? MOST[picture.arrangement] / 2 : MOST[picture.arrangement];
  const { boxes, arrows } = fold(picture.boxes, picture.arrows, most, open);
  const lines = linesOf(arrows, isShown);
  const layout = arrange(picture.arrangement, boxes, lines, measureWith(font));
  return { picture, boxes: new Map(boxes.map((box) => [box.id, box])), lines, layout, font };
}

function measureWith(font: string): Measure {
  const pen = document.createElement("canvas").getContext("2d");
  const width = (text: string, size: number, weight: number): number => {
    if (!pen) return text.length * size * 0.6;
    pen.font = `${weight} ${size}px ${font}`;
    return pen.measureText(text).width;
  };
  return (box) => {
    const note = noteOf(box);
    const widest = Math.max(width(labelOf(box), LABEL.size, LABEL.weight), width(note, NOTE.size, NOTE.weight));
    return { width: Math.max(LEAST, Math.ceil(widest) + INSET + MARGIN), height: note ? TALL : LOW };
  };
}

/** How much of its colour a line shows: the fewer there are, and the more uses it has, the more. */
export const faintness = (count: number, lines: number): number =>
  Math.min(0.65, (lines > 120 ? 0.22 : lines > 50 ? 0.34 : 0.5) + Math.log2(count) * 0.035);

/** How strong a line is drawn: by the logarithm of its uses. */
export const strokeOf = (count: number): number => Math.min(5, 1 + Math.log2(count) * 0.38);

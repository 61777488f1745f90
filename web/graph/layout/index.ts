/** The layout of a picture: the same data always give the same places. */
import type { Arrangement, Box } from "../model";
import type { Layout, Line, Measure } from "./geometry";
import { layers } from "./layers";
import { rings } from "./rings";
import { sides } from "./sides";

const LAYOUTS = { layers, sides, rings };

export const arrange = (kind: Arrangement, boxes: readonly Box[], lines: readonly Line[], measure: Measure): Layout =>
  LAYOUTS[kind](boxes, lines, measure);

/** The picture as a Mermaid flowchart. */
import { clipped } from "../../shared/elements";
import type { Line } from "../layout/geometry";
import type { Box } from "../model";

/** Mermaid's own entities: % may begin a directive; a backslash or a backtick may begin markup. */
const escaped = (text: string): string =>
  clipped(text, 60).replace(/["#<>&`\\%]/g, (char) => `#${char.charCodeAt(0)};`) || " ";

const SHAPES: Partial<Record<Box["look"], [string, string]>> = { folder: ['[["', '"]]'], more: ['(["', '"])'] };

export function mermaid(boxes: readonly Box[], lines: readonly Line[]): string {
  const names = new Map(boxes.map((box, place) => [box.id, `n${place}`]));
  const drawn = boxes.map((box) => {
    const [open, close] = SHAPES[box.look] ?? ['["', '"]'];
    return `  ${names.get(box.id)}${open}${escaped(box.label)}${close}`;
  });
  const linked = lines.map((line) => {
    const label = [line.kinds.length === 1 ? line.kinds[0]![0] : "", line.count > 1 ? `×${line.count}` : ""];
    const text = label.filter((part) => part && part !== "use").join(" ");
    return `  ${names.get(line.source)} -->${text ? `|"${escaped(text)}"|` : ""} ${names.get(line.target)}`;
  });
  return ["flowchart LR", ...drawn, ...linked, ""].join("\n");
}

/** What a view of a graph is made of, whichever tool answered. */
import type { Fields } from "../shared/host";

/** What a box stands for; `more` for boxes that were folded. */
export type Look = "folder" | "file" | "element" | "route" | "more";

/** Why a box stands out. Each tone has a colour, and a word or a letter beside it. */
export type Tone = "plain" | "focus" | "test" | "outside" | Status | Severity;
export type Status = "added" | "modified" | "removed" | "renamed" | "moved";
export type Severity = "minor" | "major" | "breaking";

export interface Box {
  id: string;
  label: string;
  /** The second line: where it is, or how much it holds. */
  note: string;
  look: Look;
  tone: Tone;
  /** The kind of an element: function, class … */
  type?: string;
  file?: string;
  line?: number;
  /** Steps from the middle; below 0 on the side of the users. Absent where there is no middle. */
  depth?: number;
  /** Why it is here, in the reply's words. */
  why?: string;
  /** Its source, or the line that uses what the picture is about. */
  source?: string;
  /** The folder or file of all that it stands for. */
  place?: string;
  /** What it stands for, if that is more than one thing. */
  members?: Box[];
}

/** `count` uses of one kind from one box to another. */
export interface Arrow {
  source: string;
  target: string;
  kind: string;
  count: number;
}

export type Arrangement = "layers" | "sides" | "rings";

export interface Picture {
  title: string;
  /** One or two sentences of what is seen. */
  summary: string;
  arrangement: Arrangement;
  boxes: Box[];
  arrows: Arrow[];
  /** What was left out, and what the reply remarks. */
  notes: string[];
  /** A verdict to show: the risk of a change. */
  verdict?: { level: string; text: string };
  /** Calls that the reply proposes. */
  next: Call[];
}

export interface Call {
  tool: string;
  arguments: Fields;
  name: string;
}

export const noPicture = (title: string, summary: string): Picture => ({
  title,
  summary,
  arrangement: "layers",
  boxes: [],
  arrows: [],
  notes: [],
  next: [],
});

/** Boxes and arrows without double ids, and arrows whose ends are both there; those between the same boxes are one. */
export function joined(boxes: readonly Box[], arrows: readonly Arrow[]): { boxes: Box[]; arrows: Arrow[] } {
  const known = new Map<string, Box>();
  for (const box of boxes) if (!known.has(box.id)) known.set(box.id, box);
  const counted = new Map<string, Arrow>();
  for (const arrow of arrows) {
    if (arrow.source === arrow.target || !known.has(arrow.source) || !known.has(arrow.target)) continue;
    const key = JSON.stringify([arrow.source, arrow.target, arrow.kind]);
    const before = counted.get(key);
    if (before) before.count += arrow.count;
    else counted.set(key, { ...arrow });
  }
  return { boxes: [...known.values()], arrows: [...counted.values()] };
}

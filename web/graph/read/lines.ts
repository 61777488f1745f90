/**
 * Lists of replies as lines: `path:line [in enclosing, remark] source`.
 *
 * Lines of one file may follow below its path, each from the colon on; `depth 2` begins those that are farther.
 *
 *     src/auth.ts
 *     :24 [in AuthService.login] return hash(password)
 *     depth 2
 *     src/app.ts:3 start()
 */

export interface Line {
  file: string;
  line: number;
  /** The element around the line: its name in the file, or an id; empty for none. */
  inside: string;
  remarks: string[];
  text: string;
  depth: number;
}

const DEPTH = /^depth (\d+)$/;
const BELOW = /^:(\d+)(?:-\d+)?(?: |$)/;
const WHOLE = /^(.+?):(\d+)(?:-\d+)?(?: |$)/;

/** The lines that name a place, in order. Others, such as tests of a file, are left out. */
export function readLines(lines: readonly string[]): Line[] {
  const found: Line[] = [];
  let depth = 1;
  let file = "";
  for (const written of lines) {
    const line = written.slice(0, 4_000);
    const farther = DEPTH.exec(line);
    const below = BELOW.exec(line);
    const whole = WHOLE.exec(line);
    if (farther) depth = Number(farther[1]);
    else if (below) found.push(read(file, Number(below[1]), line.slice(below[0].length), depth));
    else if (whole) found.push(read(unmarked(whole[1]!), Number(whole[2]), line.slice(whole[0].length), depth));
    else file = unmarked(line);
  }
  return found;
}

function read(file: string, line: number, rest: string, depth: number): Line {
  const about = bracketed(rest);
  const remarks = about === undefined ? [] : about.split(", ");
  const inside = remarks.find((remark) => remark.startsWith("in "));
  return {
    file,
    line,
    inside: unmarked(inside?.slice(3) ?? ""),
    remarks: remarks.filter((remark) => remark !== inside && remark !== ""),
    text: about === undefined ? rest : rest.slice(about.length + 2).trimStart(),
    depth,
  };
}

/** What stands in the brackets at the start, which may hold others: `in items[string]`. */
function bracketed(rest: string): string | undefined {
  if (!rest.startsWith("[")) return undefined;
  let open = 0;
  for (let at = 0; at < rest.length; at++) {
    if (rest[at] === "[") open++;
    else if (rest[at] === "]" && --open === 0) return rest.slice(1, at);
  }
  return undefined;
}

const unmarked = (text: string): string => text.replace(/^«(.*)»$/s, "$1");

/** The id of the element around a line: the file itself where none is, else without a line of its own. */
export const around = ({ file, inside }: Line): string =>
  inside === "" ? file : inside.includes("#") ? inside : `${file}#${inside}`;

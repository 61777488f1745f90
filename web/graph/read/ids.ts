/** Ids of elements, `path#Qualified.name:line`, and boxes made of them. */
import type { Box, Tone } from "../model";

export interface Parts {
  file: string;
  name: string;
  line: number | undefined;
}

/** A path ends with an extension, since names may hold # as well; a line is optional. */
const ID = /^(.+?\.\w+)#(.+?)(?::(\d+))?$/s;

/** The parts of an element's id; undefined for a path. */
export function partsOf(id: string): Parts | undefined {
  const found = ID.exec(id);
  return found ? { file: found[1]!, name: found[2]!, line: found[3] ? Number(found[3]) : undefined } : undefined;
}

export const nameOf = (path: string): string => path.replace(/\/$/, "").split("/").at(-1) ?? path;

/** The folder of a path with a slash, empty at the top. */
export const folderOf = (path: string): string => path.replace(/[^/]+\/?$/, "");

/** Names that many files have, and that say nothing without their folder. */
const COMMON = /^(__init__|__main__|index|main|mod|lib|package|analysis|types|utils)\.\w+$/;

const COMMON_FOLDERS = new Set(["src", "lib", "dist", "es", "test", "tests", "types", "typings", "bin", "internal", "utils"]);

function folderLabel(path: string): string {
  const [name, above] = [nameOf(path), nameOf(folderOf(path))];
  return COMMON_FOLDERS.has(name) && above ? `${above}/${name}/` : `${name}/`;
}

/** A file's name, with its folder if the name alone says little. */
export function fileLabel(path: string): string {
  const name = nameOf(path);
  const folder = folderOf(path);
  return COMMON.test(name) && folder ? `${nameOf(folder)}/${name}` : name;
}

/** `path:line`, or the path. */
export const placeOf = ({ id, file, line, place }: Box): string => place ?? (file ? `${file}${line ? `:${line}` : ""}` : id);

/** A box for an element or a file, from its id. */
export function boxOf(id: string, more: Partial<Box> = {}): Box {
  const parts = partsOf(id);
  if (parts) {
    const place = { file: parts.file, ...(parts.line === undefined ? {} : { line: parts.line }) };
    return { id, label: parts.name, note: fileLabel(parts.file), look: "element", tone: "plain", ...place, ...more };
  }
  const isFolder = id.endsWith("/");
  const label = isFolder ? folderLabel(id) : fileLabel(id);
  const file = isFolder ? {} : { file: id };
  return { id, label, note: folderOf(id), look: isFolder ? "folder" : "file", tone: "plain", ...file, ...more };
}

const TEST = /(^|\/)(tests?|__tests__|specs?)\/|(^|\/)test_[^/]*$|[._-](test|spec)s?\.\w+$/;

/** Whether a path looks like a test's. */
export const isTest = (path: string): boolean => TEST.test(path);

export const toneOf = (path: string): Tone => (isTest(path) ? "test" : "plain");

/** Reads values of replies without trust in their form. */
import type { Fields, Json } from "../../shared/host";

export const isFields = (value: Json | undefined): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");

export const number = (value: Json | undefined): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

export const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

export const texts = (value: Json | undefined): string[] => list(value).filter((one) => typeof one === "string");

export const objects = (value: Json | undefined): Fields[] => list(value).filter(isFields);

/** The sentences of a reply that are not empty: `note`, `namesakes` … */
export const remarks = (reply: Fields, ...names: string[]): string[] => names.map((name) => text(reply[name]).replace(UNPASSED, "").trim()).filter(Boolean);

/** What the server of a page remarks on calls that leave the project to it; a person need not know. */
const UNPASSED = /(?:; )?no project_path was passed: this is .*, the directory that may be read\.?/s;

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

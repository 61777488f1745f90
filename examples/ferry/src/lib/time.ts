/** Minutes since midnight. */
export type Minutes = number;

const MINUTES_PER_DAY = 24 * 60;

/** Reads "06:45" as minutes since midnight. */
export function parseTime(text: string): Minutes {
  const match = /^(\d{1,2}):(\d{2})$/.exec(text);
  if (!match) {
    throw new RangeError(`not a time: ${text}`);
  }
  return Number(match[1]) * 60 + Number(match[2]);
}

/** Writes minutes since midnight as "06:45". */
export function formatTime(minutes: Minutes): string {
  const within = minutes % MINUTES_PER_DAY;
  return `${pad(Math.floor(within / 60))}:${pad(within % 60)}`;
}

const pad = (n: number): string => String(n).padStart(2, "0");

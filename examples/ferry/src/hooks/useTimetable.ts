import { useMemo } from "react";
import { Timetable } from "../timetable.js";

/** The timetable of a line, made once for the same times. */
export function useTimetable(name: string, times: string[]): Timetable {
  return useMemo(() => new Timetable(name, times), [name, times]);
}

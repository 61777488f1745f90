import { memo } from "react";
import { formatTime } from "@lib/time";
import { useTimetable } from "../hooks/useTimetable.js";

interface BoardProps {
  name: string;
  times: string[];
  now: string;
}

const Clock = memo(({ text }: { text: string }) => <time>{text}</time>);

/** The board on the quay: the next departure. */
export function Board({ name, times, now }: BoardProps) {
  const next = useTimetable(name, times).next(now);
  return (
    <section>
      <h1>{name}</h1>
      {next ? <Clock text={formatTime(next.at)} /> : <p>No more ferries today</p>}
    </section>
  );
}

export default Board;

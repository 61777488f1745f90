import { parseTime, type Minutes } from "@lib/time";

export interface Departure {
  at: Minutes;
  seats: number;
}

export abstract class Line {
  constructor(protected readonly name: string) {}

  abstract next(after: string): Departure | undefined;

  label(): string {
    return this.name;
  }
}

/** One day's departures of one ferry. */
export class Timetable extends Line {
  private departures: Departure[] = [];

  constructor(name: string, times: string[], seats = 40) {
    super(name);
    for (const time of times) {
      this.add(time, seats);
    }
  }

  /** The first departure at or after a time of day, if there is one. */
  next(after: string): Departure | undefined {
    const from = parseTime(after);
    return this.departures.find((departure) => departure.at >= from);
  }

  private add(time: string, seats: number): void {
    this.departures.push({ at: parseTime(time), seats });
  }
}

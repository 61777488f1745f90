import { formatTime } from "@lib/time";
import { Deck, fareFor, type Passenger } from "./fares.js";
import { Timetable } from "./timetable.js";

export interface Ticket {
  passenger: string;
  departure: string;
  cents: number;
}

export class SoldOut extends Error {}

/** Takes a seat on the next ferry, or says that there is none. */
export function bookSeat(timetable: Timetable, passenger: Passenger, after: string, deck = Deck.Open): Ticket {
  const departure = timetable.next(after);
  if (!departure || departure.seats === 0) {
    throw new SoldOut(`no seat after ${after}`);
  }
  departure.seats -= 1;
  return {
    passenger: passenger.name,
    departure: formatTime(departure.at),
    cents: fareFor(passenger, deck),
  };
}

export enum Deck {
  Open = "open",
  Saloon = "saloon",
}

export interface Passenger {
  name: string;
  age: number;
}

const BASE = 420;

/** The fare in cents. */
export function fareFor(passenger: Passenger, deck: Deck): number {
  const whole = deck === Deck.Saloon ? BASE * 2 : BASE;
  return isChild(passenger) ? Math.round(whole / 2) : whole;
}

function isChild(passenger: Passenger): boolean {
  return passenger.age < 15;
}

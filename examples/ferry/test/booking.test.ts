import assert from "node:assert/strict";
import { test } from "node:test";
import { bookSeat, SoldOut, Timetable } from "../src/index.js";

const strood = () => new Timetable("Strood", ["06:45", "17:30"], 1);

test("a passenger gets the next ferry", () => {
  const ticket = bookSeat(strood(), { name: "first", age: 40 }, "07:00");
  assert.equal(ticket.departure, "17:30");
});

test("a full ferry is sold out", () => {
  const line = strood();
  bookSeat(line, { name: "first", age: 40 }, "07:00");
  assert.throws(() => bookSeat(line, { name: "second", age: 9 }, "07:00"), SoldOut);
});

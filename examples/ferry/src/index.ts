export * from "./booking.js";
export { Timetable } from "./timetable.js";
export { default as QuayBoard } from "./components/Board.js";

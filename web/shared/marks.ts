/** Marks of what a page has reached, for those who measure it (benchmarks/views.py): `performance.getEntriesByType("mark")`. */
type Name = "answered" | "drawn" | "pressed";

const reached = new Set<Name>();

/** Marks the first time that something is reached. */
export function reach(name: Name): void {
  if (reached.has(name)) return;
  reached.add(name);
  performance.mark(name);
}

/** The same once what was changed has been drawn: drawing itself may wait for a frame. */
export function reachWithFrame(name: Name): void {
  if (!reached.has(name)) requestAnimationFrame(() => requestAnimationFrame(() => reach(name)));
}

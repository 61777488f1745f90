/** Drag, pinch, wheel and press on an element, whichever pointer makes them. */

type Pixel = [number, number];

export interface Handlers {
  move: (from: Pixel, to: Pixel) => void;
  zoom: (factor: number, at: Pixel) => void;
  /** A press without a move, and how near it counts: fingers are wide. */
  press: (at: Pixel, tolerance: number) => void;
}

/** How far a pointer may move in a press. */
const STILL = 5;

export function gestures(target: HTMLElement, { move, zoom, press }: Handlers): void {
  const pointers = new Map<number, Pixel>();
  let begun: Pixel | undefined;

  const pixel = (event: MouseEvent): Pixel => {
    const { left, top } = target.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };

  target.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    target.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, pixel(event));
    begun = pointers.size === 1 ? pixel(event) : undefined;
  });

  target.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = pixel(event);
    if (begun && apart(begun, now) <= STILL) return;
    begun = undefined;
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    pointers.set(event.pointerId, now);
    if (!other) return move(before, now);
    move(between(before, other), between(now, other));
    zoom(Math.max(apart(now, other), 1) / Math.max(apart(before, other), 1), between(now, other));
  });

  target.addEventListener("pointerup", (event) => {
    if (pointers.delete(event.pointerId) && begun) press(begun, event.pointerType === "mouse" ? 4 : 14);
    begun = undefined;
  });
  target.addEventListener("pointercancel", (event) => {
    pointers.delete(event.pointerId);
    begun = undefined;
  });

  target.addEventListener("dblclick", (event) => zoom(2, pixel(event)));
  target.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const pixels = event.deltaY * (event.deltaMode === 1 ? 18 : 1);
      zoom(2 ** (-Math.max(-240, Math.min(240, pixels)) / (event.ctrlKey ? 90 : 260)), pixel(event));
    },
    { passive: false },
  );
}

function apart(a: Pixel, b: Pixel): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

function between(a: Pixel, b: Pixel): Pixel {
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
}

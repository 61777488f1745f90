/** Marks for points. A nearby place has its category's shape and colour, so that neither is needed alone. */
import type { Item } from "./scene";
import type { Palette } from "./palette";

type Pixel = [number, number];
type Shape = "circle" | "square" | "diamond" | "triangle" | "down" | "star" | "cross" | "pentagon";

export const CATEGORIES: Record<string, Shape> = {
  amenity: "circle",
  tourism: "star",
  natural: "triangle",
  historic: "pentagon",
  leisure: "diamond",
  shop: "square",
  transport: "down",
  place: "cross",
};

/** How far from its middle a mark reaches. */
export function sizeOf({ mark }: Item): number {
  return { pin: 10, dot: 3.5, asked: 9, nearby: 7 }[mark];
}

export function colourOf({ mark, category }: Item, palette: Palette): string {
  if (mark === "asked") return palette.asked;
  const name = category && category in CATEGORIES ? category : "place";
  return mark === "nearby" ? palette[name as keyof Palette] : palette.mark;
}

export function drawMark(context: CanvasRenderingContext2D, item: Item, at: Pixel, palette: Palette, isChosen: boolean): void {
  const size = sizeOf(item);
  if (isChosen) ring(context, at, size + 5, palette);
  context.fillStyle = colourOf(item, palette);
  context.strokeStyle = palette["mark-edge"];
  context.lineWidth = item.mark === "dot" ? 1 : 2;
  if (item.mark === "asked") return target(context, at, palette);
  context.beginPath();
  trace(context, item.mark === "nearby" ? (CATEGORIES[item.category ?? ""] ?? "cross") : "circle", at, size);
  context.stroke();
  context.fill();
  if (item.mark === "pin") inside(context, item.number === undefined ? "" : String(item.number), at, palette);
}

export function drawCluster(context: CanvasRenderingContext2D, count: number, at: Pixel, palette: Palette): void {
  const size = clusterSize(count);
  context.beginPath();
  context.arc(...at, size + 4, 0, 2 * Math.PI);
  context.globalAlpha = 0.25;
  context.fillStyle = palette.mark;
  context.fill();
  context.globalAlpha = 1;
  context.beginPath();
  context.arc(...at, size, 0, 2 * Math.PI);
  context.fill();
  context.strokeStyle = palette["mark-edge"];
  context.lineWidth = 1.5;
  context.stroke();
  inside(context, count < 10_000 ? String(count) : `${Math.round(count / 1000)}k`, at, palette);
}

export function clusterSize(count: number): number {
  return 9 + 3.4 * Math.log10(count);
}

/** The symbol alone, for a legend. */
export function drawSymbol(context: CanvasRenderingContext2D, item: Item, palette: Palette): void {
  drawMark(context, { ...item, number: undefined }, [11, 11], palette, false);
}

function inside(context: CanvasRenderingContext2D, text: string, [x, y]: Pixel, palette: Palette): void {
  context.font = `600 ${text.length > 2 ? 9.5 : 11}px "Liberation Sans", system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = palette["mark-ink"];
  context.fillText(text, x, y + 0.5);
}

function ring(context: CanvasRenderingContext2D, at: Pixel, size: number, palette: Palette): void {
  context.beginPath();
  context.arc(...at, size, 0, 2 * Math.PI);
  context.strokeStyle = palette["mark-edge"];
  context.lineWidth = 5;
  context.stroke();
  context.strokeStyle = palette.focus;
  context.lineWidth = 2.5;
  context.stroke();
}

function target(context: CanvasRenderingContext2D, [x, y]: Pixel, palette: Palette): void {
  for (const [colour, width] of [[palette["mark-edge"], 5], [palette.asked, 2]] as const) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    context.arc(x, y, 5, 0, 2 * Math.PI);
    for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]] as const) {
      context.moveTo(x + 3 * dx, y + 3 * dy);
      context.lineTo(x + 9 * dx, y + 9 * dy);
    }
    context.stroke();
  }
}

function trace(context: CanvasRenderingContext2D, shape: Shape, [x, y]: Pixel, size: number): void {
  switch (shape) {
    case "circle":
      return context.arc(x, y, size, 0, 2 * Math.PI);
    case "square":
      return context.rect(x - 0.85 * size, y - 0.85 * size, 1.7 * size, 1.7 * size);
    case "cross":
      return corners(context, [x, y], size, CROSS);
    case "star":
      return regular(context, [x, y], 10, -90, (number) => (number % 2 ? 0.52 * size : 1.2 * size));
    case "diamond":
      return regular(context, [x, y], 4, -90, () => 1.15 * size);
    case "triangle":
      return regular(context, [x, y + 1], 3, -90, () => 1.2 * size);
    case "down":
      return regular(context, [x, y - 1], 3, 90, () => 1.2 * size);
    case "pentagon":
      return regular(context, [x, y], 5, -90, () => 1.08 * size);
  }
}

const CROSS: Pixel[] = [
  [-0.4, -1], [0.4, -1], [0.4, -0.4], [1, -0.4], [1, 0.4], [0.4, 0.4],
  [0.4, 1], [-0.4, 1], [-0.4, 0.4], [-1, 0.4], [-1, -0.4], [-0.4, -0.4],
];

function corners(context: CanvasRenderingContext2D, [x, y]: Pixel, size: number, points: readonly Pixel[]): void {
  points.forEach(([dx, dy], number) => {
    if (number === 0) context.moveTo(x + dx * size, y + dy * size);
    else context.lineTo(x + dx * size, y + dy * size);
  });
  context.closePath();
}

function regular(
  context: CanvasRenderingContext2D, at: Pixel, count: number, start: number, radius: (number: number) => number,
): void {
  const points = Array.from({ length: count }, (_, number): Pixel => {
    const turn = ((start + (360 * number) / count) * Math.PI) / 180;
    return [radius(number) * Math.cos(turn), radius(number) * Math.sin(turn)];
  });
  corners(context, at, 1, points);
}

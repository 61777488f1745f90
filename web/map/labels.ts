/** Room on the map: labels take it in the order of their importance, and none covers another. */

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

const CELL = 48;

export class Room {
  private readonly cells = new Map<string, Rectangle[]>();

  constructor(private readonly width: number, private readonly height: number) {}

  /** Takes the room, if it is free and on the map. */
  take(wanted: Rectangle): boolean {
    const { x, y, width, height } = wanted;
    const isOn = x >= 2 && y >= 2 && x + width <= this.width - 2 && y + height <= this.height - 2;
    if (!isOn || this.near(wanted).some((taken) => overlap(wanted, taken))) return false;
    this.reserve(wanted);
    return true;
  }

  reserve(rectangle: Rectangle): void {
    for (const key of keys(rectangle)) {
      const cell = this.cells.get(key);
      if (cell) cell.push(rectangle);
      else this.cells.set(key, [rectangle]);
    }
  }

  private near(rectangle: Rectangle): Rectangle[] {
    return keys(rectangle).flatMap((key) => this.cells.get(key) ?? []);
  }
}

function keys({ x, y, width, height }: Rectangle): string[] {
  const found: string[] = [];
  for (let column = Math.floor(x / CELL); column * CELL <= x + width; column++)
    for (let row = Math.floor(y / CELL); row * CELL <= y + height; row++) found.push(`${column},${row}`);
  return found;
}

function overlap(a: Rectangle, b: Rectangle): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

export interface Label {
  text: string;
  font: string;
  colour: string;
  halo: string;
  /** The middle of the text. */
  at: [number, number];
  spacing?: number;
  pill?: string;
}

/** The label at the first of some middles with room; undefined if there is none. */
export function placed(
  context: CanvasRenderingContext2D, room: Room, label: Omit<Label, "at">, middles: (width: number) => [number, number][],
): Label | undefined {
  context.font = label.font;
  context.letterSpacing = `${label.spacing ?? 0}px`;
  const width = context.measureText(label.text).width + (label.pill ? 10 : 4);
  const height = Number(/([\d.]+)px/.exec(label.font)?.[1] ?? 12) * 1.3 + (label.pill ? 3 : 0);
  const at = middles(width).find(([x, y]) => room.take({ x: x - width / 2, y: y - height / 2, width, height }));
  return at && { ...label, at };
}

/** Middles around a mark: right, left, below, above, then the corners. */
export function around([x, y]: [number, number], gap: number): (width: number) => [number, number][] {
  return (width) => {
    const side = gap + width / 2;
    return [
      [x + side, y], [x - side, y], [x, y + gap + 9], [x, y - gap - 9],
      [x + side - 3, y - gap], [x + side - 3, y + gap], [x - side + 3, y - gap], [x - side + 3, y + gap],
    ];
  };
}

export function drawLabel(context: CanvasRenderingContext2D, { text, font, colour, halo, at, spacing, pill }: Label): void {
  context.font = font;
  context.letterSpacing = `${spacing ?? 0}px`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  const [x, y] = at;
  if (pill) {
    const width = context.measureText(text).width + 10;
    context.beginPath();
    context.roundRect(x - width / 2, y - 9, width, 18, 9);
    context.fillStyle = halo;
    context.fill();
    context.strokeStyle = pill;
    context.lineWidth = 1;
    context.stroke();
  } else {
    context.lineJoin = "round";
    context.strokeStyle = halo;
    context.lineWidth = 3.5;
    context.strokeText(text, x, y + 0.5);
  }
  context.fillStyle = colour;
  context.fillText(text, x, y + 0.5);
  context.letterSpacing = "0px";
}

/** The picture: a canvas that draws a scene, and is moved by pointers, wheel and keys. */
import type { GeoProjection } from "d3-geo";
import { onScheme } from "../shared/colours";
import { element } from "../shared/elements";
import { drawBase } from "./base";
import {
  type Camera, type Size, bounded, framed, inverse, metresPerPixel, moved, projectionOf, wholeWorld, zoomed,
} from "./camera";
import { type Position, distance } from "./geometry";
import { gestures } from "./gestures";
import { type Tick, ticks } from "./graticule";
import { type Label, Room, drawLabel } from "./labels";
import { drawTowns, names } from "./names";
import { type Drawn, Overlay, positionsOfScene } from "./overlay";
import { type Palette, palette } from "./palette";
import type { Item, Scene } from "./scene";
import { SANS } from "./type";

export interface Events {
  /** Somebody chose a place, a cluster that can't be opened further, or an empty spot; or opens it, by a key. */
  chose: (items: Item[], at: Position | undefined, opens: boolean) => void;
  /** Somebody wants to see nothing chosen. */
  left: () => void;
  /** The picture has changed. */
  drew: (metresPerPixel: number) => void;
}

/** What is closer does not come apart at any scale. */
const CLOSEST_M = 20;

export class MapView {
  readonly canvas = element("canvas", {
    tabindex: 0, role: "application", "aria-roledescription": "map", "aria-label": "Map", "aria-describedby": "keys",
  });
  private size: Size = { width: 600, height: 400 };
  private camera: Camera = wholeWorld(this.size);
  private scene: Scene | undefined;
  private overlay: Overlay | undefined;
  private chosen: number | undefined;
  private colours: Palette | undefined;
  private isMoving = false;
  private isFramed = true;
  private frame = 0;
  private settled = 0;

  constructor(private readonly events: Events) {
    gestures(this.canvas, {
      move: (from, to) => this.look(moved(this.camera, this.size, from, to)),
      zoom: (factor, at) => this.look(zoomed(this.camera, this.size, factor, at)),
      press: (at, tolerance) => this.press(at, tolerance),
    });
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.resized()).observe(this.canvas);
    onScheme(() => {
      this.colours = undefined;
      this.redraw();
    });
  }

  show(scene: Scene): void {
    this.scene = scene;
    this.overlay = new Overlay(scene);
    this.chosen = undefined;
    this.fit();
  }

  /** Shows everything. */
  fit(): void {
    const positions = this.scene ? positionsOfScene(this.scene.items, this.scene.legs) : [];
    // The point of a hierarchy without outlines is shown within its country.
    const alone_m = this.scene?.kind === "areas" ? 300_000 : 100_000;
    this.camera = framed(positions, this.size, this.size.width < 500 ? 38 : 66, alone_m);
    this.isFramed = true;
    this.redraw();
  }

  zoom(factor: number): void {
    this.look(zoomed(this.camera, this.size, factor, this.middle));
  }

  /** Marks an item, and brings it into view. */
  choose(item: Item | undefined): void {
    this.chosen = item?.key;
    if (this.overlay) this.overlay.chosen = this.chosen;
    if (item && !this.isInView(item)) this.bring([item]);
    this.redraw();
  }

  /** The position in the middle. */
  get centre(): Position {
    return [this.camera.lon, this.camera.lat];
  }

  private get middle(): [number, number] {
    return [this.size.width / 2, this.size.height / 2];
  }

  private look(camera: Camera): void {
    this.camera = camera;
    this.isFramed = false;
    this.isMoving = true;
    window.clearTimeout(this.settled);
    this.settled = window.setTimeout(() => {
      this.isMoving = false;
      this.redraw();
    }, 160);
    this.redraw();
  }

  private bring(items: Item[]): void {
    const camera = framed(positionsOfScene(items, []), this.size, 60);
    const isCluster = items.length > 1;
    const scale = isCluster
      ? Math.max(camera.scale, 1.6 * this.camera.scale)
      : Math.min(camera.scale, Math.max(camera.scale / 4, this.camera.scale));
    this.look(bounded({ ...camera, scale }, this.size));
  }

  private isInView(item: Item): boolean {
    const projection = projectionOf(this.camera, this.size);
    return positionsOfScene([item], []).some((position) => {
      const [x, y] = projection(position) ?? [-1, -1];
      return x > 0 && y > 0 && x < this.size.width && y < this.size.height;
    });
  }

  private press(at: [number, number], tolerance: number, opens = false): void {
    const position = inverse(projectionOf(this.camera, this.size), at);
    const found = this.overlay?.under(at, position, tolerance);
    if (found && found.items.length > 1) this.open(found, opens);
    else this.events.chose(found?.items ?? [], position, opens);
  }

  /** Opens a cluster: its marks come apart, or they are all at one place. */
  private open({ items }: Drawn, opens: boolean): void {
    const first = items[0]!.point!;
    const isOnePlace = items.every(({ point }) => distance(first, point!) < CLOSEST_M);
    if (isOnePlace) this.events.chose(items, first, opens);
    else this.bring(items);
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = this.actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  private readonly actions: Record<string, () => void> = {
    ArrowLeft: () => this.pan(1, 0),
    ArrowRight: () => this.pan(-1, 0),
    ArrowUp: () => this.pan(0, 1),
    ArrowDown: () => this.pan(0, -1),
    "+": () => this.zoom(1.6),
    "=": () => this.zoom(1.6),
    "-": () => this.zoom(1 / 1.6),
    "0": () => this.fit(),
    Home: () => this.fit(),
    n: () => this.step(1),
    p: () => this.step(-1),
    Enter: () => this.enter(),
    " ": () => this.enter(),
    Escape: () => this.events.left(),
  };

  private pan(x: number, y: number): void {
    const [left, top] = this.middle;
    this.look(moved(this.camera, this.size, [left, top], [left + x * 80, top + y * 80]));
  }

  /** Chooses the next or previous item. */
  private step(by: number): void {
    const items = this.scene?.items.filter(({ point, box, geometry }) => point ?? box ?? geometry) ?? [];
    if (items.length === 0) return;
    const at = items.findIndex(({ key }) => key === this.chosen);
    const next = items[at < 0 ? (by > 0 ? 0 : items.length - 1) : (at + by + items.length) % items.length]!;
    this.events.chose([next], next.point, false);
  }

  /** What is chosen, or else what is in the middle. */
  private enter(): void {
    const item = this.scene?.items.find(({ key }) => key === this.chosen);
    if (item) this.events.chose([item], item.point, true);
    else this.press(this.middle, 24, true);
  }

  private resized(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    this.size = { width, height };
    const ratio = Math.min(3, window.devicePixelRatio || 1);
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    if (this.isFramed) this.fit();
    window.cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.draw();
  }

  private redraw(): void {
    this.frame ||= window.requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  private draw(): void {
    const { camera, size } = this;
    const context = this.canvas.getContext("2d")!;
    const colours = (this.colours ??= palette());
    const projection = projectionOf(camera, size);
    const ratio = this.canvas.width / size.width;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, size.width, size.height);
    drawBase(context, { projection, camera, size, palette: colours, isMoving: this.isMoving });
    const room = new Room(size.width, size.height);
    room.reserve({ x: size.width - 52, y: 0, width: 52, height: 122 });
    room.reserve({ x: size.width - 145, y: size.height - 58, width: 145, height: 40 });
    this.overlay?.layOut(context, room, projection, camera, size, colours);
    const edge = edgeLabels(room, ticks(projection, camera, size), size, colours);
    this.drawNames(context, room, projection, colours);
    this.overlay?.draw(context, projection, colours);
    for (const label of [...(this.overlay?.labels ?? []), ...edge]) drawLabel(context, label);
    this.events.drew(metresPerPixel(camera));
  }

  private drawNames(context: CanvasRenderingContext2D, room: Room, projection: GeoProjection, colours: Palette): void {
    const taken = new Set(this.overlay?.labels.map(({ text }) => text));
    const { labels, towns } = names(context, room, projection, this.camera, this.size, colours, taken);
    drawTowns(context, towns, colours);
    for (const label of labels) drawLabel(context, label);
  }
}

/** Degrees at the edges of the map. */
function edgeLabels(room: Room, found: Tick[], size: Size, colours: Palette): Label[] {
  return found.flatMap(({ text, at: [x, y], side }): Label[] => {
    const width = 6.2 * text.length + 4;
    const at: [number, number] = side === "left" ? [width / 2 + 4, y] : [x, size.height - 9];
    const isFree = room.take({ x: at[0] - width / 2 - 1, y: at[1] - 7, width, height: 14 });
    return isFree ? [{ text, at, font: `10.5px ${SANS}`, colour: colours["sea-ink"], halo: colours["sea-halo"] }] : [];
  });
}

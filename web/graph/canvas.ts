/** Draws a scene with cytoscape, which pans, zooms and tells what is pressed. */
import cytoscape, { type Core, type ElementDefinition, type NodeSingular } from "cytoscape";
import { curve, isBack, type Curve, type Line, type Point, type Spot } from "./layout/geometry";
import { badgeSvg, dotOf, lookOf, type Palette } from "./looks";
import type { Box } from "./model";
import { faintness, INSET, LABEL, labelOf, NOTE, noteOf, RING_LABEL, strokeOf, type Scene } from "./scene";
import { ringLabel } from "./write/svg";

const [SMALLEST, LARGEST, READABLE] = [0.12, 3, 0.8];
const MARGIN = 28;
/** With more lines, their numbers are shown for the chosen box alone. */
const FEW_LINES = 30;

export class Canvas {
  private readonly cy: Core;
  private scene: Scene | undefined;
  private chosen = "";

  /** `press` is called with the id of a box, or with none for the empty ground. */
  constructor(
    private readonly frame: HTMLElement,
    press: (id: string | undefined, twice: boolean) => void,
  ) {
    this.cy = cytoscape({
      container: frame,
      autoungrabify: true,
      autounselectify: true,
      boxSelectionEnabled: false,
      minZoom: SMALLEST,
      maxZoom: LARGEST,
      pixelRatio: "auto" as unknown as number,
    });
    this.cy.on("tap", (event) => press(event.target === this.cy ? undefined : idOf(event.target), false));
    this.cy.on("dbltap", "node", (event) => press(idOf(event.target), true));
    this.cy.on("mouseover", "node", (event) => this.light(idOf(event.target) || this.chosen, true));
    this.cy.on("mouseout", "node", () => this.light(this.chosen, false));
    new ResizeObserver(() => this.cy.resize()).observe(frame);
  }

  show(scene: Scene, palette: Palette, keepsView = false): void {
    this.scene = scene;
    const { zoom, pan } = { zoom: this.cy.zoom(), pan: { ...this.cy.pan() } };
    this.cy.batch(() => {
      this.cy.elements().remove();
      this.cy.style(styleOf(palette, scene));
      this.cy.add(elementsOf(scene, palette));
    });
    if (keepsView) this.cy.viewport({ zoom, pan });
    else this.fit();
    this.light(this.chosen, false);
  }

  /** Shows the whole, but no smaller than can be read: then the middle of the picture. */
  fit(isWhole = false): void {
    this.cy.resize();
    const all = this.cy.elements();
    if (all.empty()) return;
    this.cy.fit(all, MARGIN);
    if (this.cy.zoom() > 1.15) this.zoomTo(1.15);
    const isRings = (this.scene?.layout.rings.length ?? 0) > 0;
    if (isWhole || isRings || this.cy.zoom() >= READABLE) return;
    this.zoomTo(READABLE);
    const focus = this.cy.nodes(".focus");
    if (focus.nonempty()) this.cy.center(focus);
    else this.toCorner();
  }

  zoom(by: number): void {
    this.zoomTo(this.cy.zoom() * by);
  }

  pan(x: number, y: number): void {
    this.cy.panBy({ x, y });
  }

  /** Lights a box and its lines up, and brings it into sight. */
  choose(id: string): void {
    this.chosen = id;
    this.light(id, false);
    const node = this.cy.getElementById(id);
    if (node.empty()) return;
    const { x1, y1, x2, y2 } = node.renderedBoundingBox({ includeLabels: false });
    const { clientWidth: width, clientHeight: height } = this.frame;
    if (x1 < 0 || y1 < 0 || x2 > width || y2 > height) this.cy.center(node);
  }

  private zoomTo(level: number): void {
    const { clientWidth: width, clientHeight: height } = this.frame;
    this.cy.zoom({ level, renderedPosition: { x: width / 2, y: height / 2 } });
  }

  private toCorner(): void {
    const { x1, y1, w, h } = this.cy.elements().boundingBox();
    const zoom = this.cy.zoom();
    const { clientWidth: width, clientHeight: height } = this.frame;
    const x = w * zoom + 2 * MARGIN > width ? MARGIN - x1 * zoom : (width - w * zoom) / 2 - x1 * zoom;
    const y = h * zoom + 2 * MARGIN > height ? MARGIN - y1 * zoom : (height - h * zoom) / 2 - y1 * zoom;
    this.cy.pan({ x, y });
  }

  private light(id: string, isGlance: boolean): void {
    this.cy.batch(() => {
      const all = this.cy.elements();
      all.removeClass("chosen near faded out in");
      const node = this.cy.getElementById(id);
      if (id === "" || node.empty()) return;
      const out = node.outgoers("edge");
      const into = node.incomers("edge");
      const near = node.union(out).union(into).union(out.targets()).union(into.sources());
      const notes = near.nodes().map((one) => `note ${one.id()}`);
      const kept = near.union(this.cy.nodes().filter((one) => notes.includes(one.id()))).union(this.cy.nodes(".ring"));
      if (!isGlance || near.edges().nonempty()) all.not(kept).addClass("faded");
      out.addClass("out");
      into.addClass("in");
      node.addClass("chosen");
    });
  }
}

const idOf = (node: NodeSingular): string => String(node.data("box") ?? "");

function elementsOf({ picture, boxes, lines, layout }: Scene, palette: Palette): ElementDefinition[] {
  const isRings = layout.rings.length > 0;
  const nodes = [...boxes.values()].flatMap((box) => {
    const spot = layout.spots.get(box.id)!;
    return spot.angle === undefined ? boxNodes(box, spot, palette) : dotNodes(box, spot, spot.angle, palette);
  });
  const rings = layout.rings.map(({ radius, label }): ElementDefinition => {
    const data = { id: `ring ${radius}`, label, size: 2 * radius };
    return { data, position: { x: 0, y: 0 }, classes: "ring" };
  });
  const edges = lines.map((line): ElementDefinition => {
    const [from, to] = [layout.spots.get(line.source)!, layout.spots.get(line.target)!];
    const back = isBack(picture.arrangement, from, to);
    return lineEdge(line, isRings ? undefined : endsAt(curve(from, to, back), from, to), back, lines.length);
  });
  return [...rings, ...nodes, ...edges];
}

function boxNodes(box: Box, spot: Spot, palette: Palette): ElementDefinition[] {
  const { fill, stroke, width, border, badge } = lookOf(box, palette);
  const note = noteOf(box);
  const place = { width: spot.width, height: spot.height };
  const sign = `<svg xmlns="http://www.w3.org/2000/svg" width="18" height="18">${badgeSvg(badge, "sans-serif")}</svg>`;
  const main: ElementDefinition = {
    data: {
      id: box.id, box: box.id, label: labelOf(box), fill, stroke, width, border, ...{ w: place.width, h: place.height },
      shift: INSET - place.width, lift: note ? -8 : 0, badge: `data:image/svg+xml,${encodeURIComponent(sign)}`,
    },
    position: { x: spot.x, y: spot.y },
    classes: `box ${box.tone === "focus" ? "focus" : ""}`,
  }; // prettier-ignore
  if (!note) return [main];
  const position = { x: spot.x - spot.width / 2 + INSET, y: spot.y + 9 };
  return [main, { data: { id: `note ${box.id}`, box: box.id, label: note }, position, classes: "note" }];
}

/** A dot, and a point beside it that has its label: cytoscape turns a label around its node, whatever its margins. */
function dotNodes(box: Box, spot: Spot, angle: number, palette: Palette): ElementDefinition[] {
  const { shape, fill, stroke } = dotOf(box, palette);
  const isLeft = Math.cos(angle) < 0;
  const away = spot.width / 2 + 7;
  const size = spot.width + (shape === "diamond" ? 4 : 0);
  const label = { label: ringLabel(box), side: isLeft ? "left" : "right", turn: angle + (isLeft ? Math.PI : 0) };
  const position = { x: spot.x + away * Math.cos(angle), y: spot.y + away * Math.sin(angle) };
  return [
    { data: { id: box.id, box: box.id, shape, fill, stroke, w: size }, position: { x: spot.x, y: spot.y }, classes: "dot" },
    { data: { id: `note ${box.id}`, box: box.id, ...label }, position, classes: "tag" },
  ];
}

interface Path {
  curve: Curve;
  from: string;
  to: string;
}

/** A curve, and its ends as cytoscape has them: in percent of the box, from its middle. */
function endsAt(path: Curve, from: Spot, to: Spot): Path {
  const end = ({ x, y }: Point, spot: Spot): string =>
    `${x > spot.x ? 50 : -50}% ${((100 * (y - spot.y)) / spot.height).toFixed(1)}%`;
  return { curve: path, from: end(path[0], from), to: end(path[3], to) };
}

function lineEdge(line: Line, path: Path | undefined, back: boolean, all: number): ElementDefinition {
  const { id, source, target, count } = line;
  const data = { id, source, target, stroke: strokeOf(count), faint: faintness(count, all), label: count > 1 ? count.toLocaleString("en") : "" };
  const classes = [back && path ? "back" : "", path ? "curved" : "ray", all <= FEW_LINES && path ? "labelled" : ""].join(" ");
  return { data: path ? { ...data, ...weights(path) } : data, classes };
}

/** Control points as cytoscape has them: how far along the straight line, and how far beside it. */
function weights({ curve: [start, one, other, end], from, to }: Path): Record<string, unknown> {
  const [dx, dy] = [end.x - start.x, end.y - start.y];
  const length = Math.hypot(dx, dy) || 1;
  const along = ({ x, y }: Point): number => ((x - start.x) * dx + (y - start.y) * dy) / length ** 2;
  const beside = ({ x, y }: Point): number => ((y - start.y) * dx - (x - start.x) * dy) / length;
  return { along: [along(one), along(other)], beside: [beside(one), beside(other)], from, to };
}

function styleOf(palette: Palette, { font }: Scene): cytoscape.StylesheetJson {
  const data = (name: string) => (node: { data: (name: string) => unknown }) => node.data(name) as never;
  const rules: [string, Record<string, unknown>][] = [
    ["node", { "font-family": font, "overlay-opacity": 0, "text-events": "no" }],
    ["node.box", {
      shape: "round-rectangle", "corner-radius": 6, width: data("w"), height: data("h"), "background-color": data("fill"),
      "border-width": data("width"), "border-color": data("stroke"), "border-style": data("border"), "border-position": "inside",
      label: data("label"), color: palette.ink, "font-size": LABEL.size, "font-weight": LABEL.weight,
      "text-halign": "right", "text-valign": "center", "text-margin-x": data("shift"), "text-margin-y": data("lift"),
      "background-image": data("badge"), "background-width": 18, "background-height": 18, "background-position-x": 8,
      "background-position-y": "50%", "background-fit": "none", "background-clip": "none", "min-zoomed-font-size": 4,
    }],
    ["node.note", {
      width: 1, height: 1, "background-opacity": 0, label: data("label"), color: palette["ink-soft"], events: "no",
      "font-size": NOTE.size, "text-halign": "right", "text-valign": "center", "min-zoomed-font-size": 5, "z-index": 11,
    }],
    ["node.ring", {
      width: data("size"), height: data("size"), "background-opacity": 0, "border-width": 1, "border-color": palette.line,
      label: data("label"), color: palette["ink-soft"], "font-size": 12, "text-valign": "top", "text-margin-y": -3,
      events: "no", "z-index": 0, "text-background-color": palette.page, "text-background-opacity": 1,
    }],
    ["node.dot", {
      shape: data("shape"), width: data("w"), height: data("w"), "background-color": data("fill"), "border-width": 2,
      "border-color": data("stroke"), "z-index": 3,
    }],
    ["node.tag", {
      width: 1, height: 1, "background-opacity": 0, label: data("label"), color: palette.ink, "font-size": RING_LABEL,
      "text-halign": data("side"), "text-valign": "center", "text-rotation": data("turn"), "text-events": "yes", "z-index": 3,
    }],
    ["edge", {
      width: data("stroke"), "line-color": palette["ink-soft"], "line-opacity": data("faint"), "target-arrow-color": palette["ink-soft"],
      "arrow-scale": 0.8, events: "no", "font-family": font, "font-size": 10.5, color: palette["ink-soft"],
      "text-background-color": palette.page, "text-background-opacity": 0.9, "text-background-padding": 2, "overlay-opacity": 0,
    }],
    ["edge.curved", {
      "curve-style": "unbundled-bezier", "edge-distances": "endpoints", "control-point-weights": data("along"),
      "control-point-distances": data("beside"), "source-endpoint": data("from"), "target-endpoint": data("to"),
      "target-arrow-shape": "triangle",
    }],
    ["edge.ray", { "curve-style": "straight", width: 1, "line-opacity": 0.25 }],
    ["edge.back", { "text-margin-y": 14, "line-style": "dashed", "line-color": palette.removed, "target-arrow-color": palette.removed }],
    ["edge.labelled", { label: data("label") }],
    ["node.faded", { opacity: 0.34 }],
    ["edge.faded", { opacity: 0.18 }],
    ["edge.out", { "line-color": palette.accent, "target-arrow-color": palette.accent, "line-opacity": 1, label: data("label"), color: palette.ink, "z-index": 9 }],
    ["edge.in", { "line-color": palette.focus, "target-arrow-color": palette.focus, "line-opacity": 1, label: data("label"), color: palette.ink, "z-index": 9 }],
    ["node.chosen", { "outline-color": palette.focus, "outline-width": 3, "outline-offset": 2, "outline-style": "solid", "z-index": 10 }],
  ]; // prettier-ignore
  return rules.map(([selector, style]) => ({ selector, style })) as unknown as cytoscape.StylesheetJson;
}

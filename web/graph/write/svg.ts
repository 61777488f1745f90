/** The scene as an SVG file, from the same places, curves and looks as on the screen. */
import { clipped } from "../../shared/elements";
import { curve, extent, isBack, type Point, type Spot } from "../layout/geometry";
import { badgeSvg, dotOf, lookOf, type Palette } from "../looks";
import type { Box } from "../model";
import { nameOf } from "../read/ids";
import { faintness, INSET, LABEL, labelOf, NOTE, noteOf, RING_LABEL, strokeOf, type Scene } from "../scene";

const MARGIN = 24;
const RING_MARGIN = 190;

const escaped = (text: string): string =>
  clipped(text).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

const number = (value: number): string => String(Math.round(value * 10) / 10);
const at = ({ x, y }: Point): string => `${number(x)} ${number(y)}`;
const middle = (one: Point, other: Point): Point => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });

export function svg(scene: Scene, palette: Palette): string {
  const { spots, rings } = scene.layout;
  const edges = extent(spots.values());
  const margin = rings.length ? RING_MARGIN : MARGIN;
  const size = { width: edges.right - edges.left + 2 * margin, height: edges.bottom - edges.top + 2 * margin };
  const view = `${at({ x: edges.left - margin, y: edges.top - margin })} ${number(size.width)} ${number(size.height)}`;
  const family = scene.font.replace(/["&<>]/g, "'");
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${view}" width="${number(size.width)}" height="${number(size.height)}" font-family="${family}">`,
    `<title>${escaped(scene.picture.title)}</title>`,
    `<defs>${arrowHead("head", palette["ink-soft"])}${arrowHead("back", palette.removed)}</defs>`,
    `<rect x="${number(edges.left - margin)}" y="${number(edges.top - margin)}" width="100%" height="100%" fill="${palette.page}"/>`,
    ...rings.map(({ radius, label }) => ringSvg(radius, label, palette)),
    ...scene.lines.map((line) => {
      const [from, to] = [spots.get(line.source)!, spots.get(line.target)!];
      return rings.length ? rayed(from, to, palette) : lined(from, to, line.count, scene.lines.length, isBack(scene.picture.arrangement, from, to), palette);
    }),
    ...[...scene.boxes.values()].map((box) => {
      const spot = spots.get(box.id)!;
      return spot.angle === undefined ? boxed(box, spot, palette, scene.font) : dotted(box, spot, spot.angle, palette);
    }),
    "</svg>",
  ];
  return parts.join("\n");
}

const arrowHead = (id: string, fill: string): string =>
  `<marker id="${id}" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0.5L8 4L0 7.5z" fill="${fill}"/></marker>`;

const ringSvg = (radius: number, label: string, palette: Palette): string =>
  `<circle r="${number(radius)}" fill="none" stroke="${palette.line}"/>` +
  `<text y="${number(-radius - 6)}" text-anchor="middle" font-size="12" fill="${palette["ink-soft"]}">${escaped(label)}</text>`;

const rayed = (from: Spot, to: Spot, palette: Palette): string =>
  `<path d="M${at(from)}L${at(to)}" stroke="${palette["ink-soft"]}" stroke-opacity=".3" fill="none"/>`;

function lined(from: Spot, to: Spot, count: number, all: number, back: boolean, palette: Palette): string {
  const [start, one, other, end] = curve(from, to, back);
  const stroke = `stroke="${palette[back ? "removed" : "ink-soft"]}" stroke-width="${number(strokeOf(count))}" stroke-opacity="${faintness(count, all)}"`;
  const dash = back ? ' stroke-dasharray="6 4"' : "";
  const path = `M${at(start)}Q${at(one)} ${at(middle(one, other))}Q${at(other)} ${at(end)}`;
  return `<path d="${path}" fill="none" ${stroke}${dash} marker-end="url(#${back ? "back" : "head"})"/>`;
}

function boxed(box: Box, spot: Spot, palette: Palette, font: string): string {
  const { fill, stroke, width, border, badge } = lookOf(box, palette);
  const [left, top] = [spot.x - spot.width / 2, spot.y - spot.height / 2];
  const dash = border === "dashed" ? ' stroke-dasharray="4 3"' : "";
  const frame = `<rect x="${number(left)}" y="${number(top)}" width="${number(spot.width)}" height="${number(spot.height)}" rx="6" fill="${fill}" stroke="${stroke}" stroke-width="${width}"${dash}/>`;
  const note = noteOf(box);
  const label = spot.y + (note ? -2 : 4.5);
  const text = (y: number, size: number, weight: number, ink: string, content: string): string =>
    `<text x="${number(left + INSET)}" y="${number(y)}" font-size="${size}" font-weight="${weight}" fill="${ink}">${escaped(content)}</text>`;
  return [
    `<g>${frame}`,
    `<g transform="translate(${number(left + 8)} ${number(spot.y - 9)})">${badgeSvg(badge, font)}</g>`,
    text(label, LABEL.size, LABEL.weight, palette.ink, labelOf(box)),
    note ? text(spot.y + 13, NOTE.size, NOTE.weight, palette["ink-soft"], note) : "",
    "</g>",
  ].join("");
}

function dotted(box: Box, spot: Spot, angle: number, palette: Palette): string {
  const { shape, fill, stroke } = dotOf(box, palette);
  const half = spot.width / 2;
  const paint = `fill="${fill}" stroke="${stroke}" stroke-width="2"`;
  const forms = {
    ellipse: `<circle r="${number(half)}" ${paint}/>`,
    rectangle: `<rect x="${number(-half)}" y="${number(-half)}" width="${number(2 * half)}" height="${number(2 * half)}" ${paint}/>`,
    diamond: `<path d="M0 ${number(-half - 2)}L${number(half + 2)} 0L0 ${number(half + 2)}L${number(-half - 2)} 0z" ${paint}/>`,
  };
  const isLeft = Math.cos(angle) < 0;
  const turn = (angle * 180) / Math.PI + (isLeft ? 180 : 0);
  const text = `<text transform="rotate(${number(turn)})" x="${isLeft ? -13 : 13}" y="4.5" text-anchor="${isLeft ? "end" : "start"}" font-size="${RING_LABEL}" fill="${palette.ink}">${escaped(ringLabel(box))}</text>`;
  return `<g transform="translate(${at(spot)})">${forms[shape]}${text}</g>`;
}

/** A short label: the last names of an element, the size of a group. */
export function ringLabel(box: Box): string {
  if (box.members) return clipped(`${clipped(box.label, 11)} ×${box.members.length}`, 16);
  const name = box.label.split(".").slice(-2).join(".");
  return clipped(name.length < 9 && box.file ? `${name} · ${nameOf(box.file)}` : name, 16) || "(no name)";
}

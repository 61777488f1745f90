/** A bar of a round length, in kilometres or metres. */
import { element } from "../shared/elements";
import { length, roundLength } from "./words";

const WIDEST = 120;

export interface ScaleBar {
  element: HTMLElement;
  show: (metresPerPixel: number) => void;
}

export function scaleBar(): ScaleBar {
  const text = element("span");
  const line = element("span", { class: "line" });
  const made = element("div", { class: "scale-bar", "aria-hidden": "true" }, text, line);
  const show = (metresPerPixel: number): void => {
    const metres = roundLength(WIDEST * metresPerPixel);
    text.textContent = length(metres);
    line.style.width = `${metres / metresPerPixel}px`;
  };
  return { element: made, show };
}

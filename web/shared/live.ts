/** Messages for screen readers, in one hidden polite live region at the end of the page. */
import { clipped, element } from "./elements";

let region: HTMLElement | undefined;

export function announce(message: string): void {
  if (region === undefined) {
    region = element("div", { class: "visually-hidden", role: "status", "aria-live": "polite" });
    document.body.append(region);
  }
  region.textContent = clipped(message, 400);
}

/** Colours of the theme for a canvas, which can't read `light-dark()`. */
import { element } from "./elements";

/** The present values of custom properties: `colours(["ink", "accent"])`. Ask again when the scheme changes. */
export function colours<Name extends string>(names: readonly Name[]): Record<Name, string> {
  const probe = element("span", { hidden: true });
  document.body.append(probe);
  const found = {} as Record<Name, string>;
  for (const name of names) {
    probe.style.color = `var(--${name})`;
    found[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return found;
}

/** Calls `changed` when the scheme changes: the browser's, or the one that the host of a chat sets. */
export function onScheme(changed: () => void): void {
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
  new MutationObserver(changed).observe(document.documentElement, { attributeFilter: ["style"] });
}

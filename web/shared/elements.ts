/** Elements made without HTML strings, so that text from outside is always text. */

type Child = Node | string | null | undefined;
type Attributes = { [name: string]: string | number | boolean | ((event: any) => void) | undefined };

/**
 * An element with attributes and children: `element("button", { type: "button", click: open }, "Open")`.
 * A function is a listener for the event of that name; `true` is an empty attribute; `false` and undefined are none.
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** A button with a name. A press by a key has `event.detail` 0. */
export function button(name: Child, press: (event: MouseEvent) => void, attributes: Attributes = {}): HTMLButtonElement {
  return element("button", { type: "button", click: press, ...attributes }, name);
}

/** Text from outside: clipped, without hidden characters, its direction kept from its surroundings. */
export function outside(text: string, most = 300): HTMLElement {
  return element("bdi", {}, clipped(text, most));
}

// Controls, bidirectional controls, other characters that take no room, halves of surrogate pairs.
const HIDDEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Surrogate}/gu;

/** The text in one line without hidden characters, at most `most` characters long. */
export function clipped(text: string, most = 300): string {
  const start = text.slice(0, 4 * most + 100).replace(HIDDEN, " ").replace(/\s+/gu, " ").trim();
  const characters = Array.from(start);
  return characters.length > most ? `${characters.slice(0, most - 1).join("").trimEnd()}…` : start;
}

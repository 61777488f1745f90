/** Buttons that copy a text. */
import { button, element } from "./elements";
import { announce } from "./live";

/** A button that copies what `text` makes when it is pressed, and says so. */
export function copyButton(name: string, text: () => string, described = `Copy ${name}`): HTMLButtonElement {
  const made = button(name, () => void press(), { title: described, "aria-label": described });
  const press = async (): Promise<void> => {
    const copied = await copy(text());
    announce(copied ? `${name} copied.` : `${name} can't be copied here.`);
    made.textContent = copied ? "Copied" : "Not allowed";
    window.setTimeout(() => (made.textContent = name), 1400);
  };
  return made;
}

/** Copies a text; false if the browser forbids it. A sandboxed frame has no clipboard, but often the old command. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const before = document.activeElement;
  const field = element("textarea", { class: "visually-hidden", "aria-hidden": "true", tabindex: -1 });
  field.value = text;
  document.body.append(field);
  field.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    field.remove();
    if (before instanceof HTMLElement) before.focus();
  }
}

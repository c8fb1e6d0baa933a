import { flushSync } from "react-dom";

const FOCUSABLE = "button, input, select, textarea, summary, a[href]";

/**
 * Runs `remove`, which may take a button and its row off the page. If the button is gone, the focus goes to the nearest
 * field or button of the container that is still there, because the browser would move it to the start of the page.
 */
export function keepFocus(button: HTMLElement, container: string, remove: () => void): void {
  const all = [...(button.closest(container)?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])];
  const at = all.indexOf(button);
  flushSync(remove);
  if (button.isConnected) return;
  const near = [...all.slice(at), ...all.slice(0, at).reverse()];
  near.find((one) => one.isConnected)?.focus();
}

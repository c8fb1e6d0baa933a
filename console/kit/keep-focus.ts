import { flushSync } from "react-dom";

const FOCUSABLE = "button, input, select, textarea, summary, a[href]";

/**
 * Runs an action that may move a button or take it off the page, where the browser would move the focus to the start of
 * the page. A button that is still there keeps the focus. Otherwise the focus goes to the nearest field or button of the
 * container that is left, or to the page if there is none.
 */
export function keepFocus(button: HTMLElement, container: string, act: () => void): void {
  const all = [...(button.closest(container)?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])];
  const at = all.indexOf(button);
  flushSync(act);
  if (document.activeElement === button) button.scrollIntoView({ block: "nearest" });
  // An action may move the focus itself, for example into a dialog that it opens
  if (document.activeElement !== document.body) return;
  const near = [...all.slice(at), ...all.slice(0, at).reverse()];
  const left = near.find((one) => one.isConnected) ?? document.querySelector("main");
  left?.focus({ preventScroll: left.tagName === "MAIN" });
}

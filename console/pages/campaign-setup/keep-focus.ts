const FOCUSABLE = "button, input, select, textarea, summary, a[href]";

/**
 * Call it before a button removes its own row. If the button is gone afterwards, the focus goes to the nearest field or
 * button of the container that is still there, because the browser would move it to the start of the page.
 */
export function keepFocus(button: HTMLElement, container: string): void {
  const all = [...(button.closest(container)?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])];
  const at = all.indexOf(button);
  requestAnimationFrame(() => {
    if (button.isConnected) return;
    const near = [...all.slice(at), ...all.slice(0, at).reverse()];
    near.find((one) => one.isConnected)?.focus();
  });
}

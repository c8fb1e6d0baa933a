import type { ReactNode } from "react";

/**
 * A box for content that may be wider than the window: the box scrolls sideways, also by keyboard, but the page never
 * does.
 */
export function Scrolling({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus, the keyboard could not scroll it
    <section className="scrolling" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

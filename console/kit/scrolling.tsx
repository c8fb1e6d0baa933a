import type { ReactNode } from "react";

/** Content that may be wider than the window scrolls by itself, also by keyboard; the page never scrolls sideways. */
export function Scrolling({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus, the keyboard could not scroll it
    <section className="scrolling" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

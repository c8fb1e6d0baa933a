import type { ReactNode } from "react";

/** What may be wider than the window scrolls by itself, by the keyboard too: the page never does. */
export function Scrolling({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus, or the keyboard could not scroll it
    <section className="scrolling" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

import type { ReactNode } from "react";
import { words } from "../words/en.ts";

/**
 * What someone else wrote, in its own direction whatever stands around it. In a list a long one ends after some lines.
 */
export function Given({ children, isShort = false }: { children: ReactNode; isShort?: boolean }) {
  return <bdi className={isShort ? "given short" : "given"}>{children}</bdi>;
}

/** Characters of a text that are shown at once. */
const SHOWN = 280;

/** A text of any length: what is longer than a few lines opens. */
export function LongText({ text }: { text: string }) {
  const letters = [...text];
  if (letters.length <= SHOWN) return <Given>{text}</Given>;
  return (
    <>
      <Given>{letters.slice(0, SHOWN).join("")}…</Given>
      <details>
        <summary>{words.wholeText}</summary>
        <Given>{text}</Given>
      </details>
    </>
  );
}

/** Lines that are shown at once. */
const LINES = 4;

interface LinesProps {
  lines: readonly string[];
  /** What opens the rest. */
  more: (count: number) => string;
}

/** Short lines, each different; many end after a few, and the rest opens. */
export function Lines({ lines, more }: LinesProps) {
  if (lines.length === 0) return null;
  // One line is not hidden behind a line that says so
  const shown = lines.length <= LINES + 1 ? lines.length : LINES;
  return (
    <>
      <List lines={lines.slice(0, shown)} />
      {shown < lines.length && (
        <details>
          <summary>{more(lines.length - shown)}</summary>
          <List lines={lines.slice(shown)} />
        </details>
      )}
    </>
  );
}

function List({ lines }: { lines: readonly string[] }) {
  return (
    <ul className="plain">
      {lines.map((line) => (
        <li key={line}>
          <Given>{line}</Given>
        </li>
      ))}
    </ul>
  );
}

import type { ReactNode } from "react";
import { words } from "../words/en.ts";

/**
 * Text from outside, such as a lead's name, isolated so that its writing direction does not affect the page. `isShort`
 * cuts a long text after some lines.
 */
export function Given({ children, isShort = false }: { children: ReactNode; isShort?: boolean }) {
  return <bdi className={isShort ? "given short" : "given"}>{children}</bdi>;
}

/** Characters of a text that are shown at first. */
const SHOWN = 280;

/** A text of any length; a text longer than a few lines can be expanded. */
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

/** Lines that are shown at first. */
const LINES = 4;

interface LinesProps {
  lines: readonly string[];
  /** The button that shows the rest. */
  more: (count: number) => string;
}

/** A list of short lines of which only the first are shown until the rest is expanded. */
export function Lines({ lines, more }: LinesProps) {
  if (lines.length === 0) return null;
  // If only one more line would be hidden, it is shown, because the button would take as much space
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

/** The first letters of the first and the last word of a name. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s.@_-]+/u).filter((word) => word !== "");
  const [first = "", last = ""] = [words[0], words.length > 1 ? words.at(-1) : ""];
  return `${[...first].slice(0, 1).join("")}${[...last].slice(0, 1).join("")}`.toUpperCase();
}

/** A person: initials and the name. The initials are decoration. */
export function PersonChip({ name }: { name: string }) {
  return (
    <span className="person">
      <span className="avatar" aria-hidden="true">
        {initialsOf(name)}
      </span>
      <bdi>{name}</bdi>
    </span>
  );
}

import type { ReactNode } from "react";
import { words } from "../words/en.ts";

/** What somebody else wrote, in its own direction whatever stands around it. In a list a long one ends after some lines. */
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

import { createElement } from "react";

/** The shapes of an icon, the default export of a file in `lucide/dist/esm/icons/`. */
export type Shapes = readonly [tag: string, attributes: Readonly<Record<string, string | number>>][];

/** An icon beside a word. It says nothing that the word does not say, so screen readers skip it. */
export function Icon({ of: shapes }: { of: Shapes }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" width="16" height="16" aria-hidden="true">
      {shapes.map(([tag, attributes]) => createElement(tag, { key: Object.values(attributes).join(), ...attributes }))}
    </svg>
  );
}

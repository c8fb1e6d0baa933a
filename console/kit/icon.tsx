import { createElement } from "react";
import { keepFocus } from "./keep-focus.ts";

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

interface MoveButtonProps {
  name: string;
  icon: Shapes;
  isOff: boolean;
  /** The selector of the list in which the focus stays. */
  list: string;
  run: () => void;
}

/** A button with only an icon that moves or removes an entry of a list. The focus stays on it or near it. */
export function MoveButton({ name, icon, isOff, list, run }: MoveButtonProps) {
  return (
    <button
      type="button"
      className="quiet square"
      aria-label={name}
      title={name}
      aria-disabled={isOff}
      onClick={({ currentTarget }) => !isOff && keepFocus(currentTarget, list, run)}
    >
      <Icon of={icon} />
    </button>
  );
}

import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { words } from "../words/en.ts";
import type { Option } from "./field.tsx";

interface ComboboxProps {
  label: string;
  /** The options found for the text; null while searching, so that the options for an earlier text are not shown. */
  options: readonly Option[] | null;
  onSearch: (words: string) => void;
  onPick: (option: Option) => void;
}

/**
 * A search field that lists matching options while the user types. The keys follow the combobox pattern of the ARIA
 * Authoring Practices: the arrow keys move through the options, Enter selects one, and Esc closes the list.
 */
export function Combobox({ label, options, onSearch, onPick }: ComboboxProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const shown = isOpen ? (options ?? []) : [];
  useEffect(() => {
    const [from, to] = [input.current, list.current];
    if (from === null || to === null) return;
    if (!isOpen) {
      if (to.matches(":popover-open")) to.hidePopover();
      return;
    }
    if (!to.matches(":popover-open")) to.showPopover();
    const { bottom, left, width } = from.getBoundingClientRect();
    Object.assign(to.style, { top: `${bottom + 4}px`, left: `${left}px`, minWidth: `${width}px` });
  }, [isOpen]);
  const take = (option: Option) => {
    setTyped(option.text);
    setOpen(false);
    onPick(option);
  };
  const press = (event: KeyboardEvent) => {
    const picked = shown[at];
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setOpen(true);
      const step = event.key === "ArrowDown" ? 1 : -1;
      if (shown.length > 0) setAt((at + step + shown.length) % shown.length);
    } else if (event.key === "Enter" && picked !== undefined) {
      event.preventDefault();
      take(picked);
    } else if (event.key === "Escape" && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    }
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        ref={input}
        id={id}
        role="combobox"
        autoComplete="off"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(shown[at] !== undefined && { "aria-activedescendant": `${id}-${at}` })}
        value={typed}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value);
          setAt(-1);
          setOpen(true);
          onSearch(value);
        }}
        onKeyDown={press}
        onBlur={() => setOpen(false)}
      />
      <div ref={list} popover="manual" className="menu">
        <div id={`${id}-list`} role="listbox" aria-label={label} tabIndex={-1}>
          {shown.map((option, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field keeps the focus and handles the keys
            <div
              key={option.value}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(option)}
            >
              {option.text}
            </div>
          ))}
        </div>
        {isOpen && shown.length === 0 && (
          <p className="fine">{options === null ? words.looking : words.nothingFound}</p>
        )}
      </div>
    </div>
  );
}

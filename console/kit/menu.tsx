import { type KeyboardEvent, useId, useRef } from "react";

interface MenuItem {
  name: string;
  run: () => void;
  isDangerous?: boolean;
}

interface MenuProps {
  label: string;
  items: readonly MenuItem[];
  /** The object that the menu belongs to, to distinguish several menus on a page. */
  of?: string;
}

/**
 * A button that opens a list of actions: arrow keys move, Enter chooses, Esc closes. The list is a popover above the
 * page, so no element cuts it off.
 */
export function Menu({ label, items, of }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const name = of === undefined ? label : `${label}: ${of}`;
  const place = () => {
    const [from, to] = [button.current?.getBoundingClientRect(), list.current];
    if (from === undefined || to === null) return;
    to.style.top = `${Math.max(8, Math.min(from.bottom + 4, window.innerHeight - to.offsetHeight - 8))}px`;
    to.style.left = `${Math.max(8, Math.min(from.left, window.innerWidth - to.offsetWidth - 8))}px`;
    to.querySelector("button")?.focus();
  };
  const move = (event: KeyboardEvent) => {
    const all = [...(list.current?.querySelectorAll("button") ?? [])];
    const at = all.findIndex((one) => one.matches(":focus"));
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    all.at(next % all.length)?.focus();
  };
  return (
    <>
      <button ref={button} type="button" popoverTarget={id} aria-haspopup="menu" aria-label={name}>
        {label}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={name}
        className="menu"
        onToggle={({ newState }) => newState === "open" && place()}
        onKeyDown={move}
      >
        {items.map(({ name, run, isDangerous = false }) => (
          <button
            key={name}
            type="button"
            role="menuitem"
            tabIndex={-1}
            className={isDangerous ? "bad" : ""}
            onClick={() => {
              list.current?.hidePopover();
              run();
            }}
          >
            {name}
          </button>
        ))}
      </div>
    </>
  );
}

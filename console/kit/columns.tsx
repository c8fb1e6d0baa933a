import columnsIcon from "lucide/dist/esm/icons/columns-3.mjs";
import { type ReactNode, useId, useRef, useState } from "react";
import { keep, placeOfColumns, readKept } from "../frame/kept.ts";
import { words } from "../words/en.ts";
import { Icon } from "./icon.tsx";

interface Named {
  head: string;
}

/** A list with fewer columns shows all of them. */
const FEWEST = 4;
/** Distance in pixels between the button and its list. */
const GAP = 4;

/**
 * The columns of a list that a person wants to see, and the button that changes this. The first column names the row,
 * so it always stays. The browser remembers the choice for each list.
 */
export function useColumns<C extends Named>(
  label: string,
  all: readonly C[],
): [shown: readonly C[], choice: ReactNode] {
  const place = placeOfColumns(label);
  const [hidden, setHidden] = useState<readonly string[]>(() => (readKept(place) ?? "").split("\n"));
  if (all.length < FEWEST) return [all, null];
  const [first, ...others] = all;
  const isShown = ({ head }: Named) => !hidden.includes(head);
  const show = (head: string, isWanted: boolean) => {
    const next = isWanted ? hidden.filter((one) => one !== head) : [...hidden, head];
    setHidden(next);
    keep(place, next.join("\n"));
  };
  const choice = <ColumnChoice columns={others} isShown={isShown} onShow={show} />;
  return [first === undefined ? [] : [first, ...others.filter(isShown)], choice];
}

interface ColumnChoiceProps {
  columns: readonly Named[];
  isShown: (column: Named) => boolean;
  onShow: (head: string, isWanted: boolean) => void;
}

function ColumnChoice({ columns, isShown, onShow }: ColumnChoiceProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLFieldSetElement>(null);
  const [isOpen, setOpen] = useState(false);
  const place = () => {
    const [from, to] = [button.current?.getBoundingClientRect(), list.current];
    if (from === undefined || to === null) return;
    to.style.bottom = `${window.innerHeight - from.top + GAP}px`;
    to.style.right = `${document.documentElement.clientWidth - from.right}px`;
  };
  return (
    <>
      <button ref={button} type="button" className="quiet" popoverTarget={id}>
        <Icon of={columnsIcon} />
        {words.columns}
      </button>
      <fieldset
        ref={list}
        id={id}
        popover="auto"
        className="menu"
        onToggle={({ newState }) => {
          place();
          setOpen(newState === "open");
        }}
      >
        <legend className="hidden">{words.columns}</legend>
        {isOpen &&
          columns.map((column) => (
            <label key={column.head} className="choice">
              <input
                type="checkbox"
                checked={isShown(column)}
                onChange={({ currentTarget: { checked } }) => onShow(column.head, checked)}
              />
              {column.head}
            </label>
          ))}
      </fieldset>
    </>
  );
}

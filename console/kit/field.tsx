import fileUp from "lucide/dist/esm/icons/file-up.mjs";
import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { FieldLimits } from "../api/forms.ts";
import type { Refusal } from "../api/refusal.ts";
import { words } from "../words/en.ts";
import { Icon } from "./icon.tsx";

interface Labelled {
  label: string;
  hint?: ReactNode;
  /** The field's name in the request. The server's error message for it appears beside the field. */
  name: string;
  refusal?: Refusal | null;
  limits?: FieldLimits;
}

/** An input with its label, its hint and its error. */
export function Field({
  label,
  hint,
  name,
  refusal = null,
  limits = {},
  ...input
}: Labelled & ComponentProps<"input">) {
  const { id, error, described } = useDescription(name, refusal, hint);
  return (
    <p className="field">
      <label htmlFor={id}>{label}</label>
      <input {...limits} {...input} {...described} id={id} name={name} />
      <Described id={id} hint={hint} error={error} />
    </p>
  );
}

export function TextArea({
  label,
  hint,
  name,
  refusal = null,
  limits = {},
  ...input
}: Labelled & ComponentProps<"textarea">) {
  const { id, error, described } = useDescription(name, refusal, hint);
  const { min: _, max: __, ...own } = limits;
  return (
    <p className="field">
      <label htmlFor={id}>{label}</label>
      <textarea {...own} {...input} {...described} id={id} name={name} />
      <Described id={id} hint={hint} error={error} />
    </p>
  );
}

export interface Option {
  value: string;
  text: string;
  /** The heading under which a select box lists the option, together with its neighbours of the same group. */
  group?: string;
}

interface SelectProps extends Omit<Labelled, "limits"> {
  options: readonly Option[];
  value?: string;
  defaultValue?: string;
  onPick?: (value: string) => void;
  isRequired?: boolean;
}

export function Select({
  label,
  hint,
  name,
  refusal = null,
  options,
  onPick,
  isRequired = false,
  ...select
}: SelectProps) {
  const { id, error, described } = useDescription(name, refusal, hint);
  return (
    <p className="field">
      <label htmlFor={id}>{label}</label>
      <select
        {...select}
        {...described}
        id={id}
        name={name}
        required={isRequired}
        onChange={(event) => onPick?.(event.currentTarget.value)}
      >
        {groupsIn(options).map(({ group, among }) =>
          group === undefined ? (
            <Options key="" options={among} />
          ) : (
            <optgroup key={group} label={group}>
              <Options options={among} />
            </optgroup>
          ),
        )}
      </select>
      <Described id={id} hint={hint} error={error} />
    </p>
  );
}

function Options({ options }: { options: readonly Option[] }) {
  return options.map(({ value, text }) => (
    <option key={value} value={value}>
      {text}
    </option>
  ));
}

function groupsIn(options: readonly Option[]): { group: string | undefined; among: Option[] }[] {
  const groups: { group: string | undefined; among: Option[] }[] = [];
  for (const option of options) {
    const last = groups.at(-1);
    if (last !== undefined && last.group === option.group) last.among.push(option);
    else groups.push({ group: option.group, among: [option] });
  }
  return groups;
}

interface FilterSelectProps<T extends string> {
  label: string;
  name: string;
  /** Null while no value is selected. */
  value: T | null;
  values: readonly T[];
  texts: Readonly<Record<T, string>>;
  /** The label of the option that selects all values. */
  all?: string;
  /** Called with the selected value, or with an empty text for all values. */
  onPick: (value: string) => void;
}

/** A select box that filters a list by one value or by none. */
export function FilterSelect<T extends string>({
  label,
  name,
  value,
  values,
  texts,
  all = words.all,
  onPick,
}: FilterSelectProps<T>) {
  const options = [{ value: "", text: all }, ...values.map((one) => ({ value: one, text: texts[one] }))];
  return <Select label={label} name={name} value={value ?? ""} options={options} onPick={onPick} />;
}

const TYPED_MS = 300;

/** A search field that calls `onSearch` a moment after the last key. `value` is the text in the page's URL. */
export function SearchField({
  label,
  value,
  onSearch,
}: {
  label: string;
  value: string;
  onSearch: (words: string) => void;
}) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  // The browser's back and forward buttons change the text in the URL
  if (known !== value) {
    setKnown(value);
    setTyped(value);
  }
  useEffect(() => {
    if (typed.trim() === value) return;
    const timer = setTimeout(() => onSearch(typed.trim()), TYPED_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onSearch]);
  return (
    <Field
      label={label}
      name="search"
      type="search"
      maxLength={100}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}

interface DropProps {
  label: string;
  /** What to drop here, for people with a mouse. */
  text: string;
  hint: ReactNode;
  /** The file types that the browser offers first. */
  accept: string;
  onFiles: (files: readonly File[]) => void;
}

/** A field for a file, which can also be dropped anywhere on the page: beside the field, a browser would open it. */
export function Drop({ label, text, hint, accept, onFiles }: DropProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") === true;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    // Also fired between the elements of the page, which have a related target
    const leave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setOver(false);
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0) latest.current(files);
    };
    window.addEventListener("dragover", over);
    window.addEventListener("dragleave", leave);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragover", over);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("drop", drop);
    };
  }, []);
  return (
    <div className={isOver ? "drop over" : "drop"}>
      <Icon of={fileUp} />
      <p>{text}</p>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept={accept}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // The same file can be chosen again after it was corrected
          currentTarget.value = "";
          if (files.length > 0) onFiles(files);
        }}
      />
      <small id={`${id}-hint`}>{hint}</small>
    </div>
  );
}

function useDescription(name: string, refusal: Refusal | null, hint: ReactNode) {
  const id = useId();
  const error = refusal?.issueAt(name) ?? null;
  const by = [...(hint === undefined ? [] : [`${id}-hint`]), ...(error === null ? [] : [`${id}-error`])].join(" ");
  const described = {
    ...(by !== "" && { "aria-describedby": by }),
    ...(error !== null && { "aria-invalid": true as const }),
  };
  return { id, error, described };
}

function Described({ id, hint, error }: { id: string; hint: ReactNode; error: string | null }) {
  return (
    <>
      {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
      {error !== null && (
        <small id={`${id}-error`} className="wrong">
          {error}
        </small>
      )}
    </>
  );
}

import { useLocation } from "@tanstack/react-router";
import tray from "lucide/dist/esm/icons/inbox.mjs";
import { type ReactNode, useEffect, useRef } from "react";
import { prefix } from "../api/prefix.ts";
import type { Called } from "../api/query.ts";
import { words } from "../words/en.ts";
import { formatCount } from "../words/format.ts";
import { RefusalAlert } from "./alert.tsx";
import { Icon, type Shapes } from "./icon.tsx";
import { Looking } from "./looking.tsx";

interface PageProps {
  title: string;
  /** What the page is for, or whose it is, in a short line. */
  subtitle?: ReactNode;
  /** The one action of the page, perhaps with a menu of others. */
  actions?: ReactNode;
  children: ReactNode;
}

/**
 * True until the first page is shown. On later pages the focus moves to the title, for people who use a screen reader.
 */
let isFirst = true;

/** A page with its title, which is also the browser tab's title. */
export function Page({ title, subtitle, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    document.title = `${title} · ${words.product}`;
  }, [title]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is another page, also in the same component
  useEffect(() => {
    if (isFirst) isFirst = false;
    else heading.current?.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <>
      <div className="top">
        <div className="title">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {subtitle !== undefined && <p className="fine">{subtitle}</p>}
        </div>
        {actions !== undefined && <div className="actions">{actions}</div>}
      </div>
      {children}
    </>
  );
}

interface PartsProps<T extends string> {
  /** The name of the row of tabs for screen readers. */
  label: string;
  parts: readonly T[];
  names: Readonly<Record<T, string>>;
  /** The number of entries of a part, where it is known. */
  counts?: Partial<Readonly<Record<T, number>>>;
  open: T;
  onOpen: (part: T) => void;
}

/** The tabs of a page. Which one is open is in the URL, so the browser's back button returns to the one before. */
export function Parts<T extends string>({ label, parts, names, counts = {}, open, onOpen }: PartsProps<T>) {
  return (
    <nav aria-label={label} className="parts">
      {parts.map((part) => {
        const count = counts[part];
        return (
          <button
            key={part}
            type="button"
            aria-current={open === part ? "true" : undefined}
            onClick={() => onOpen(part)}
          >
            {names[part]}
            {count !== undefined && <span className="count">{formatCount(count)}</span>}
          </button>
        );
      })}
    </nav>
  );
}

interface StepsProps<T extends string> {
  /** The name of the list for screen readers. */
  label: string;
  steps: readonly T[];
  names: Readonly<Record<T, string>>;
  open: T;
}

/** The steps of a task on one page, of which one is open. */
export function Steps<T extends string>({ label, steps, names, open }: StepsProps<T>) {
  const at = steps.indexOf(open);
  return (
    <ol className="steps" aria-label={label}>
      {steps.map((step, index) => (
        <li key={step} className={index < at ? "past" : ""} aria-current={step === open ? "step" : undefined}>
          {names[step]}
        </li>
      ))}
    </ol>
  );
}

/** The heading of a step. It takes the focus when the step opens, because the button that opened it is gone. */
export function StepHeading({ isFirst = false, children }: { isFirst?: boolean; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isFirst) heading.current?.focus({ preventScroll: true });
  }, [isFirst]);
  return (
    <h2 ref={heading} tabIndex={-1}>
      {children}
    </h2>
  );
}

/** A page whose data is still loading or could not be loaded. */
export function UnreadPage({
  called: { refusal, isLooking, again },
}: {
  called: Pick<Called<unknown>, "refusal" | "isLooking" | "again">;
}) {
  return (
    <Page title="…">
      <Looking isLooking={isLooking} />
      {refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
    </Page>
  );
}

/** An empty list: what it is, why it is empty, and the one thing to do next. */
export function Empty({ text, icon = tray, children }: { text: string; icon?: Shapes; children?: ReactNode }) {
  return (
    <>
      <Icon of={icon} />
      <p>{text}</p>
      {children}
    </>
  );
}

/** A link to the API reference, for tasks that have no page in the console. */
export function ReferenceLink() {
  return (
    <a className="button" href={`${prefix}/api/v1/reference/`} target="_blank" rel="noreferrer">
      {words.reference}
    </a>
  );
}

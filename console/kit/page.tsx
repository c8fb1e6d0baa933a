import { useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { prefix } from "../api/prefix.ts";
import type { Called } from "../api/query.ts";
import { words } from "../words/en.ts";
import { RefusalAlert } from "./alert.tsx";
import { Looking } from "./looking.tsx";

interface PageProps {
  title: string;
  /** One or two actions beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/**
 * True until the first page is shown. On later pages the focus moves to the title, for people who use a screen reader.
 */
let isFirst = true;

/** A page with its title, which is also the browser tab's title. */
export function Page({ title, actions, children }: PageProps) {
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
      <div className="title">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions !== undefined && <div className="actions">{actions}</div>}
      </div>
      {children}
    </>
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
export function Empty({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <>
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

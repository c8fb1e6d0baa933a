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
 * On the first page the focus stays where the browser puts it. Each further page moves it to the title, for people who
 * use a screen reader.
 */
let isFirst = true;

/** A page with its title, which is also the title of the tab. */
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

/** A page whose data has not been read yet, or could not be read. */
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

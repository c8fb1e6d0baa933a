import { useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { prefix } from "../api/prefix.ts";
import type { Called } from "../api/query.ts";
import { words } from "../words/en.ts";
import { RefusalAlert } from "./alert.tsx";
import { Looking } from "./looking.tsx";

interface PageProps {
  title: string;
  /** What stands beside the title: the one or two things to do here. */
  actions?: ReactNode;
  children: ReactNode;
}

/**
 * The first page keeps the focus where the browser puts it; after each further one it is on the title, for whoever
 * hears the page.
 */
let isFirst = true;

/** One page: its title, in the tab too, and what is on it. */
export function Page({ title, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    document.title = `${title} · ${words.product}`;
  }, [title]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is another page, also where the same component shows it
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

/** The page of something that has not been read yet, or could not be. */
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

/** Where nothing is yet: what it is and why it is empty, and the one thing to do next. */
export function Empty({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <>
      <p>{text}</p>
      {children}
    </>
  );
}

/** The way to what the console has no page for. */
export function ReferenceLink() {
  return (
    <a className="button" href={`${prefix}/api/v1/reference/`} target="_blank" rel="noreferrer">
      {words.reference}
    </a>
  );
}

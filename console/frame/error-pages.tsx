import type { ErrorComponentProps } from "@tanstack/react-router";
import { refusalOf } from "../api/refusal.ts";
import { Page } from "../kit/page.tsx";
import { words } from "../words/en.ts";

/** Shown where a page failed unexpectedly, or where its file is gone because the service was updated. */
export function Broken({ error }: ErrorComponentProps) {
  const { message } = refusalOf(error);
  const isGone = /dynamically imported module|module script|preload/i.test(message);
  return (
    <Page title={words.frame.broken}>
      <div className="alert bad" role="alert">
        <p>{isGone ? words.frame.newVersion : words.frame.brokenText}</p>
        {!isGone && (
          <p>
            <code>{message}</code>
          </p>
        )}
        <button type="button" onClick={() => location.reload()}>
          {words.frame.reload}
        </button>
      </div>
    </Page>
  );
}

/** An address within a workspace that is no page. */
export function NoSuchPage() {
  return (
    <Page title={words.frame.noSuchPage}>
      <p>{words.frame.noSuchPageText}</p>
    </Page>
  );
}

/** The same outside of every workspace, where nothing stands around it. */
export function LostPage() {
  return (
    <main className="lone">
      <NoSuchPage />
    </main>
  );
}

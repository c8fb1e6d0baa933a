import type { ErrorComponentProps } from "@tanstack/react-router";
import { refusalOf } from "../api/refusal.ts";
import { Page } from "../kit/page.tsx";
import { words } from "../words/en.ts";

/** Shown if a page failed unexpectedly, or if its file is gone because the service was updated. */
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

/** For an address within a workspace that has no page. */
export function NoSuchPage() {
  return (
    <Page title={words.frame.noSuchPage}>
      <p>{words.frame.noSuchPageText}</p>
    </Page>
  );
}

/** The same for an address outside of every workspace, where there is no frame. */
export function LostPage() {
  return (
    <main className="lone">
      <NoSuchPage />
    </main>
  );
}

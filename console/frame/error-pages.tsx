import type { ErrorComponentProps } from "@tanstack/react-router";
import { refusalOf } from "../api/refusal.ts";
import { Page } from "../kit/page.tsx";
import { words } from "../words/en.ts";

/** Shown when a page fails unexpectedly, or when its file no longer exists because the service was updated. */
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

/** Shown for a URL within a workspace that has no page. */
export function NoSuchPage() {
  return (
    <Page title={words.frame.noSuchPage}>
      <p>{words.frame.noSuchPageText}</p>
    </Page>
  );
}

/** Shown for a URL without a workspace that has no page; it has no frame with navigation. */
export function LostPage() {
  return (
    <main className="lone">
      <NoSuchPage />
    </main>
  );
}

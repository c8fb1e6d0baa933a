import { Page } from "../kit/page.tsx";
import { words } from "../words/en.ts";

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

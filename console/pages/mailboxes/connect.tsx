import { SCOPES } from "../../../domain/scopes.ts";
import { useCall } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { Notice, RefusalAlert } from "../../kit/alert.tsx";
import { Looking } from "../../kit/looking.tsx";
import { Page } from "../../kit/page.tsx";
import { type Raw, useView } from "../../kit/view.ts";
import { connectWords as says } from "../../words/en/mailboxes/connect.ts";
import { words } from "../../words/en.ts";
import { Consents } from "./consents.tsx";
import { Credentials } from "./credentials.tsx";
import type { Mailbox } from "./reads.ts";

function readView(raw: Raw) {
  return { mailbox: raw["mailbox"] ?? null };
}

/** Connects a mailbox, or the one that the address names again: by a consent in the browser, or by servers and a password. */
export function ConnectMailbox() {
  const may = useMay();
  const [{ mailbox: mailboxId }] = useView(readView);
  if (!may("mailboxes:connect")) {
    return (
      <Page title={says.title}>
        <Notice>{words.mayNot(SCOPES["mailboxes:connect"])}</Notice>
      </Page>
    );
  }
  return mailboxId === null ? <New /> : <Again mailboxId={mailboxId} />;
}

function New() {
  return (
    <Page title={says.title}>
      <Ways mailbox={null} />
    </Page>
  );
}

function Again({ mailboxId }: { mailboxId: string }) {
  const { data: mailbox, refusal, isLooking, again } = useCall("get /mailboxes/:mailboxId", { mailboxId });
  if (mailbox === undefined) {
    return (
      <Page title={says.title}>
        <Looking isLooking={isLooking} />
        {refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
      </Page>
    );
  }
  return (
    <Page title={says.again(mailbox.email)}>
      <Ways mailbox={mailbox} />
    </Page>
  );
}

/** The easier way first: a consent where a provider is set up for it, else a password. */
function Ways({ mailbox }: { mailbox: Mailbox | null }) {
  const providers = useCall("get /mailboxes/providers", {});
  const isOffered = providers.data?.some(({ canConsent }) => canConsent) !== false;
  const consents = <Consents key="consents" mailbox={mailbox} providers={providers} />;
  const credentials = <Credentials key="credentials" mailbox={mailbox} />;
  return isOffered ? [consents, credentials] : [credentials, consents];
}

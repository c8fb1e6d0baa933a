import { useState } from "react";
import { mailHostOf } from "../../../domain/deliverability/mail-hosts.ts";
import { PROVIDER_NAMES } from "../../../domain/mailboxes/provider.ts";
import { SCOPES } from "../../../domain/scopes.ts";
import type { In, Out } from "../../api/call.ts";
import { useWorkspaceId } from "../../api/path-id.ts";
import { type Called, useCall, useWrite } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { Notice, RefusalAlert } from "../../kit/alert.tsx";
import { Field } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Looking } from "../../kit/looking.tsx";
import { Page } from "../../kit/page.tsx";
import { pathTo, To } from "../../kit/to.tsx";
import { type Raw, useView } from "../../kit/view.ts";
import { connectWords as says } from "../../words/en/mailboxes/connect.ts";
import { words } from "../../words/en.ts";
import { Credentials } from "./credentials.tsx";
import type { Mailbox } from "./reads.ts";

function readView(raw: Raw) {
  return { mailbox: raw["mailbox"] ?? null };
}

/**
 * Connects a new mailbox, or reconnects the mailbox in the URL: by signing in at its provider, or with servers and a
 * password.
 */
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
    <Page
      title={says.title}
      actions={
        <To page="/mailboxes/import" className="button">
          {says.many}
        </To>
      }
    >
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

/** Both ways to connect, the easier one first: signing in at the provider if that is set up, otherwise a password. */
function Ways({ mailbox }: { mailbox: Mailbox | null }) {
  const providers = useCall("get /mailboxes/providers", {});
  const isOffered = providers.data?.some(({ canConsent }) => canConsent) !== false;
  const consents = <Consents key="consents" mailbox={mailbox} providers={providers} />;
  const credentials = <Credentials key="credentials" mailbox={mailbox} />;
  return isOffered ? [consents, credentials] : [credentials, consents];
}

type Provider = Out<"get /mailboxes/providers">[number];

const START = { A: "providerAOAuthStart", B: "providerBOAuthStart" } as const;

/**
 * Buttons to sign in at a provider; for a provider that is not set up, what is missing. After signing in, the person
 * returns to the page they left.
 */
function Consents({ mailbox, providers }: { mailbox: Mailbox | null; providers: Called<Provider[]> }) {
  const workspaceId = useWorkspaceId();
  const { data, refusal, isLooking, again } = providers;
  const { start, isLeaving, leave } = useConsent();
  const returnTo =
    mailbox === null
      ? pathTo(workspaceId, "/mailboxes")
      : pathTo(workspaceId, "/mailboxes/$mailboxId", { mailboxId: mailbox.id });
  const go = ({ provider }: Provider) =>
    leave(
      provider === "B" && isShared(mailbox)
        ? { action: START.B, returnTo, sharedMailbox: mailbox.email }
        : { action: START[provider], returnTo },
    );
  if (data === undefined)
    return refusal === null ? <Looking isLooking={isLooking} /> : <RefusalAlert refusal={refusal} again={again} />;
  const offered = data.filter(({ canConsent }) => canConsent);
  return (
    <section aria-labelledby="consents">
      <h2 id="consents">{says.byConsent}</h2>
      {offered.length > 0 && <p>{says.byConsentText}</p>}
      {start.refusal !== null && <RefusalAlert refusal={start.refusal} />}
      {offered.length > 0 && (
        <div className="filters">
          {offered.map((provider) => (
            <button
              key={provider.provider}
              type="button"
              aria-disabled={start.isRunning || isLeaving}
              onClick={() => void go(provider)}
            >
              {provider.logo !== null && <img src={provider.logo} alt="" width={16} height={16} />}{" "}
              {says.consent(providerName(provider))}
            </button>
          ))}
        </div>
      )}
      <p role="status">{isLeaving ? says.leaving : ""}</p>
      {mailbox === null && offered.some(({ canShare }) => canShare) && <Shared returnTo={returnTo} />}
      {offered.map(
        (provider) =>
          provider.adminConsentUrl !== null && (
            <p key={provider.provider} className="fine">
              {says.adminConsent(providerName(provider))}{" "}
              <a href={provider.adminConsentUrl} target="_blank" rel="noreferrer">
                {says.adminConsentLink(providerName(provider))}
              </a>
            </p>
          ),
      )}
      {data.map((provider) =>
        provider.missingSetting === null ? null : (
          <p key={provider.provider} className="fine">
            {says.notSetUp(provider.name, provider.missingSetting)}
          </p>
        ),
      )}
    </section>
  );
}

type Start = Extract<In<"post /mailboxes/connect">, { action: (typeof START)["A" | "B"] }>;

/** Starts a consent, and leaves for the page of the provider. */
function useConsent() {
  const start = useWrite("post /mailboxes/connect", { renews: [] });
  const [isLeaving, setLeaving] = useState(false);
  const leave = async (input: Start) => {
    const answer = isLeaving ? null : await start.run(input);
    if (answer === null) return;
    setLeaving(true);
    location.assign(answer.authUrl);
  };
  return { start, isLeaving, leave };
}

/** Connects a shared mailbox by the consent of a user who may open it. */
function Shared({ returnTo }: { returnTo: string }) {
  const { start, isLeaving, leave } = useConsent();
  return (
    <details>
      <summary>{says.shared}</summary>
      <p>{says.sharedText}</p>
      <Form
        act={says.sharedStart}
        isRunning={start.isRunning || isLeaving}
        refusal={start.refusal}
        fields={["sharedMailbox"]}
        onSubmit={({ text }) => void leave({ action: START.B, returnTo, sharedMailbox: text("sharedMailbox") })}
        mayBeLost
      >
        <Field label={says.sharedAddress} name="sharedMailbox" type="email" refusal={start.refusal} required />
      </Form>
    </details>
  );
}

/** Whether it is a shared mailbox, which another user's consent opens. */
function isShared(mailbox: Mailbox | null): mailbox is Mailbox {
  return mailbox !== null && mailbox.transport === "GRAPH" && mailbox.username?.includes("@") === true;
}

/** The name that the operator gave the provider; without one, the name of the company whose servers it uses. */
function providerName({ name, smtp, provider }: Provider): string {
  return name !== PROVIDER_NAMES[provider] || smtp === null ? name : (mailHostOf(smtp.host)?.name ?? smtp.host);
}

import { readUndo, signUndo } from "../../domain/access/address-token.ts";
import { AppError } from "../../domain/errors.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { OAuthState } from "../../models/mailboxes/oauth-state.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { appendAuditEntry } from "../access/audit.ts";
import { loadWorkspaceName } from "../access/workspaces.ts";
import type { Services } from "../context.ts";
import { DISCONNECTED, silenceMailbox, WITHOUT_CONSENT } from "./disconnect.ts";

/** The facts that the owner of the mailbox must see. */
export interface Connection {
  email: string;
  workspace: string;
}

const VALID_MS = DAY_MS;

/**
 * The token that undoes what a consent has connected. A consent that an API key started is not bound to a browser, so
 * someone else may have sent the link to the person who consented. Only the page at the end of the consent is sure to
 * reach that person.
 */
export function undoTokenOf({ signing }: Services, workspaceId: string, consentId: string): string {
  return signUndo(signing.undo, { workspaceId, consentId, until: Date.now() + VALID_MS });
}

/**
 * The connection that the token would undo; changes nothing. @throws AppError ROUTE_NOT_FOUND when there is nothing to
 * undo
 */
export async function findUndoable(services: Services, token: string): Promise<Connection> {
  return told((await madeBy(services, token)).mailbox);
}

/**
 * Undoes the connection, once: erases the credentials and informs the provider. A mailbox that existed before the
 * consent stays in its workspace with its history and waiting recipients, and must be connected again.
 * @throws AppError ROUTE_NOT_FOUND when it was already undone, or the mailbox was since disconnected or connected in
 * another way
 */
export async function undoConsent(
  services: Services,
  token: string,
  from: { ip: string | null; traceId: string },
): Promise<Connection> {
  const mailbox = await inTransaction(async () => {
    const { mailbox, consent } = await madeBy(services, token);
    const { _id: consentId, workspaceId, mailboxBefore } = consent;
    const isOlder = mailboxBefore !== null && mailboxBefore !== "DISCONNECTED";
    await silenceMailbox(mailbox, services, isOlder ? WITHOUT_CONSENT : DISCONNECTED);
    const actor = { kind: "CONSENT" as const, id: consentId };
    await appendAuditEntry(
      { workspaceId, actor, action: "mailboxes.undoConsent", input: { mailboxId: mailbox._id }, ...from },
      "DONE",
      null,
    );
    return mailbox;
  });
  return told(mailbox);
}

/**
 * Loads the consent of a token, and the mailbox that still uses it. After it was disconnected or connected in another
 * way, a mailbox never uses that consent again.
 */
async function madeBy({ signing }: Services, token: string): Promise<{ consent: OAuthState; mailbox: Mailbox }> {
  const named = readUndo(signing.undo, token, Date.now());
  if (named === null) throw over();
  const { OAuthState, Mailbox } = scoped(named.workspaceId);
  const consent = await OAuthState.get(named.consentId);
  if (consent === null || consent.mailboxId === null || consent.grantId === null) throw over();
  const mailbox = await Mailbox.get(consent.mailboxId);
  if (mailbox === null || mailbox.grantId !== consent.grantId) throw over();
  return { consent, mailbox };
}

function over(): AppError {
  return new AppError(
    "ROUTE_NOT_FOUND",
    "This address is not valid any more: it can be used once, within 24 hours, while the connection exists",
  );
}

async function told({ email, workspaceId }: Mailbox): Promise<Connection> {
  return { email, workspace: await loadWorkspaceName(workspaceId) };
}

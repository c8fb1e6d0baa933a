import { setTimeout as delay } from "node:timers/promises";
import type { ImapFlow } from "imapflow";
import { listMessages, readHeaders, readRaw } from "../../connectors/gmail/messages.ts";
import { listNewest, readMime } from "../../connectors/graph/mime.ts";
import { logout } from "../../connectors/imap/connection.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { PROBE } from "../../domain/mailboxes/dns-check.ts";
import type { MailProviders } from "../../domain/mailboxes/provider.ts";
import { apiOf, type MailApi } from "../../domain/mailboxes/transport.ts";
import { SECOND_MS } from "../../domain/time/durations.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Send } from "../../models/sending/send.ts";
import { type ApiAccess, withApiAccess } from "./api-access.ts";
import { isApiTrouble } from "./api-trouble.ts";
import type { Logins } from "./logins.ts";

export interface ProbeDeps {
  openOf(mailbox: Mailbox): Promise<ImapFlow>;
  egress: Egress;
  logins: Logins;
  providers: MailProviders;
}

const LOOK_EVERY_MS = 2_000;
/** How many of the newest emails an API is asked about at each look. */
const NEWEST = 10;

/**
 * Waits for the probe email in the inbox and returns its bytes; null when it does not arrive in time. The copy in Sent
 * shows what was given to the provider, not what left.
 */
export async function waitForProbe(
  deps: ProbeDeps,
  mailbox: Mailbox,
  send: Send,
  signal: AbortSignal,
): Promise<Buffer | null> {
  const api = apiOf(deps.providers, mailbox);
  if (api !== null) {
    const look = lookOver(api.transport, send);
    return until(() => withApiAccess(deps, mailbox, api, signal, look).catch(nothingYet), signal);
  }
  const client = await deps.openOf(mailbox);
  try {
    await client.mailboxOpen("INBOX", { readOnly: true });
    return await until(() => lookByImap(client, send), signal);
  } finally {
    logout(client);
  }
}

async function until(look: () => Promise<Buffer | null>, signal: AbortSignal): Promise<Buffer | null> {
  const end = Date.now() + PROBE.arrivalMs;
  while (Date.now() < end) {
    const found = await look();
    if (found !== null) return found;
    await delay(LOOK_EVERY_MS, undefined, { signal });
  }
  return null;
}

async function lookByImap(client: ImapFlow, { messageId, subject }: Send): Promise<Buffer | null> {
  await client.noop();
  const [uid] =
    (await client.search({ header: { "message-id": messageId ?? "" } }, { uid: true })) ||
    (await client.search({ header: { subject: subject ?? "" } }, { uid: true })) ||
    [];
  const message = uid === undefined ? false : await client.fetchOne(String(uid), { source: true }, { uid: true });
  return message ? (message.source ?? null) : null;
}

/** Returns a look that asks about each email once. */
function lookOver(transport: MailApi["transport"], send: Send): (access: ApiAccess) => Promise<Buffer | null> {
  const others = new Set<string>();
  const since = Math.floor(send.createdAt.getTime() / SECOND_MS) - 60;
  return async (access) => {
    if (transport === "GRAPH") {
      const found = (await listNewest(access, NEWEST)).find(({ subject }) => subject === send.subject);
      return found === undefined ? null : readMime(access, found.id);
    }
    const { ids } = await listMessages(access, `in:inbox after:${since}`, null);
    for (const id of ids.slice(0, NEWEST).filter((each) => !others.has(each))) {
      const headers = await readHeaders(access, id, ["Subject"]);
      if (headers.get("subject") === send.subject) return (await readRaw(access, id)).bytes;
      others.add(id);
    }
    return null;
  };
}

/** The provider may be busy, or not have the email yet. @throws any other error */
function nothingYet(error: unknown): null {
  if (!isApiTrouble(error)) throw error;
  return null;
}

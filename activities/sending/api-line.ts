import type { Logger } from "pino";
import type { BearerAccess } from "../../connectors/bearer-call.ts";
import { listSenders, readHeaders } from "../../connectors/gmail/messages.ts";
import * as gmail from "../../connectors/gmail/send.ts";
import { GmailTrouble } from "../../connectors/gmail/trouble.ts";
import * as graph from "../../connectors/graph/send.ts";
import { GraphTrouble } from "../../connectors/graph/trouble.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { EgressError } from "../../connectors/net/egress-error.ts";
import { OAuthTrouble } from "../../connectors/oauth.ts";
import { SmtpTrouble, type Transmission } from "../../connectors/smtp/connection.ts";
import type { NoReplyCause } from "../../domain/bounces/refusal.ts";
import { type SenderError, senderError } from "../../domain/mailboxes/connection-error.ts";
import type { MailProviders } from "../../domain/mailboxes/provider.ts";
import { apiOf, type MailApi, type ProviderDraft } from "../../domain/mailboxes/transport.ts";
import { troubleOfApi } from "../../domain/sending/api-trouble.ts";
import { TO_THE_WIRE_MS } from "../../domain/sending/last-look.ts";
import type { Trouble } from "../../domain/sending/smtp-trouble.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { type ApiAccess, withApiAccess } from "../mailboxes/api-access.ts";
import type { Logins } from "../mailboxes/logins.ts";
import type { MailLine } from "./line.ts";
import { nameCopies } from "./name-copies.ts";

export interface ApiLineDeps {
  egress: Egress;
  logins: Logins;
  providers: MailProviders;
  log: Logger;
}

/** How one provider's API sends: always from a draft, whose id settles a lost answer. */
interface DraftSender {
  create(access: ApiAccess, bytes: Buffer, threadId: string | null): Promise<ProviderDraft>;
  /** Never repeated. `mayBegin` is asked immediately before the request is written. */
  send(access: ApiAccess, draft: ProviderDraft, mayBegin: () => boolean): Promise<DraftSent>;
  discard(access: ApiAccess, draft: ProviderDraft): Promise<void>;
}

type DraftSent =
  | { kind: "sent"; response: string; serverMessageId: string | null; threadId: string | null }
  | { kind: "refused" | "lost"; trouble: GmailTrouble | GraphTrouble };

const SENDERS: Readonly<Record<MailApi["transport"], DraftSender>> = {
  GMAIL_API: {
    create: async (access, bytes, threadId) => ({
      transport: "GMAIL_API",
      ...(await gmail.createDraft(access, bytes, threadId)),
    }),
    async send(access, draft, mayBegin) {
      const sent = await gmail.sendDraft(access, draft, mayBegin);
      if (sent.kind !== "sent") return sent;
      const { messageId: id, threadId } = sent;
      return {
        kind: "sent",
        response: "accepted by the Gmail API",
        serverMessageId: await wireId(access, id),
        threadId,
      };
    },
    discard: async (access, draft) => void (await gmail.deleteDraft(access, draft)),
  },
  GRAPH: {
    create: async (access, bytes) => ({ transport: "GRAPH", ...(await graph.createDraft(access, bytes)) }),
    async send(access, draft, mayBegin) {
      const sent = await graph.sendDraft(access, draft, mayBegin);
      if (sent.kind !== "accepted") return sent;
      // Its Message-ID is decided when transport takes it; the copy in the folder of sent email shows it
      return { kind: "sent", response: "accepted by Microsoft Graph", serverMessageId: null, threadId: null };
    },
    discard: (access, draft) => graph.deleteDraft(access, draft),
  },
};

/** How many milliseconds the accepted addresses of a Gmail account are trusted. */
const SENDER_MS = DAY_MS;

/** The Message-ID that left, since Gmail replaces ours. Without an answer it is learnt from the folder of sent email. */
async function wireId(access: BearerAccess, messageId: string): Promise<string | null> {
  try {
    return (await readHeaders(access, messageId, ["Message-ID"])).get("message-id") ?? null;
  } catch (error) {
    if (!(error instanceof GmailTrouble)) throw error;
    return null;
  }
}

/**
 * A line over the API of the mailbox's provider.
 * @throws SmtpTrouble when the provider is not configured for it, or would send as another address
 */
export async function openApiLine(
  { egress, logins, providers, log }: ApiLineDeps,
  mailbox: Mailbox,
): Promise<MailLine> {
  const found = apiOf(providers, mailbox);
  if (found === null) throw new SmtpTrouble(troubleOfApi("off", { reason: "The provider's API is not configured" }));
  const api: MailApi = found;
  const { transport } = api;
  const sender = SENDERS[transport];

  function withAccess<T>(attempt: (access: ApiAccess) => Promise<T>): Promise<T> {
    return withApiAccess({ egress, logins }, mailbox, api, new AbortController().signal, attempt);
  }

  async function transmit(
    ...[to, bytes, mayGo, options = {}]: Parameters<MailLine["transmit"]>
  ): Promise<Transmission> {
    const { copies = [], inThread = null } = options;
    let access: ApiAccess | null = null;
    let draft: ProviderDraft;
    try {
      draft = await withAccess((current) => {
        access = current;
        return sender.create(current, nameCopies(bytes, [to].flat().slice(1).concat(copies)), inThread);
      });
    } catch (error) {
      const trouble = troubleOf(error, mailbox);
      logRefused(error);
      return trouble.code === null ? { kind: "lost", inData: false, trouble } : { kind: "refused", trouble };
    }
    if (access === null) throw new Error("A draft without access to its mailbox");
    if (!(await mayGo(draft))) {
      await discard(access, draft);
      return { kind: "withdrawn" };
    }
    const lookedAt = performance.now();
    const sent = await sender.send(access, draft, () => performance.now() - lookedAt <= TO_THE_WIRE_MS);
    if (sent.kind === "sent") return sent;
    const trouble = troubleOf(sent.trouble, mailbox);
    logRefused(sent.trouble);
    if (sent.kind === "lost") return { kind: "lost", inData: true, trouble };
    await discard(access, draft);
    return trouble.code === null ? { kind: "lost", inData: false, trouble } : { kind: "refused", trouble };
  }

  /** A draft that is left would be in the way of the mailbox's owner, but no one sends it. */
  async function discard(access: ApiAccess, draft: ProviderDraft): Promise<void> {
    await sender
      .discard(access, draft)
      .catch((err) => log.warn({ mailboxId: mailbox._id, err }, "a draft that was not sent could not be deleted"));
  }

  function logRefused(err: unknown): void {
    log.warn({ mailboxId: mailbox._id, transport, err }, "the provider's API did not take an email");
  }

  await checkSender().catch((error: unknown) => {
    throw error instanceof SmtpTrouble ? error : new SmtpTrouble(troubleOf(error, mailbox), { cause: error });
  });
  return { hasEnvelopes: false, transmit };

  /** Gmail replaces an address that it does not accept by the account's own, and says nothing (rules/sending 5.12). */
  async function checkSender(): Promise<void> {
    const { workspaceId, _id, email, senderCheckedAt = null } = mailbox;
    if (transport !== "GMAIL_API" || Date.now() - (senderCheckedAt?.getTime() ?? 0) < SENDER_MS) return;
    const accepted = await withAccess(listSenders);
    if (!accepted.includes(email)) throw new SmtpTrouble(parkedTrouble(senderError("SENDER_NOT_ACCEPTED", email)));
    await scoped(workspaceId).Mailbox.updateOne({ _id }, { $set: { senderCheckedAt: new Date() } });
  }
}

/** @throws any error that is not the API's or the login's */
function troubleOf(error: unknown, { email, username }: Mailbox): Trouble {
  if (error instanceof GmailTrouble) {
    const { kind, reason, retryAt } = error;
    const waitMs = retryAt === null ? null : retryAt - Date.now();
    const fault = kind === "gone" ? "away" : reason === "tooLarge" ? "tooLarge" : kind;
    return troubleOfApi(fault, { reason, waitMs }, causeOf(error));
  }
  if (error instanceof GraphTrouble) {
    const { kind, code: reason, waitMs } = error;
    if (reason === "ErrorSendAsDenied") return parkedTrouble(senderError("SEND_AS_DENIED", email));
    if (kind === "rights" && username !== email) return parkedTrouble(senderError("MAILBOX_ACCESS_DENIED", email));
    const fault = kind === "gone" || kind === "stale" ? "away" : reason === TOO_LARGE ? "tooLarge" : kind;
    return troubleOfApi(fault, { reason, waitMs }, causeOf(error));
  }
  // The consent was withdrawn between the claim and the draft
  if (error instanceof OAuthTrouble) return troubleOfApi(error.kind === "revoked" ? "off" : "away", {}, "UNREACHABLE");
  throw error;
}

/** The fault that parks the mailbox until its address may be used. */
function parkedTrouble(parks: SenderError): Trouble {
  return { ...troubleOfApi("rights", { reason: parks.code }), text: parks.message, parks };
}

const TOO_LARGE = "ErrorMessageSizeExceeded";

function causeOf({ cause }: Error): NoReplyCause {
  if (!(cause instanceof EgressError)) return "CLOSED";
  const causes: Partial<Record<EgressError["reason"], NoReplyCause>> = {
    TIMEOUT: "TIMEOUT",
    DNS_FAILED: "RESOLVE",
    TLS_FAILED: "TLS",
    ADDRESS_BLOCKED: "UNREACHABLE",
  };
  return causes[cause.reason] ?? "REFUSED";
}

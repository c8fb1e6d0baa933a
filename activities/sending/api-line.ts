import type { Logger } from "pino";
import { type BearerAccess, QuotaWait } from "../../connectors/bearer-call.ts";
import { listSenders, readHeaders } from "../../connectors/gmail/messages.ts";
import * as gmail from "../../connectors/gmail/send.ts";
import { GmailTrouble } from "../../connectors/gmail/trouble.ts";
import { EMAIL_UNITS } from "../../connectors/gmail/units.ts";
import * as graph from "../../connectors/graph/send.ts";
import { GraphTrouble } from "../../connectors/graph/trouble.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { EgressError } from "../../connectors/net/egress-error.ts";
import { OAuthTrouble } from "../../connectors/oauth.ts";
import { SmtpTrouble } from "../../connectors/smtp/connection.ts";
import type { NoReplyCause } from "../../domain/bounces/refusal.ts";
import type { MailProviders } from "../../domain/mailboxes/provider.ts";
import { apiOf, type MailApi, type ProviderDraft } from "../../domain/mailboxes/transport.ts";
import { LONG_WAIT_MS, troubleOfApi } from "../../domain/sending/api-trouble.ts";
import { TO_THE_WIRE_MS } from "../../domain/sending/last-look.ts";
import type { Trouble } from "../../domain/sending/smtp-trouble.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { type ApiAccess, withApiAccess } from "../mailboxes/api-access.ts";
import { prepaid, quotaAt } from "../mailboxes/api-quota.ts";
import { accessIn, isApiTrouble, waitMsOf } from "../mailboxes/api-trouble.ts";
import { type Logins, troubleOfTokens } from "../mailboxes/logins.ts";
import type { LineTransmission, MailLine } from "./line.ts";
import { nameCopies } from "./name-copies.ts";

export interface ApiLineDeps {
  egress: Egress;
  logins: Logins;
  providers: MailProviders;
  log: Logger;
}

/** How one provider's API sends: always from a draft, whose id settles a lost answer. */
interface DraftSender {
  /** All requests of an email together. */
  units: number;
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
    units: EMAIL_UNITS,
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
    units: 3,
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

/** A line over the API of the mailbox's provider. @throws SmtpTrouble when the provider is not configured for it */
export function openApiLine({ egress, logins, providers, log }: ApiLineDeps, mailbox: Mailbox): MailLine {
  const found = apiOf(providers, mailbox);
  if (found === null) throw new SmtpTrouble(troubleOfApi("off", { access: "API_NOT_ENABLED" }));
  const api: MailApi = found;
  const { transport } = api;
  const sender = SENDERS[transport];
  const quota = quotaAt(api, mailbox.email, "SEND");

  function withAccess<T>(attempt: (access: ApiAccess) => Promise<T>): Promise<T> {
    return withApiAccess(
      { egress, logins, quota: prepaid(quota) },
      mailbox,
      api,
      new AbortController().signal,
      attempt,
    );
  }

  /** Takes the units of the whole email first, so that nothing waits between the last look and the request. */
  async function transmit(...sending: Parameters<MailLine["transmit"]>): Promise<LineTransmission> {
    try {
      const end = await quota.begin(sender.units);
      return await transmitDraft(...sending).finally(end);
    } catch (error) {
      if (!(error instanceof QuotaWait)) throw error;
      return holdBack(error.waitMs);
    }
  }

  /** A wait of hours is a limit of the day, after which the mailbox rests. */
  function holdBack(waitMs: number): LineTransmission {
    if (waitMs >= LONG_WAIT_MS) return { kind: "refused", trouble: troubleOfApi("rate", { waitMs }) };
    log.info({ mailboxId: mailbox._id, transport, waitMs }, "an email waits for the limits of the provider's API");
    return { kind: "held", waitMs };
  }

  async function transmitDraft(
    ...[to, bytes, mayGo, options = {}]: Parameters<MailLine["transmit"]>
  ): Promise<LineTransmission> {
    const { copies = [], inThread = null, withdraws = async () => {} } = options;
    let access: ApiAccess | null = null;
    let draft: ProviderDraft;
    try {
      if (!(await maySend()))
        return { kind: "refused", trouble: troubleOfApi("rights", { access: "SENDER_NOT_ACCEPTED" }) };
      draft = await withAccess((current) => {
        access = current;
        return sender.create(current, nameCopies(bytes, [to].flat().slice(1).concat(copies)), inThread);
      });
    } catch (error) {
      const trouble = troubleOf(error, mailbox);
      logRefused(error);
      // A draft sends nothing, so its refusal says nothing about how much the mailbox may send
      if (isApiTrouble(error) && error.kind === "rate") return holdBack(waitMsOf(error));
      return trouble.code === null ? { kind: "lost", inData: false, trouble } : { kind: "refused", trouble };
    }
    if (access === null) throw new Error("A draft without access to its mailbox");
    if (!(await mayGo(draft))) {
      // A look that took too long has stored the draft nevertheless
      await withdraws(draft);
      await discard(access, draft);
      return { kind: "withdrawn" };
    }
    const lookedAt = performance.now();
    const sent = await sender.send(access, draft, () => performance.now() - lookedAt <= TO_THE_WIRE_MS);
    if (sent.kind === "sent") return sent;
    const trouble = troubleOf(sent.trouble, mailbox);
    logRefused(sent.trouble);
    if (sent.kind === "lost") return { kind: "lost", inData: true, trouble };
    await withdraws(draft);
    await discard(access, draft);
    // This process was too slow, which says nothing about the provider
    if (isNotBegun(sent.trouble)) return { kind: "late" };
    return trouble.code === null ? { kind: "lost", inData: false, trouble } : { kind: "refused", trouble };
  }

  /** Gmail replaces an address that it does not accept by the account's own, and says nothing (rules/sending 5.12). */
  async function maySend(): Promise<boolean> {
    const { workspaceId, _id, email, senderCheckedAt = null } = mailbox;
    if (transport !== "GMAIL_API" || Date.now() - (senderCheckedAt?.getTime() ?? 0) < SENDER_MS) return true;
    const accepted = await withAccess(listSenders);
    if (!accepted.includes(email)) return false;
    await scoped(workspaceId).Mailbox.updateOne({ _id }, { $set: { senderCheckedAt: new Date() } });
    return true;
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

  return { hasEnvelopes: false, transmit };
}

/** @throws any error that is not the API's or the login's */
function troubleOf(error: unknown, mailbox: Mailbox): Trouble {
  const access = accessIn(error, mailbox);
  if (error instanceof GmailTrouble) {
    const { kind, reason, retryAt } = error;
    const waitMs = retryAt === null ? null : retryAt - Date.now();
    const fault = kind === "gone" ? "away" : reason === "tooLarge" ? "tooLarge" : kind;
    return troubleOfApi(fault, { reason, waitMs, access }, causeOf(error));
  }
  if (error instanceof GraphTrouble) {
    const { kind, code: reason, waitMs } = error;
    const fault = kind === "gone" || kind === "stale" ? "away" : reason === TOO_LARGE ? "tooLarge" : kind;
    return troubleOfApi(fault, { reason, waitMs, access }, causeOf(error));
  }
  if (error instanceof OAuthTrouble) return troubleOfTokens(error);
  throw error;
}

function isNotBegun({ cause }: Error): boolean {
  return cause instanceof EgressError && cause.reason === "NOT_BEGUN";
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

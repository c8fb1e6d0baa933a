import { Context } from "@temporalio/activity";
import { ApplicationFailure } from "@temporalio/common";
import type { ImapFlow } from "imapflow";
import type { Logger } from "pino";
import { ImapTrouble, logout, openImap, troubleOf } from "../../connectors/imap/connection.ts";
import { createAuthenticate } from "../../connectors/mime/authentication.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { whyUnreached } from "../../connectors/net/why-unreached.ts";
import { OAuthTrouble } from "../../connectors/oauth.ts";
import type { PurposeKeys } from "../../domain/access/tokens.ts";
import { CONNECTION_ERRORS, EMAIL_UNREADABLE } from "../../domain/mailboxes/connection-error.ts";
import { type MailProviders, NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import type { MailboxIds, WatchResult } from "../../domain/mailboxes/sync.ts";
import { apiOf, isApi } from "../../domain/mailboxes/transport.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../domain/time/durations.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { HeedReply } from "../../store/inbox/arrival.ts";
import { recordAuthFailure, recordSuccess } from "../../store/mailboxes/faults.ts";
import type { CopyKeys } from "../../store/sending/sent-copy.ts";
import { findMailHosts } from "../mail-hosts.ts";
import { accessIn } from "../mailboxes/api-trouble.ts";
import { hasLogin, type Logins } from "../mailboxes/logins.ts";
import { watchApi } from "./api-watch.ts";
import { listen, type Watch, type WatchLimits } from "./listen.ts";
import { type NoticeLook, startNoticeLook } from "./notices.ts";
import { type NoticePull, startNoticePull } from "./pull-notices.ts";
import type { MailReader, WarmupReader } from "./read.ts";
import { compareSent, settleUnread } from "./sent-comparison.ts";
import { type CopyLook, sentCopies } from "./sent-copies.ts";
import { type EvidenceLook, startEvidenceLook } from "./sent-evidence.ts";
import { createUnreadArrivals } from "./unread.ts";

export interface ImapDeps {
  egress: Egress;
  logins: Logins;
  /** Where the APIs of mail providers are. Without them every mailbox is read by IMAP. */
  providers?: MailProviders;
  /** Verifies the tokens of links and unsubscribe emails, and recognises our own emails. */
  signing: PurposeKeys & CopyKeys;
  /** How warmup recognises its emails. Without it no email is one. */
  warmup?: WarmupReader;
  /** Additional handling of a person's reply; none where it is absent. */
  heedReply?: HeedReply;
  log: Logger;
  limits?: Partial<WatchLimits>;
}

export interface ImapActivities {
  watchMailbox(ids: MailboxIds): Promise<WatchResult>;
}

const LIMITS: WatchLimits = {
  watchMs: 25 * MINUTE_MS,
  resyncMs: 2 * MINUTE_MS,
  pollMs: MINUTE_MS,
  silenceMs: 5 * MINUTE_MS,
  lookMs: MINUTE_MS / 2,
  copiesMs: 2 * SECOND_MS,
  apiPollMs: 30 * SECOND_MS,
  leftDraftMs: 30 * MINUTE_MS,
  noticedPollMs: 5 * MINUTE_MS,
  noticesMs: SECOND_MS,
};
/** Milliseconds between heartbeats: Temporal passes on one in 24 s of the 30 s that it waits. */
const BEAT_MS = 20_000;

/** Reads the emails that arrive in mailboxes, and files copies of the emails that they sent. */
export function imapActivities(deps: ImapDeps) {
  const { log } = deps;
  const limits = { ...LIMITS, ...deps.limits };
  const authenticate = createAuthenticate(deps.egress);
  const findHosts = findMailHosts(deps.egress);
  /** At most one watch per mailbox and process: a newer one replaces the older. */
  const watches = new Map<string, Watch>();
  const unread = createUnreadArrivals(log);
  let look: EvidenceLook | null = null;
  const copies = sentCopies(openOf, log);
  let copyLook: CopyLook | null = null;
  let noticeLook: NoticeLook | null = null;
  let noticePull: NoticePull | null = null;

  /**
   * Connects, reads what arrived since the last time, and idles for up to 25 minutes, reading new arrivals. A refused
   * login counts towards rules/sending 10.3. Returns GONE when the mailbox is no longer to be read.
   * @throws ApplicationFailure with a connection code, which the workflow waits out
   */
  async function watchMailbox({ workspaceId, mailboxId }: MailboxIds): Promise<WatchResult> {
    const context = Context.current();
    const { SentFolderCheck, Mailbox } = scoped(workspaceId);
    const [mailbox, comparison] = await Promise.all([Mailbox.get(mailboxId), SentFolderCheck.get(mailboxId)]);
    const cursor: WatchResult["cursor"] = {};
    const comparing = mailbox === null || comparison === null ? null : { mailbox, comparison, keys: deps.signing, log };
    if (mailbox === null || !isListened(mailbox)) {
      if (comparing !== null) await settleUnread(comparing);
      else await SentFolderCheck.deleteOne({ _id: mailboxId });
      return { status: "GONE", cursor, ingested: 0 };
    }
    const own = startWatch(mailboxId);
    const signal = AbortSignal.any([own.controller.signal, context.cancellationSignal]);
    const beat = setInterval(() => context.heartbeat(cursor), BEAT_MS);
    let client: ImapFlow | null = null;
    try {
      const { signing: keys, warmup = NO_WARMUP, heedReply = async () => {} } = deps;
      const reader = {
        mailbox,
        keys,
        authenticate,
        warmup,
        heedReply,
        findHosts,
        log,
        signal,
        cursor,
        stopped: new Set<string>(),
      };
      if (isApi(mailbox)) {
        // What was sent over an API since a backup is not compared, so all that was due then becomes uncertain
        if (comparing !== null) await settleUnread(comparing);
        const ingested = await watchOverApi(reader, own);
        signal.throwIfAborted();
        return { status: "LISTENING", cursor, ingested };
      }
      client = await openOf(mailbox);
      await noteSuccess(mailbox);
      if (comparing !== null) await compareSent(client, comparing, signal);
      const ingested = await listen({ ...reader, client }, own, limits, unread);
      signal.throwIfAborted();
      return { status: "LISTENING", cursor, ingested };
    } catch (err) {
      context.cancellationSignal.throwIfAborted();
      const failure = await recordedFailureOf(mailbox, err);
      const isLost = failure instanceof ApplicationFailure && comparison !== null && comparison.giveUpAt <= new Date();
      if (isLost && comparing !== null) await settleUnread(comparing);
      throw failure;
    } finally {
      clearInterval(beat);
      unread.read(mailbox);
      endWatch(mailboxId, own);
      if (client !== null) logout(client);
    }
  }

  async function watchOverApi(reader: MailReader, watch: Watch): Promise<number> {
    const { mailbox } = reader;
    if (!hasLogin(mailbox)) throw new ImapTrouble("AUTH_FAILED");
    const api = apiOf(deps.providers ?? NO_PROVIDERS, mailbox);
    if (api === null) throw new ImapTrouble("PROTOCOL_ERROR");
    const { egress, logins } = deps;
    await logins.of(mailbox);
    await noteSuccess(mailbox);
    if (api.notices !== undefined) {
      noticeLook ??= startNoticeLook((id) => watches.get(id)?.notice(), limits.noticesMs, log);
      if (api.notices.by === "PUBSUB") noticePull ??= startNoticePull(egress, api.notices, log);
    }
    return watchApi(reader, watch, { egress, logins, api, limits });
  }

  function startWatch(mailboxId: string): Watch {
    watches.get(mailboxId)?.controller.abort();
    const watch: Watch = { controller: new AbortController(), unknown: [], wake() {}, notice() {} };
    watches.set(mailboxId, watch);
    look ??= startEvidenceLook(
      (id, sends) => {
        const current = watches.get(id);
        const known = new Set(current?.unknown.map(({ _id }) => _id));
        current?.unknown.push(...sends.filter(({ _id }) => !known.has(_id)));
        current?.wake();
        return current !== undefined;
      },
      limits.lookMs,
      log,
    );
    copyLook ??= copies.startCopyLook(() => watches.keys(), limits.copiesMs);
    return watch;
  }

  function endWatch(mailboxId: string, watch: Watch): void {
    if (watches.get(mailboxId) === watch) watches.delete(mailboxId);
    look?.again(watch.unknown);
    if (watches.size > 0) return;
    look?.stop();
    look = null;
    copyLook?.stop();
    copyLook = null;
    noticeLook?.stop();
    noticeLook = null;
    noticePull?.stop();
    noticePull = null;
  }

  function openOf(mailbox: Mailbox, silenceMs = limits.silenceMs): Promise<ImapFlow> {
    if (!hasLogin(mailbox)) throw new ImapTrouble("AUTH_FAILED");
    // Everything that can also be done over an API asks for the transport first
    if (isApi(mailbox)) throw new ImapTrouble("PROTOCOL_ERROR");
    const isRefusal = (error: unknown) => troubleOf(error).code === "AUTH_FAILED";
    return deps.logins.with(mailbox, (login) => openImap(deps.egress, mailbox.imap, login, silenceMs), isRefusal);
  }

  return {
    activities: { watchMailbox } satisfies ImapActivities,
    openOf,
    copiesFiled: copies.copiesFiled,
    end: unread.stop,
  };

  async function recordedFailureOf(mailbox: Mailbox, err: unknown): Promise<unknown> {
    if (!(err instanceof ImapTrouble || err instanceof OAuthTrouble) && !isOfImap(err)) return err;
    const { code } = troubleOf(err);
    const { host, port } = mailbox.imap;
    log.info({ mailboxId: mailbox._id, host, port, code, why: whyUnreached(err), err }, "the mailbox cannot be read");
    const isRecorded = accessIn(err, mailbox) !== null;
    if (code === "AUTH_FAILED" && !isRecorded) await recordAuthFailure(mailbox.workspaceId, mailbox._id, code);
    else await noteError(mailbox, code, isRecorded);
    return ApplicationFailure.retryable(CONNECTION_ERRORS[code], code);
  }
}

const NO_WARMUP: WarmupReader = {
  heed: async () => false,
  isFromPartner: async () => false,
  known: async () => new Set(),
};

/** Whether the mailbox is read: a paused one is; one that needs new credentials is not until it has them. */
function isListened(mailbox: Mailbox): boolean {
  return hasLogin(mailbox) && mailbox.status !== "DISCONNECTED" && mailbox.status !== "RECONNECT_REQUIRED";
}

/** Records that the login works. It must not clear failures that concern only the sending server. */
async function noteSuccess(mailbox: Mailbox): Promise<void> {
  if ((mailbox.readFailures ?? 0) > 0) {
    await scoped(mailbox.workspaceId).Mailbox.updateOne({ _id: mailbox._id }, { $set: { readFailures: 0 } });
  }
  if (mailbox.hostFailures + mailbox.rateRefusals > 0) return;
  if (mailbox.authFailures > 0) return recordSuccess(mailbox);
  if (mailbox.lastError === null || mailbox.status !== "CONNECTED" || isOfToday(mailbox.lastError)) return;
  await scoped(mailbox.workspaceId).Mailbox.updateOne({ _id: mailbox._id }, { $set: { lastError: null } });
}

/** Whether it says that an email was skipped. It stays for a day, because the daily count tries the email again. */
function isOfToday({ code, at }: NonNullable<Mailbox["lastError"]>): boolean {
  return code === EMAIL_UNREADABLE.code && at.getTime() > Date.now() - DAY_MS;
}

/** Counts a failed try. `isRecorded`: the mailbox already shows the cause. */
async function noteError(
  { workspaceId, _id }: Mailbox,
  code: keyof typeof CONNECTION_ERRORS,
  isRecorded: boolean,
): Promise<void> {
  const lastError = { code, message: CONNECTION_ERRORS[code], at: new Date() };
  await scoped(workspaceId).Mailbox.updateOne(
    { _id },
    { ...(!isRecorded && { $set: { lastError } }), $inc: { readFailures: 1 } },
  );
}

/**
 * Whether the error comes from the IMAP library: such errors carry a connection's id or one of its codes; all others
 * are ours or the database's.
 */
function isOfImap(err: unknown): boolean {
  if (typeof err !== "object" || err === null) return false;
  return (
    "_connId" in err ||
    "responseStatus" in err ||
    "cid" in err ||
    ("code" in err && /^(?:NoConnection|EConnectionClosed|ETIMEOUT)$/.test(String(err.code)))
  );
}

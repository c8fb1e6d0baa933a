import { setTimeout as sleep } from "node:timers/promises";
import { QuotaWait } from "../../connectors/bearer-call.ts";
import { ImapTrouble } from "../../connectors/imap/connection.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import type { MailApi } from "../../domain/mailboxes/transport.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { TooSlowToStore } from "../../store/inbox/ingest.ts";
import { parkMailbox, recoverAccess } from "../../store/mailboxes/access-faults.ts";
import { type ApiAccess, withApiAccess } from "../mailboxes/api-access.ts";
import { type ApiTrouble, accessIn, isApiTrouble, waitMsOf } from "../mailboxes/api-trouble.ts";
import type { Logins } from "../mailboxes/logins.ts";
import { type MailRefs, settleDraft } from "./api-evidence.ts";
import { type ApiSource, SomeUnread } from "./api-store.ts";
import { gmailSource } from "./gmail-source.ts";
import { graphSource } from "./graph-source.ts";
import { deleteLeftDrafts } from "./left-drafts.ts";
import { AGAIN_MS, noteSync, type Watch, type WatchLimits } from "./listen.ts";
import { noticesOf } from "./notices.ts";
import type { MailReader } from "./read.ts";

const SOURCES: Readonly<Record<MailApi["transport"], (reader: MailReader) => ApiSource>> = {
  GMAIL_API: gmailSource,
  GRAPH: graphSource,
};

/** Milliseconds: the longest wait until a provider that asks for fewer requests is asked again. */
const MOST_RATE_WAIT_MS = 15 * MINUTE_MS;

interface ApiDeps {
  egress: Egress;
  logins: Logins;
  api: MailApi;
  limits: WatchLimits;
}

/**
 * Reads a mailbox over its provider's API, at each notice of the provider and from time to time, until the time is up,
 * and asks it about sends of unknown outcome. Returns how many emails were new.
 * @throws ImapTrouble with the code that the same fault of an IMAP server has
 */
export async function watchApi(
  reader: MailReader,
  watch: Watch,
  { egress, logins, api, limits }: ApiDeps,
): Promise<number> {
  const { mailbox, signal, log } = reader;
  const source = SOURCES[api.transport](reader);
  const end = Date.now() + limits.watchMs;
  let waking = new AbortController();
  watch.wake = () => waking.abort();
  const notices = api.notices === undefined ? null : noticesOf(mailbox, api.notices, log);
  let isNoticed = false;
  watch.notice = () => {
    isNoticed = true;
    watch.wake();
  };
  const withAccess = <T>(work: (access: ApiAccess) => Promise<T>) =>
    withApiAccess({ egress, logins }, mailbox, api, signal, work);
  const whole = (read: Awaited<ReturnType<ApiSource["read"]>>) => ({ olderWaitMs: 0, ...read, isWhole: true });
  const partOf = (error: unknown) => {
    if (!(error instanceof SomeUnread)) throw error;
    log.warn({ mailboxId: mailbox._id, ids: error.ids, err: error }, "some emails cannot be fetched yet");
    return { olderWaitMs: 0, fresh: error.fresh, hasMore: false, isWhole: false };
  };
  const refs: MailRefs = new Map();
  /** While the provider cannot be asked, the rest is kept for the next look; the mailbox is read all the same. */
  const settle = async (): Promise<boolean> => {
    for (let send = watch.unknown[0]; send !== undefined; send = watch.unknown[0]) {
      let isSettled = false;
      try {
        isSettled = await withAccess((access) => settleDraft(access, api.transport, send, refs));
      } catch (err) {
        signal.throwIfAborted();
        const isPassing = isApiTrouble(err);
        const about = { mailboxId: mailbox._id, sendId: send._id, err };
        log[isPassing ? "info" : "warn"](about, "could not ask about an email of unknown outcome");
        // Another fault would come again
        isSettled = !isPassing;
      }
      const [asked] = watch.unknown.splice(0, 1);
      if (isSettled || asked === undefined) continue;
      // New email does not wait for the rest of a long history. The next look begins with another send
      watch.unknown.push(asked);
      return false;
    }
    return true;
  };
  let ingested = 0;
  let sweepAt = 0;
  let hasRead = false;
  let failedLooks = 0;
  let waitMs = 0;
  while (!signal.aborted && Date.now() < end) {
    waking = new AbortController();
    const wasRare = waitMs === limits.noticedPollMs;
    const wasNoticed = isNoticed;
    isNoticed = false;
    waitMs = limits.apiPollMs;
    try {
      const isSettled = await settle();
      const read = await withAccess((access) => source.read(access).then(whole, partOf));
      const { fresh, hasMore, isWhole, olderWaitMs } = read;
      ingested += fresh;
      failedLooks = 0;
      await noteSync(mailbox);
      // Only the first look: a later fault of the same watch is about sending, which reading does not disprove
      if (!hasRead) await recoverAccess(mailbox);
      hasRead = true;
      if (hasMore) waitMs = Math.min(limits.apiPollMs, olderWaitMs);
      else if (!isWhole) waitMs = AGAIN_MS;
      else if (notices !== null) {
        // A notice is missing, so the mailbox is polled as without notices until the next one comes
        if (wasRare && !wasNoticed && fresh > 0) await notices.forget();
        const areTrusted = await withAccess(notices.keep);
        // One more look comes soon after each notice: Gmail drops those that follow within a second, and Graph may list
        // an email only after its notice
        if (!wasNoticed && fresh === 0 && areTrusted) waitMs = limits.noticedPollMs;
      }
      if (!isSettled) waitMs = Math.min(waitMs, limits.apiPollMs);
      if (Date.now() >= sweepAt) {
        sweepAt = Date.now() + limits.leftDraftMs;
        const before = new Date(Date.now() - limits.leftDraftMs);
        // A mailbox whose drafts cannot be listed is read all the same
        await withAccess((access) => deleteLeftDrafts(access, mailbox, before)).catch((err: unknown) => {
          if (!isApiTrouble(err)) throw err;
          log.warn({ mailboxId: mailbox._id, err }, "could not look for drafts that were not sent");
        });
      }
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof TooSlowToStore) {
        log.warn({ mailboxId: mailbox._id }, "the database is too slow to store mail");
        waitMs = AGAIN_MS;
      } else if (isApiTrouble(error)) {
        const access = accessIn(error, mailbox);
        if (access !== null) await parkMailbox(mailbox, access);
        const isPassing = error.kind === "away" && ++failedLooks < MOST_FAILED_LOOKS;
        if (isPassing) log.info({ mailboxId: mailbox._id, err: error }, "a look into a mailbox failed and is repeated");
        else if (!RATES.has(error.kind)) throw new ImapTrouble(codeOf(error), { cause: error });
        // To ask again costs no request while the mailbox has to wait
        const mostMs = error.cause instanceof QuotaWait ? limits.apiPollMs : MOST_RATE_WAIT_MS;
        if (!isPassing) waitMs = Math.min(waitMsOf(error), mostMs);
      } else throw error;
    }
    const ms = Math.max(0, Math.min(waitMs, end - Date.now()));
    await sleep(ms, undefined, { signal: AbortSignal.any([signal, waking.signal]) }).catch(() => {});
  }
  return ingested;
}

/** How many looks in a row may fail at the provider before the watch ends, after which the mailbox waits for minutes. */
const MOST_FAILED_LOOKS = 3;
const RATES: ReadonlySet<string> = new Set(["rate", "project", "limit"]);
const NEEDS_LOGIN: ReadonlySet<string> = new Set(["expired", "scope", "policy", "rights", "off"]);

export function codeOf({ kind }: ApiTrouble): "AUTH_FAILED" | "CONNECT_FAILED" | "PROTOCOL_ERROR" {
  if (NEEDS_LOGIN.has(kind)) return "AUTH_FAILED";
  return kind === "away" ? "CONNECT_FAILED" : "PROTOCOL_ERROR";
}

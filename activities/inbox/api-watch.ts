import { setTimeout as sleep } from "node:timers/promises";
import type { GmailTrouble } from "../../connectors/gmail/trouble.ts";
import { GraphTrouble } from "../../connectors/graph/trouble.ts";
import { ImapTrouble } from "../../connectors/imap/connection.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import type { MailApi } from "../../domain/mailboxes/transport.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { TooSlowToStore } from "../../store/inbox/ingest.ts";
import { type ApiAccess, isApiTrouble, withApiAccess } from "../mailboxes/api-access.ts";
import type { Logins } from "../mailboxes/logins.ts";
import { settleDrafts } from "./api-evidence.ts";
import { type ApiSource, SomeUnread } from "./api-store.ts";
import { gmailSource } from "./gmail-source.ts";
import { graphSource } from "./graph-source.ts";
import { AGAIN_MS, noteSync, type Watch, type WatchLimits } from "./listen.ts";
import type { MailReader } from "./read.ts";

const SOURCES: Readonly<Record<MailApi["transport"], (reader: MailReader) => ApiSource>> = {
  GMAIL_API: gmailSource,
  GRAPH: graphSource,
};

/** Milliseconds to wait when the provider asks for fewer requests and names no time; and the longest wait. */
const RATE_WAIT_MS = MINUTE_MS;
const MOST_RATE_WAIT_MS = 15 * MINUTE_MS;

/**
 * Polls a mailbox over its provider's API until the time is up, and asks it about sends of unknown outcome. Returns how
 * many emails were new.
 * @throws ImapTrouble with the code that the same fault of an IMAP server has
 */
export async function watchApi(
  reader: MailReader,
  watch: Watch,
  { egress, logins, api, limits }: { egress: Egress; logins: Logins; api: MailApi; limits: WatchLimits },
): Promise<number> {
  const { mailbox, signal, log } = reader;
  const source = SOURCES[api.transport](reader);
  const end = Date.now() + limits.watchMs;
  let waking = new AbortController();
  watch.wake = () => waking.abort();
  const withAccess = <T>(work: (access: ApiAccess) => Promise<T>) =>
    withApiAccess({ egress, logins }, mailbox, api, signal, work);
  let ingested = 0;
  while (!signal.aborted && Date.now() < end) {
    waking = new AbortController();
    let waitMs = limits.apiPollMs;
    try {
      const { fresh, hasMore } = await withAccess((access) => source.read(access));
      ingested += fresh;
      await noteSync(mailbox);
      if (hasMore) waitMs = 0;
      const unknown = watch.unknown.splice(0);
      if (unknown.length > 0) await withAccess((access) => settleDrafts(access, api.transport, unknown));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SomeUnread) {
        log.warn({ mailboxId: mailbox._id, ids: error.ids, err: error }, "some emails cannot be fetched yet");
        waitMs = AGAIN_MS;
      } else if (error instanceof TooSlowToStore) {
        log.warn({ mailboxId: mailbox._id }, "the database is too slow to store mail");
        waitMs = AGAIN_MS;
      } else if (isApiTrouble(error) && RATES.has(error.kind)) waitMs = rateWaitMs(error);
      else throw isApiTrouble(error) ? new ImapTrouble(codeOf(error), { cause: error }) : error;
    }
    const ms = Math.max(0, Math.min(waitMs, end - Date.now()));
    await sleep(ms, undefined, { signal: AbortSignal.any([signal, waking.signal]) }).catch(() => {});
  }
  return ingested;
}

const RATES: ReadonlySet<string> = new Set(["rate", "project", "limit"]);
const NEEDS_LOGIN: ReadonlySet<string> = new Set(["expired", "scope", "policy", "rights", "off"]);

function rateWaitMs(error: GmailTrouble | GraphTrouble): number {
  const asked =
    error instanceof GraphTrouble ? error.waitMs : error.retryAt === null ? null : error.retryAt - Date.now();
  return Math.min(MOST_RATE_WAIT_MS, asked ?? RATE_WAIT_MS);
}

function codeOf({ kind }: GmailTrouble | GraphTrouble): "AUTH_FAILED" | "CONNECT_FAILED" | "PROTOCOL_ERROR" {
  if (NEEDS_LOGIN.has(kind)) return "AUTH_FAILED";
  return kind === "away" ? "CONNECT_FAILED" : "PROTOCOL_ERROR";
}

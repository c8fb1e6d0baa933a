import { setTimeout as sleep } from "node:timers/promises";
import { type BearerAccess, QuotaWait } from "../../connectors/bearer-call.ts";
import { ImapTrouble } from "../../connectors/imap/connection.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import type { MailApi } from "../../domain/mailboxes/transport.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { TooSlowToStore } from "../../store/inbox/ingest.ts";
import { quotaAt } from "../mailboxes/api-quota.ts";
import { type ApiTrouble, isApiTrouble, waitMsOf } from "../mailboxes/api-trouble.ts";
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

/** Milliseconds: the longest wait until a provider that asks for fewer requests is asked again. */
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
  const at = { egress, url: api.url, signal, quota: quotaAt(api, mailbox.username, "NEW", { signal }) };
  const withAccess = <T>(work: (access: BearerAccess) => Promise<T>) =>
    logins.with(
      mailbox,
      (login) => work({ ...at, token: "accessToken" in login ? login.accessToken : "" }),
      (error) => isApiTrouble(error) && error.kind === "expired",
    );
  let ingested = 0;
  while (!signal.aborted && Date.now() < end) {
    waking = new AbortController();
    let waitMs = limits.apiPollMs;
    try {
      const unknown = [...watch.unknown];
      if (unknown.length > 0) await withAccess((access) => settleDrafts(access, api.transport, unknown));
      // One that could not be asked about for a limit is asked about again
      watch.unknown.splice(0, unknown.length);
      const { fresh, hasMore, olderWaitMs = 0 } = await withAccess((access) => source.read(access));
      ingested += fresh;
      await noteSync(mailbox);
      if (hasMore) waitMs = Math.min(limits.apiPollMs, olderWaitMs);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SomeUnread) {
        log.warn({ mailboxId: mailbox._id, ids: error.ids, err: error }, "some emails cannot be fetched yet");
        waitMs = AGAIN_MS;
      } else if (error instanceof TooSlowToStore) {
        log.warn({ mailboxId: mailbox._id }, "the database is too slow to store mail");
        waitMs = AGAIN_MS;
      } else if (isApiTrouble(error) && RATES.has(error.kind)) {
        // To ask again costs no request while the mailbox has to wait
        const mostMs = error.cause instanceof QuotaWait ? limits.apiPollMs : MOST_RATE_WAIT_MS;
        waitMs = Math.min(waitMsOf(error), mostMs);
      } else throw isApiTrouble(error) ? new ImapTrouble(codeOf(error), { cause: error }) : error;
    }
    const ms = Math.max(0, Math.min(waitMs, end - Date.now()));
    await sleep(ms, undefined, { signal: AbortSignal.any([signal, waking.signal]) }).catch(() => {});
  }
  return ingested;
}

const RATES: ReadonlySet<string> = new Set(["rate", "project", "limit"]);
const NEEDS_LOGIN: ReadonlySet<string> = new Set(["expired", "scope", "policy", "rights", "off"]);

function codeOf({ kind }: ApiTrouble): "AUTH_FAILED" | "CONNECT_FAILED" | "PROTOCOL_ERROR" {
  if (NEEDS_LOGIN.has(kind)) return "AUTH_FAILED";
  return kind === "away" ? "CONNECT_FAILED" : "PROTOCOL_ERROR";
}

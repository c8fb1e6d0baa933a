import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { NO_LIMITS } from "../../connectors/bearer-call.ts";
import { acknowledgeNotices, PUBSUB_SCOPE, pullNotices } from "../../connectors/gmail/notices.ts";
import { GmailTrouble } from "../../connectors/gmail/trouble.ts";
import { googleTokens } from "../../connectors/google-tokens.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import type { GmailNotices } from "../../domain/mailboxes/transport.ts";
import { MINUTE_MS, SECOND_MS } from "../../domain/time/durations.ts";
import { noteNotices } from "../../store/inbox/notices.ts";

export interface NoticePull {
  stop(): void;
}

/** Milliseconds to wait after a pull that brought nothing, because it may return at once; and after failures in a row. */
const EMPTY_MS = SECOND_MS / 2;
const LONGEST_PAUSE_MS = MINUTE_MS;

/**
 * Takes Gmail's notices from Pub/Sub and records them for the processes that read those mailboxes. Several processes
 * may pull at once, because Pub/Sub gives each notice to one of them. A notice is acknowledged after it is recorded.
 */
export function startNoticePull(egress: Egress, notices: GmailNotices, log: Logger): NoticePull {
  const { credentials, subscription, url } = notices;
  const tokens = googleTokens(egress, credentials, [PUBSUB_SCOPE]);
  const stopping = new AbortController();
  const { signal } = stopping;
  async function pullOnce(): Promise<number> {
    const token = await tokens.get();
    const access = { egress, url, token, signal, quota: NO_LIMITS };
    try {
      const { addresses, ackIds } = await pullNotices(access, subscription);
      if (ackIds.length === 0) return 0;
      await noteNotices(addresses, new Date());
      await acknowledgeNotices(access, subscription, ackIds);
      return ackIds.length;
    } catch (error) {
      if (error instanceof GmailTrouble && error.kind === "expired") tokens.drop(token);
      throw error;
    }
  }

  async function pullOn(): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      try {
        const count = await pullOnce();
        failures = 0;
        if (count === 0) await pause(EMPTY_MS);
      } catch (error) {
        if (signal.aborted) return;
        failures++;
        log.warn({ err: error, subscription }, "Gmail's notices could not be pulled");
        await pause(Math.min(LONGEST_PAUSE_MS, SECOND_MS * 2 ** Math.min(failures, 10)));
      }
    }
  }

  function pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal }).catch(() => {}); // aborted by `stop`
  }

  void pullOn();
  return { stop: () => stopping.abort() };
}

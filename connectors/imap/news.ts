import type { ImapFlow } from "imapflow";
import { ImapTrouble } from "./connection.ts";

/**
 * Reports when an email has arrived in the selected folder since the last look, or when `wake` was called for other
 * work.
 */
export interface News {
  taken(): void;
  hasCome(): boolean;
  wake(): void;
  /**
   * Idles until there is news, for at most `ms` milliseconds. When the server has no IDLE, it waits until the next
   * poll.
   */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/**
 * Watches the client for news. `pollMs` is how often a server without IDLE (RFC 2177) is polled; `arrived` is called
 * when the server announces an email.
 */
export function newsOf(client: ImapFlow, pollMs: number, arrived: () => void): News {
  let hasCome = false;
  let wake = () => {};
  const notice = () => {
    hasCome = true;
    wake();
  };
  client.on("exists", ({ count, prevCount }) => {
    if (count > prevCount) arrived();
    notice();
  });
  client.on("close", notice);
  return {
    taken() {
      hasCome = false;
    },
    hasCome: () => hasCome,
    wake: notice,
    async wait(ms, signal) {
      if (signal.aborted) return;
      if (!client.usable) throw new ImapTrouble("CONNECT_FAILED");
      if (hasCome || ms <= 0) return;
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const timer = setTimeout(notice, client.capabilities.has("IDLE") ? ms : Math.min(ms, pollMs));
      signal.addEventListener("abort", notice, { once: true });
      client.idle().catch(() => {}); // the next command gets the error
      await woken;
      clearTimeout(timer);
      signal.removeEventListener("abort", notice);
      if (!client.usable && !signal.aborted) throw new ImapTrouble("CONNECT_FAILED");
    },
  };
}

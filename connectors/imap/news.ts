import type { ImapFlow } from "imapflow";
import { ImapTrouble } from "./connection.ts";

/** Whether something arrived in the selected folder since it was last asked, or somebody else has something to be done. */
export interface News {
  taken(): void;
  hasCome(): boolean;
  wake(): void;
  /** Idles until there are news, at most so long; where the server has no IDLE, until it is to be asked again. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** `pollMs`: how often a server without IDLE (RFC 2177) is asked. */
export function newsOf(client: ImapFlow, pollMs: number): News {
  let hasCome = false;
  let wake = () => {};
  const notice = () => {
    hasCome = true;
    wake();
  };
  client.on("exists", notice);
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
      client.idle().catch(() => {}); // the next command meets whatever broke it
      await woken;
      clearTimeout(timer);
      signal.removeEventListener("abort", notice);
      if (!client.usable && !signal.aborted) throw new ImapTrouble("CONNECT_FAILED");
    },
  };
}

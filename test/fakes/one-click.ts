import { setTimeout as sleep } from "node:timers/promises";
import { headerOf } from "./sent-mail.ts";

const POSTS = 5;
const BETWEEN_MS = 300;

/** The http address in a mail's List-Unsubscribe header, with another scheme, host and port when an origin is given. */
export function unsubscribeUrlOf(raw: Buffer, origin?: string): string {
  const url = /<(https?:[^>]+)>/i.exec(headerOf(raw, "List-Unsubscribe") ?? "")?.[1];
  if (!url) throw new Error("The mail has no http address in List-Unsubscribe");
  if (!origin) return url;
  const { pathname, search } = new URL(url);
  return new URL(pathname + search, origin).href;
}

/** What sends the POST: `fetch`, or one that knows host names of its own. */
type Send = (
  url: string,
  init: { method: "POST"; headers: Record<string, string>; body: string; redirect: "error"; signal: AbortSignal },
) => Promise<{ ok: boolean; status: number; body: { cancel(): Promise<void> } | null }>;

/** The POST of RFC 8058, tried a few times as mailbox providers do. Throws when no attempt got a 2xx. */
export async function postOneClick(url: string, signal: AbortSignal, send: Send = fetch): Promise<void> {
  for (let post = 1; ; post++) {
    try {
      const answer = await send(url, {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body: "List-Unsubscribe=One-Click",
        redirect: "error",
        signal,
      });
      await answer.body?.cancel();
      if (answer.ok) return;
      throw new Error(`${url} answered ${answer.status}`);
    } catch (cause) {
      if (post === POSTS || signal.aborted) throw cause;
      await sleep(BETWEEN_MS, undefined, { signal });
    }
  }
}

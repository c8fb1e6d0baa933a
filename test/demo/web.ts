import { setTimeout as sleep } from "node:timers/promises";
import { Agent, type RequestInit, type Response, fetch as undiciFetch } from "undici";
import { MINUTE_MS } from "../../domain/time/durations.ts";

/** How long a person or a program tries to reach a service that is away. */
const PATIENCE_MS = 5 * MINUTE_MS;
const AGAIN_MS = 500;

interface Visit {
  url: string;
  /** What the program says it is. */
  agent: string;
  /** Where the visitor comes from, as a proxy in front of the service says it. */
  address: string;
  /** A form to post. */
  form?: Record<string, string>;
}

/** The web of the demo, in which every host name leads to this machine. */
export interface Web {
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /**
   * Asks until an answer comes that is not an error of the server, also across a restart of it. Redirects are not
   * followed.
   */
  visit(visit: Visit): Promise<Response>;
}

export function openWeb(signal: AbortSignal): Web {
  const dispatcher = new Agent({
    connect: {
      lookup: (_name, { all }, tell) =>
        all ? tell(null, [{ address: "127.0.0.1", family: 4 }]) : tell(null, "127.0.0.1", 4),
    },
  });
  const fetch = (url: string, init: RequestInit = {}) => undiciFetch(url, { dispatcher, signal, ...init });

  async function visit({ url, agent, address, form }: Visit): Promise<Response> {
    const init: RequestInit = {
      method: form === undefined ? "GET" : "POST",
      headers: { "User-Agent": agent, "X-Forwarded-For": address },
      redirect: "manual",
      ...(form !== undefined && { body: new URLSearchParams(form) }),
    };
    for (const end = Date.now() + PATIENCE_MS; ; await sleep(AGAIN_MS, undefined, { signal })) {
      const isLast = Date.now() > end;
      const answer = await fetch(url, init).catch((cause: unknown) => {
        if (signal.aborted || isLast) throw cause;
        return null;
      });
      if (answer !== null && (answer.status < 500 || isLast)) return answer;
      await answer?.body?.cancel();
    }
  }

  return { fetch, visit };
}

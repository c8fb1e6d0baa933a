import dns from "node:dns/promises";
import { codeOf } from "./egress-error.ts";

/**
 * Records read from one answer. The number is bounded because a DNS server may send any number (rules/security 4.5).
 */
const MOST_ANSWERS = 20;
const MOST_QUESTIONS = 60;
const TRY_MS = 900;

/**
 * Asks for the records of a name and returns them as node:dns gives them. Rejects with an Error whose `code` is
 * ENOTFOUND, ENODATA, ETIMEOUT or similar.
 */
export type Ask = (name: string, type: string) => Promise<unknown[]>;

/**
 * Builds the function by which checks query DNS records. `work` may ask until the time is up; queries that are still
 * open then end with ECANCELLED. `dnsServers` holds the `host:port` of the resolvers to query; when it is missing or
 * empty, the system's resolvers are used.
 */
export function createRecords(dnsServers: readonly string[] = []) {
  const open = new Set<() => void>();

  async function records<T>(timeoutMs: number, work: (ask: Ask) => Promise<T>): Promise<T> {
    const resolver = new dns.Resolver({ timeout: TRY_MS, tries: 2 });
    if (dnsServers.length > 0) resolver.setServers([...dnsServers]);
    let isOver = false;
    let questions = 0;
    const cancelQueries = () => {
      isOver = true;
      resolver.cancel();
    };
    open.add(cancelQueries);
    const timer = setTimeout(cancelQueries, timeoutMs);
    const ask: Ask = async (name, type) => {
      questions += 1;
      if (isOver || questions > MOST_QUESTIONS)
        throw Object.assign(new Error("There is no time left for a query"), { code: "ETIMEOUT" });
      const answer: unknown = await resolver.resolve(name, type);
      return Array.isArray(answer) ? answer.slice(0, MOST_ANSWERS) : [];
    };
    try {
      return await work(ask);
    } finally {
      clearTimeout(timer);
      open.delete(cancelQueries);
    }
  }

  function cancel(): void {
    for (const end of open) end();
  }

  return { records, cancel };
}

/** Whether the name server answered that there is no such record, rather than not answering. */
export function isAbsent(error: unknown): boolean {
  return ["ENOTFOUND", "ENODATA"].includes(codeOf(error));
}

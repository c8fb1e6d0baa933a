import { useCall } from "../../api/query.ts";
import { historyWords as says } from "../../words/en/history.ts";

type Noun = "recipient" | "campaign" | "job" | "mailbox-sync";

/** A link to a record's workflow in Temporal's web interface, for operators, if its URL is configured. */
export function History({ noun, id }: { noun: Noun; id: string }) {
  const base = useCall("get /session", {}).data?.engineRunsUrl ?? null;
  if (base === null || isElsewhere(base)) return null;
  return (
    <a
      href={`${base}/${encodeURIComponent(`${noun}/${id}`)}`}
      target="_blank"
      rel="noreferrer"
      className="button"
      aria-label={says.of(`${noun} ${id}`)}
    >
      {says.history}
    </a>
  );
}

/** Whether the URL is only reachable on the server itself and the browser runs on another machine. */
function isElsewhere(base: string): boolean {
  const isLoopback = (host: string) => ["localhost", "127.0.0.1", "[::1]"].includes(host);
  return isLoopback(new URL(base).hostname) && !isLoopback(location.hostname);
}

import { isConnectionErrorCode } from "../../../domain/mailboxes/connection-error.ts";
import type { Out } from "../../api/call.ts";
import { connectWords as says } from "../../words/en/mailboxes/connect.ts";
import { TRIED } from "../../words/en/mailboxes/states.ts";

/** The result of a test of both servers. */
export type Tried = Pick<Out<"post /mailboxes/connect", { action: "smtpTest" }>, "smtp" | "imap">;
type Side = Tried["smtp"];

/** The answer of each server, and what to do about it. */
export function Result({ tried }: { tried: Tried }) {
  const isGood = tried.smtp.ok && tried.imap.ok;
  return (
    <div className={`alert ${isGood ? "plain" : "bad"}`} role="status">
      <h3>{says.tested}</h3>
      <dl>
        {(["smtp", "imap"] as const).map((side) => (
          <div key={side}>
            <dt>{says.sides[side]}</dt>
            <dd>{inWords(tried[side])}</dd>
          </div>
        ))}
      </dl>
      <p>{isGood ? says.bothWork : says.nothingKept}</p>
    </div>
  );
}

function inWords({ ok, error }: Side): string {
  if (ok || error === null) return ok ? says.works : says.fails;
  return isConnectionErrorCode(error.code) ? TRIED[error.code] : `${error.message}.`;
}

/** The results for both servers in the details of a refusal; null if it has none. */
export function triedIn({ smtp, imap }: Record<string, unknown>): Tried | null {
  return isSide(smtp) && isSide(imap) ? { smtp, imap } : null;
}

function isSide(value: unknown): value is Side {
  return typeof value === "object" && value !== null && "ok" in value && "error" in value;
}

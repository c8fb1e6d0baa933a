import type { MailboxStatus } from "../../../domain/states.ts";
import { mailboxesWords as says } from "../../words/en/mailboxes/list.ts";
import { DNS_VERDICT, MAILBOX_STATUS, NOT_CHECKED, reasonInWords, WHAT_TO_DO } from "../../words/en/mailboxes/states.ts";
import type { Mailbox } from "./reads.ts";

const MARKS: Record<MailboxStatus, string> = {
  CONNECTED: "good",
  PAUSED: "rests",
  RECONNECT_REQUIRED: "waits",
  SENDING_ERROR: "waits",
  COOLING_DOWN: "waits",
  DISCONNECTED: "rests",
};

/** The state of a mailbox in words, and, where it does not send, why and what somebody should do. */
export function Status({ mailbox: { status, statusReason, lastError, health } }: { mailbox: Mailbox }) {
  const why = statusReason ?? lastError?.code ?? null;
  const isStill = status !== "CONNECTED" && status !== "PAUSED" && status !== "DISCONNECTED";
  return (
    <>
      <span className={`mark ${MARKS[status]}`}>{MAILBOX_STATUS[status]}</span>
      {status !== "CONNECTED" && (
        <div className="fine">
          {isStill && why !== null && `${reasonInWords(why)} `}
          {health.evidence !== null && `${health.evidence}. `}
          {WHAT_TO_DO[status]}
        </div>
      )}
    </>
  );
}

/** What it has sent today of what its limit lets through, as a picture and in numbers. */
export function SentToday({ mailbox: { email, sentToday, dailySendLimit } }: { mailbox: Mailbox }) {
  return (
    <span className="meter">
      {dailySendLimit > 0 && (
        <meter aria-label={says.sentOf(email)} min={0} max={dailySendLimit} value={Math.min(sentToday.total, dailySendLimit)} />
      )}
      {says.sent(sentToday.total, dailySendLimit)}
    </span>
  );
}

const RECORDS = ["mx", "spf", "dkim", "dmarc"] as const;

/** What the records say, in a word each: what that means is there for whoever points at it or hears it. */
export function DnsMarks({ mailbox: { verification } }: { mailbox: Mailbox }) {
  return (
    <ul className="signs">
      {RECORDS.map((name) => {
        const verdict = verification.checks[name];
        const { word, text } = verdict === null ? NOT_CHECKED : DNS_VERDICT[verdict];
        return (
          <li key={name} title={says.record(name.toUpperCase(), text)}>
            {name.toUpperCase()}{" "}
            <span aria-hidden="true" className={verdict === "FAIL" ? "bad" : "fine"}>
              {word}
            </span>
            <span className="hidden">{text}</span>
          </li>
        );
      })}
    </ul>
  );
}

import type { MailboxCondition } from "../../../domain/mailboxes/condition.ts";
import type { MailboxStatus } from "../../../domain/states.ts";
import { mailboxesWords as says } from "../../words/en/mailboxes/mailbox.ts";
import {
  DNS_VERDICT,
  failedTriesInWords,
  MAILBOX_STATUS,
  NOT_CHECKED,
  reasonInWords,
  WHAT_TO_DO,
} from "../../words/en/mailboxes/states.ts";
import type { ListedMailbox } from "./reads.ts";

/**
 * The colour of a mailbox follows from how its servers respond, whatever its status; what a person has stopped rests.
 */
const MARK_OF: Partial<Record<MailboxCondition, string>> = { FAILING: "waits", DOWN: "bad", OFF: "rests" };
const STILL: Partial<Record<MailboxStatus, string>> = { PAUSED: "rests" };

/** The state of a mailbox in words, and, where it does not send, why and what someone should do. */
export function Status({
  mailbox: { status, condition, failedTries, statusReason, lastError, health },
}: {
  mailbox: ListedMailbox;
}) {
  const why = statusReason ?? lastError?.code ?? null;
  const isStill = status !== "CONNECTED" && status !== "PAUSED" && status !== "DISCONNECTED";
  return (
    <>
      <span className={`mark ${MARK_OF[condition] ?? STILL[status] ?? "good"}`}>{MAILBOX_STATUS[status]}</span>
      {failedTries > 0 && condition !== "OFF" && <div className="wrong">{failedTriesInWords(failedTries)}</div>}
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
export function SentToday({ mailbox: { email, sentToday, dailySendLimit } }: { mailbox: ListedMailbox }) {
  if (sentToday === undefined) return "–";
  return (
    <span className="meter">
      {dailySendLimit > 0 && (
        <meter
          aria-label={says.sentOf(email)}
          min={0}
          max={dailySendLimit}
          value={Math.min(sentToday.total, dailySendLimit)}
        />
      )}
      {says.sent(sentToday.total, dailySendLimit)}
    </span>
  );
}

const RECORDS = ["mx", "spf", "dkim", "dmarc"] as const;

/** What the records say, in a word each: what that means is there for whoever points at it or hears it. */
export function DnsMarks({ mailbox: { verification } }: { mailbox: ListedMailbox }) {
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

import type { MailboxCondition } from "../../../domain/mailboxes/condition.ts";
import { isAccessFault } from "../../../domain/mailboxes/connection-error.ts";
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
 * CSS classes for the colour of a mailbox. The colour shows whether its servers respond; a mailbox that a person paused
 * is neutral.
 */
const MARK_OF: Partial<Record<MailboxCondition, string>> = { FAILING: "waits", DOWN: "bad", OFF: "rests" };
const STILL: Partial<Record<MailboxStatus, string>> = { PAUSED: "rests" };

/** The state of a mailbox in words and, if it does not send, why and what a person should do. */
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
          {/* The reason of a lost access names the person who can act */}
          {!(isStill && isAccessFault(why)) && WHAT_TO_DO[status]}
        </div>
      )}
    </>
  );
}

/** How much of its daily limit the mailbox has sent today, as a bar and in numbers. */
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

/** The result of each DNS check in a word, with its meaning on hover and for screen readers. */
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

import type { Out } from "../../api/call.ts";
import { useCall } from "../../api/query.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Looking } from "../../kit/looking.tsx";
import { When } from "../../kit/when.tsx";
import { explainWords as says } from "../../words/en/why.ts";
import { ruleInWords } from "../../words/rules.ts";
import { SEND_STATE } from "../../words/states.ts";
import { History } from "../system/history.tsx";

type Explanation = Out<"get /campaigns/:campaignId/recipients/:recipientId/explain">;
type Foreseen = Explanation["afterwards"][number];
const EVERY_MS = 10_000;

/**
 * Explains why a recipient waits: the next step and the rules for it, the emails sent, the steps after it, and what
 * could stop it.
 */
export function Explained({ campaignId, recipientId }: { campaignId: string; recipientId: string }) {
  const input = { campaignId, recipientId };
  const { data, refusal, again } = useCall("get /campaigns/:campaignId/recipients/:recipientId/explain", input, {
    every: EVERY_MS,
  });
  if (data === undefined)
    return refusal === null ? <Looking isLooking={true} /> : <RefusalAlert refusal={refusal} again={again} />;
  const { next, rules, sent, afterwards, couldStop } = data;
  const mailboxes = new Map(
    sent.flatMap(({ mailboxId, mailbox }) => (mailboxId === null || mailbox === null ? [] : [[mailboxId, mailbox]])),
  );
  const nameOf = (id: string) => mailboxes.get(id) ?? null;
  return (
    <div className="explained">
      <section>
        <h3>{says.next}</h3>
        {next === null ? <p>{says.nothing}</p> : <Event event={next} />}
        {rules.length > 0 && (
          <>
            <h3>{says.because}</h3>
            <Rules rules={rules} nameOf={nameOf} />
          </>
        )}
        <History noun="recipient" id={recipientId} />
      </section>
      <section>
        <h3>{says.timeline}</h3>
        {sent.length === 0 ? <p>{says.nothingYet}</p> : <Timeline sent={sent} />}
        {afterwards.length > 0 && (
          <>
            <h3>{says.after}</h3>
            <ul className="plain">
              {afterwards.map((event) => (
                <li key={`${event.event} ${event.at}`}>
                  <Event event={event} />
                </li>
              ))}
            </ul>
          </>
        )}
      </section>
      {couldStop.length > 0 && (
        <details>
          <summary>{says.couldStop}</summary>
          <Rules rules={couldStop} nameOf={nameOf} />
        </details>
      )}
    </div>
  );
}

function Event({ event: { event, at, isEarliest } }: { event: Foreseen }) {
  return (
    <span>
      {says.events[event]}, {isEarliest && `${says.earliest} `}
      <When at={at} />
    </span>
  );
}

function Rules({ rules, nameOf }: { rules: Explanation["rules"]; nameOf: (id: string) => string | null }) {
  return (
    <ul className="plain">
      {rules.map((rule) => (
        <li key={`${rule.code} ${rule.text}`}>{ruleInWords(rule, nameOf)}</li>
      ))}
    </ul>
  );
}

function Timeline({ sent }: { sent: Explanation["sent"] }) {
  return (
    <ol className="timeline">
      {sent.map(
        ({ sendId, stepOrder, state, sentAt, slotAt, mailbox, subject, drawn, response, failure, attempts }) => {
          const at = sentAt ?? slotAt;
          return (
            <li key={sendId}>
              <strong>{stepOrder === null ? says.removedStep : says.mail(stepOrder)}</strong> {SEND_STATE[state]}
              {at !== null && (
                <>
                  {" "}
                  <When at={at} />
                </>
              )}
              <span className="fine">
                {" "}
                {[
                  mailbox === null ? [] : says.from(mailbox),
                  drawn?.label == null ? [] : says.variant(drawn.label),
                  attempts > 1 ? says.attempts(attempts) : [],
                ]
                  .flat()
                  .join(", ")}
              </span>
              {subject !== null && <div>{subject}</div>}
              {(failure?.text ?? response) != null && (
                <div className="fine">{says.said(failure?.text ?? response ?? "")}</div>
              )}
            </li>
          );
        },
      )}
    </ol>
  );
}

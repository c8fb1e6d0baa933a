import { usePathId } from "../../api/path-id.ts";
import { useCall } from "../../api/query.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Given } from "../../kit/given.tsx";
import { Page, Parts, UnreadPage } from "../../kit/page.tsx";
import { oneOf, type Raw, useView } from "../../kit/view.ts";
import { When } from "../../kit/when.tsx";
import { mailboxesWords, mailboxWords as says } from "../../words/en/mailboxes/mailbox.ts";
import { EMAIL_PART, reasonInWords, WARMUP_STATUS } from "../../words/en/mailboxes/states.ts";
import { words } from "../../words/en.ts";
import { wordFor } from "../../words/states.ts";
import { Warmup } from "../warmup/warmup.tsx";
import { Controls } from "./controls.tsx";
import { Dns } from "./dns.tsx";
import { Health } from "./health.tsx";
import { SentToday, Status } from "./marks.tsx";
import type { Mailbox } from "./reads.ts";
import { Settings } from "./settings.tsx";

const EVERY_MS = 10_000;
/** Milliseconds between reads on the DNS tab; shorter, because a person waits for the result of a check. */
const SOON_MS = 3_000;
const PARTS = ["health", "warmup", "dns", "settings"] as const;
const PARTS_OF_EMAIL = [
  "from",
  "messageId",
  "date",
  "listUnsubscribe",
  "listUnsubscribePost",
  "ownHeaders",
  "text",
] as const;

function readView(raw: Raw) {
  return { part: oneOf(PARTS, raw["part"]) ?? "health" };
}

/** One mailbox: its status and what to do if it cannot send, its health, its warmup, its DNS records, its limits. */
export function MailboxPage() {
  const mailboxId = usePathId("mailboxId");
  const [{ part }, change] = useView(readView);
  const called = useCall("get /mailboxes/:mailboxId", { mailboxId }, { every: part === "dns" ? SOON_MS : EVERY_MS });
  const { data: mailbox, refusal, again } = called;
  if (mailbox === undefined) return <UnreadPage called={called} />;
  return (
    <Page title={mailbox.email} actions={<Controls mailbox={mailbox} />}>
      {refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
      <MailboxState mailbox={mailbox} />
      <Parts
        label={says.sections}
        parts={PARTS}
        names={says.parts}
        open={part}
        onOpen={(next) => change({ part: next })}
      />
      {part === "health" && <Health mailbox={mailbox} />}
      {part === "warmup" && <Warmup mailbox={mailbox} />}
      {part === "dns" && <Dns mailbox={mailbox} />}
      {part === "settings" && <Settings key={mailbox.id} mailbox={mailbox} />}
    </Page>
  );
}

function MailboxState({ mailbox }: { mailbox: Mailbox }) {
  const { sentToday, warmup, smtp, imap, lastSyncAt, lastError, name, username, smtpUsername, health } = mailbox;
  const { transport, headerSurvival } = mailbox;
  const { total, campaign, warmup: ofWarmup } = sentToday;
  const changedParts = PARTS_OF_EMAIL.filter((part) => headerSurvival?.[part] === false).map(
    (part) => EMAIL_PART[part],
  );
  return (
    <section className="state" aria-label={says.state}>
      <div className="why">
        <Status mailbox={mailbox} />
      </div>
      <dl className="pairs">
        {name !== null && (
          <div className="pair">
            <dt>{says.name}</dt>
            <dd>
              <Given>{name}</Given>
            </dd>
          </div>
        )}
        <div className="pair">
          <dt>{says.today}</dt>
          <dd>
            <SentToday mailbox={mailbox} />{" "}
            <span className="fine">{says.split(campaign, ofWarmup, Math.max(0, total - campaign - ofWarmup))}</span>
          </dd>
        </div>
        <div className="pair">
          <dt>{says.warmup}</dt>
          <dd>{warmup.status === null ? mailboxesWords.noWarmup : wordFor(WARMUP_STATUS, warmup.status)}</dd>
        </div>
        <div className="pair">
          <dt>{says.lastRead}</dt>
          <dd>{lastSyncAt === null ? words.never : <When at={lastSyncAt} />}</dd>
        </div>
        {transport === "SMTP_IMAP" ? (
          <>
            <div className="pair">
              <dt>{says.sendsBy}</dt>
              <dd>{`${smtp.host}:${smtp.port}`}</dd>
            </div>
            <div className="pair">
              <dt>{says.readsFrom}</dt>
              <dd>{`${imap.host}:${imap.port}`}</dd>
            </div>
          </>
        ) : (
          <div className="pair">
            <dt>{says.sendsOver}</dt>
            <dd>{says.api[transport]}</dd>
          </div>
        )}
        {headerSurvival !== null && (
          <div className="pair">
            <dt>{says.survival}</dt>
            <dd>
              {changedParts.length === 0 ? says.unchanged : says.changed(changedParts)}{" "}
              <span className="fine">
                <When at={headerSurvival.at} />
              </span>
            </dd>
          </div>
        )}
        {username !== null && (
          <div className="pair">
            <dt>{says.username}</dt>
            <dd>
              <Given>{username}</Given>
            </dd>
          </div>
        )}
        {smtpUsername !== null && (
          <div className="pair">
            <dt>{says.smtpUsername}</dt>
            <dd>
              <Given>{smtpUsername}</Given>
            </dd>
          </div>
        )}
      </dl>
      {health.issues.includes("NO_SENT_FOLDER") && <p>{says.noSentFolder}</p>}
      {lastError !== null && (
        <p>
          {says.lastFault} <When at={lastError.at} />: {reasonInWords(lastError.code)}
        </p>
      )}
    </section>
  );
}

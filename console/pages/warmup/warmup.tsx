import type { ReactNode } from "react";
import { useCall } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { DayBars } from "../../charts/day-bars.tsx";
import { Notice, RefusalAlert } from "../../kit/alert.tsx";
import { Figures } from "../../kit/figures.tsx";
import { Looking } from "../../kit/looking.tsx";
import { Empty } from "../../kit/page.tsx";
import { When } from "../../kit/when.tsx";
import { mailboxWords } from "../../words/en/mailboxes/mailbox.ts";
import { WARMUP_STATUS } from "../../words/en/mailboxes/states.ts";
import { PRESET, warmupWords as says } from "../../words/en/mailboxes/warmup.ts";
import { reasonsOf } from "../../words/warmup-reasons.ts";
import type { Mailbox } from "../mailboxes/reads.ts";
import { WarmupControls } from "./controls.tsx";
import { Pools } from "./pools.tsx";
import { type Enrolment, WARMUP_MARK } from "./reads.ts";
import { WarmupSettings } from "./settings.tsx";
import { StartWarmup } from "./start.tsx";

const EVERY_MS = 10_000;
const DAYS = 30;
/** The warmup of a mailbox: its state, its results and its settings; without one, the button that starts it. */
export function Warmup({ mailbox }: { mailbox: Mailbox }) {
  // A mailbox without a warmup is not asked for one, because that would be an error
  return mailbox.warmup.status === null ? <NotWarming mailbox={mailbox} /> : <Warming mailbox={mailbox} />;
}

function NotWarming({ mailbox }: { mailbox: Mailbox }) {
  const may = useMay();
  return (
    <section aria-labelledby="warmup">
      <h2 id="warmup">{mailboxWords.warmup}</h2>
      <div className="empty">
        <Empty text={says.none}>
          <p className="fine">{says.lead}</p>
          {may("warmup:write") && <StartWarmup mailbox={mailbox} enrolment={null} />}
        </Empty>
      </div>
    </section>
  );
}

function Warming({ mailbox }: { mailbox: Mailbox }) {
  const may = useMay();
  const { id: mailboxId } = mailbox;
  const called = useCall("get /warmup/enrolments/:mailboxId", { mailboxId }, { every: EVERY_MS });
  const { data: enrolment, refusal, isLooking, again } = called;
  if (enrolment === undefined)
    return refusal === null ? <Looking isLooking={isLooking} /> : <RefusalAlert refusal={refusal} again={again} />;
  const reasons = reasonsOf(enrolment, mailbox);
  return (
    <section aria-labelledby="warmup">
      <div className="title">
        <h2 id="warmup">
          <span className={`mark ${enrolment.statusReason === null ? WARMUP_MARK[enrolment.status] : "waits"}`}>
            {WARMUP_STATUS[enrolment.status]}
          </span>
        </h2>
        {may("warmup:write") && <WarmupControls mailbox={mailbox} enrolment={enrolment} />}
      </div>
      {refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
      {reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
      {enrolment.planStatus === "PENDING" && <p role="status">{says.pending}</p>}
      {enrolment.warnings.some(({ code }) => code === "PROVIDER_TERMS") && (
        <Notice kind="attention">{says.terms}</Notice>
      )}
      <Results mailbox={mailbox} enrolment={enrolment} />
      <WarmupSettings key={enrolment.preset} enrolment={enrolment} />
      <Pools enrolment={enrolment} />
    </section>
  );
}

function Results({ mailbox, enrolment }: { mailbox: Mailbox; enrolment: Enrolment }) {
  const { id: mailboxId } = mailbox;
  const { last7Days: week, dayNumber, preset, reputationScore, startedAt, dailyLimit, status } = enrolment;
  const days = useCall("get /warmup/enrolments/:mailboxId/heatmap", { mailboxId, days: DAYS }, { every: EVERY_MS });
  const today = days.data?.at(-1);
  const isRunning = status === "ACTIVE";
  const all = days.data ?? [];
  const valuesOf = (name: "sent" | "engaged" | "replied" | "inSpam") => all.map((day) => day[name]);
  const series = [
    { name: says.sent, values: valuesOf("sent") },
    { name: says.read, values: valuesOf("engaged") },
    { name: says.answered, values: valuesOf("replied") },
    { name: says.inJunk, values: valuesOf("inSpam") },
  ];
  const hasAny = series.some(({ values }) => values.some((value) => value > 0));
  const share = (count: number) => (week.sent === 0 ? "" : says.ofSent(count / week.sent));
  return (
    <>
      <h3>{says.today}</h3>
      <Figures
        figures={[
          { name: says.target, count: isRunning ? dailyLimit : 0 },
          { name: says.sent, count: mailbox.sentToday.warmup },
          { name: says.read, count: today?.engaged },
          { name: says.answered, count: today?.replied },
          { name: says.inJunk, count: today?.inSpam },
        ]}
      />
      <h3>{says.week}</h3>
      <Figures
        figures={[
          { name: says.sent, count: week.sent },
          { name: says.received, count: week.received },
          { name: says.answered, count: week.replied, share: share(week.replied) },
          { name: says.inJunk, count: week.inSpam, share: share(week.inSpam) },
          { name: says.rescued, count: week.rescued },
          { name: says.bounced, count: week.bounced },
        ]}
      />
      <dl className="pairs">
        <Pair name={says.day}>{dayNumber}</Pair>
        <Pair name={says.preset}>{PRESET[preset]}</Pair>
        <Pair name={says.score}>{reputationScore === null ? says.unscored : says.ofHundred(reputationScore)}</Pair>
        {startedAt !== null && (
          <Pair name={says.startedAt}>
            <When at={startedAt} />
          </Pair>
        )}
      </dl>
      <h3>{says.chart}</h3>
      {days.refusal !== null && <RefusalAlert refusal={days.refusal} again={days.again} />}
      {days.data === undefined && days.refusal === null && <Looking isLooking={days.isLooking} />}
      {days.data !== undefined && !hasAny && <p>{says.nothingYet}</p>}
      {hasAny && (
        <>
          <p className="fine">{says.chartHint}</p>
          <DayBars title={says.chart} days={all.map(({ date }) => date)} series={series} />
        </>
      )}
    </>
  );
}

function Pair({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="pair">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

import { DAY_MS } from "../../../domain/time/durations.ts";
import type { Out } from "../../api/call.ts";
import { useCall } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { DayBars } from "../../charts/day-bars.tsx";
import { Funnel } from "../../charts/funnel.tsx";
import { WeekHeat } from "../../charts/week-heat.tsx";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Looking } from "../../kit/looking.tsx";
import { campaignWords } from "../../words/en/campaign.ts";
import { activityWords as says } from "../../words/en/why.ts";
import type { Campaign } from "./reads.ts";

const EVERY_MS = 30_000;

/** A campaign's figures: the funnel of its recipients, the days, and the hours of the week in which people reply. */
export function Activity({ campaign }: { campaign: Campaign }) {
  const may = useMay();
  const { id: campaignId, metrics } = campaign;
  const { data, refusal, again } = useCall("get /campaigns/:campaignId/metrics", { campaignId }, { every: EVERY_MS });
  if (data === undefined)
    return refusal === null ? <Looking isLooking={true} /> : <RefusalAlert refusal={refusal} again={again} />;
  if (data.days.length === 0) return <p>{says.none}</p>;
  return (
    <>
      <section aria-labelledby="funnel">
        <h2 id="funnel">{says.funnel}</h2>
        {!metrics ? <p>–</p> : <Funnel title={says.funnel} steps={funnelOf(metrics)} />}
      </section>
      <section aria-labelledby="days">
        <h2 id="days">{says.title}</h2>
        <DayBars
          title={says.title}
          series={[
            { name: says.sent, values: data.days.map(({ sent }) => sent) },
            { name: says.replied, values: data.days.map(({ replied }) => replied) },
            { name: says.positive, values: data.days.map(({ positiveReplies }) => positiveReplies) },
            { name: says.bounced, values: data.days.map(({ bounced }) => bounced) },
          ]}
          days={data.days.map(({ date }) => date)}
        />
        <p className="fine">{says.zone(data.timezone)}</p>
      </section>
      {may("analytics:read") && <Week campaign={campaign} />}
    </>
  );
}

function funnelOf({ recipients, contacted, replied, positiveReplies }: NonNullable<Campaign["metrics"]>) {
  const { figures } = campaignWords;
  return [
    { name: figures.recipients, value: recipients },
    { name: figures.contacted, value: contacted },
    { name: figures.replied, value: replied },
    { name: figures.positiveReplies, value: positiveReplies },
  ];
}

/** A chart of the hours of the week in which people reply, over the whole campaign. */
function Week({ campaign: { id, createdAt } }: { campaign: Campaign }) {
  // Begins one day earlier, because the days of a report are in the workspace's time zone
  const from = new Date(Date.parse(createdAt) - DAY_MS).toISOString().slice(0, 10);
  const input = { campaignIds: id, groupBy: "HOUR_OF_WEEK", metrics: "replied", from } as const;
  const { data, refusal, again } = useCall("get /analytics/report", input, { every: EVERY_MS });
  return (
    <section aria-labelledby="week">
      <h2 id="week">{says.week}</h2>
      {data === undefined &&
        (refusal === null ? <Looking isLooking={true} /> : <RefusalAlert refusal={refusal} again={again} />)}
      {data !== undefined && (
        <>
          <WeekHeat title={says.week} counted={says.replies} week={hoursByWeekday(data.rows)} />
          <p className="fine">{says.hours(data.timezone)}</p>
        </>
      )}
    </section>
  );
}

const [DAYS, HOURS] = [7, 24];

/** All hours of a week in order, beginning with Monday. */
function hoursByWeekday(rows: Out<"get /analytics/report">["rows"]): number[][] {
  return Array.from({ length: DAYS }, (_, day) =>
    rows.slice(day * HOURS, (day + 1) * HOURS).map(({ replied = 0 }) => replied),
  );
}

import { useCall } from "../../api/query.ts";
import { DayBars } from "../../charts/day-bars.tsx";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Looking } from "../../kit/looking.tsx";
import { courseWords as says } from "../../words/en/why.ts";

const EVERY_MS = 30_000;

/** The course of a campaign, day by day. */
export function Course({ campaignId }: { campaignId: string }) {
  const { data, refusal, again } = useCall("get /campaigns/:campaignId/metrics", { campaignId }, { every: EVERY_MS });
  if (data === undefined) return refusal === null ? <Looking isLooking={true} /> : <RefusalAlert refusal={refusal} again={again} />;
  return (
    <section aria-labelledby="course">
      <h2 id="course">{says.title}</h2>
      {data.days.length === 0 ? (
        <p>{says.none}</p>
      ) : (
        <>
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
        </>
      )}
    </section>
  );
}

import { HourBars } from "../../charts/hour-bars.tsx";
import { Figures } from "../../kit/figures.tsx";
import { homeWords as says } from "../../words/en/home.ts";
import type { HomeRead } from "./reads.ts";

interface TodayProps {
  /** Undefined until it is read; null if it could not be read in time. */
  today: HomeRead["today"];
}

/** Emails sent today, of the daily limits, and the replies; by hour, and compared with yesterday at the same time. */
export function Today({ today }: TodayProps) {
  const figureOf = (name: string, metric: "replied" | "positiveReplies") => ({
    name,
    count: today?.campaigns[metric],
    ...(today && { change: says.change(today.campaigns[metric], today.yesterday[metric]) }),
    ...(today && metric === "replied" && { parts: today.hours.slice(0, today.hour + 1).map((hour) => hour[metric]) }),
  });
  const limit = today?.limit ?? 0;
  return (
    <section className="card" aria-labelledby="today">
      <h2 id="today">{says.today}</h2>
      {today === null && <p className="fine">{says.late}</p>}
      <Figures
        figures={[
          { name: says.sent, count: today?.sent, ...(limit > 0 && { share: says.ofLimit(limit) }) },
          figureOf(says.replies, "replied"),
          figureOf(says.positive, "positiveReplies"),
        ]}
      />
      {limit > 0 ? (
        <meter
          className="whole"
          aria-label={says.sentOf}
          min={0}
          max={limit}
          value={Math.min(today?.sent ?? 0, limit)}
        />
      ) : (
        today && <p className="fine">{says.noMailbox}</p>
      )}
      {today && (
        <>
          <h3>{says.byHour}</h3>
          <HourBars title={says.byHour} counted={says.sent} hours={today.hours.map(({ sent }) => sent)} />
        </>
      )}
    </section>
  );
}

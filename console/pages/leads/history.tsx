import { useCall } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Given, LongText } from "../../kit/given.tsx";
import { Looking } from "../../kit/looking.tsx";
import { To } from "../../kit/to.tsx";
import { When } from "../../kit/when.tsx";
import { detailOf, EVENT, leadWords as says } from "../../words/en/leads/lead.ts";
import { wordFor } from "../../words/states.ts";
import { ENTRIES, type Happening, type Lead } from "./reads.ts";
import { Turning } from "./turning.tsx";

interface HistoryProps {
  lead: Lead;
  page: number;
  onPage: (page: number) => void;
}

/** Everything that happened to a lead, newest first. */
export function History({ lead: { id: leadId, campaigns }, page, onPage }: HistoryProps) {
  const { data, refusal, isLooking, again } = useCall("get /leads/:leadId/activity", { leadId, limit: ENTRIES, page });
  const names = new Map(campaigns.map(({ id, name }) => [id, name]));
  const events = data?.view === "activity" ? data.items : undefined;
  return (
    <section aria-labelledby="history">
      <h2 id="history" className="hidden">
        {says.history}
      </h2>
      {refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
      <Looking isLooking={isLooking} />
      {events?.length === 0 && <p>{page === 1 ? says.nothingHappened : says.nothingEarlier}</p>}
      {events !== undefined && (
        <>
          <ol className="timeline">
            {events.map((event) => (
              <li key={event.id}>
                <Line
                  event={event}
                  campaign={event.campaignId === null ? null : (names.get(event.campaignId) ?? null)}
                />
              </li>
            ))}
          </ol>
          <Turning page={page} count={events.length} onPage={onPage} />
        </>
      )}
    </section>
  );
}

function Line({ event: { type, at, data }, campaign }: { event: Happening; campaign: string | null }) {
  const may = useMay();
  const detail = detailOf(type, data);
  const { threadId } = data;
  return (
    <>
      <span className="fine">
        <When at={at} />
      </span>{" "}
      {wordFor(EVENT, type)}
      {campaign !== null && (
        <span className="fine">
          {" "}
          {says.inCampaign} <Given>{campaign}</Given>
        </span>
      )}
      {detail !== "" && (
        <>
          {": "}
          <LongText text={detail} />
        </>
      )}
      {typeof threadId === "string" && may("inbox:read") && (
        <>
          {" "}
          <To page="/inbox" view={{ open: threadId }}>
            {says.conversation}
          </To>
        </>
      )}
    </>
  );
}

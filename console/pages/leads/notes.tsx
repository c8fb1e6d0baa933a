import { useCall } from "../../api/query.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { LongText } from "../../kit/given.tsx";
import { Looking } from "../../kit/looking.tsx";
import { When } from "../../kit/when.tsx";
import { leadWords as says } from "../../words/en/leads/lead.ts";
import { ENTRIES } from "./reads.ts";
import { Turning } from "./turning.tsx";

/** Notes of members about a lead, newest first. */
export function Notes({ leadId, page, onPage }: { leadId: string; page: number; onPage: (page: number) => void }) {
  const input = { leadId, view: "notes", limit: ENTRIES, page } as const;
  const { data, refusal, isLooking, again } = useCall("get /leads/:leadId/activity", input);
  const notes = data?.view === "notes" ? data.items : undefined;
  return (
    <section aria-labelledby="notes">
      <h2 id="notes" className="hidden">
        {says.notes}
      </h2>
      {refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
      <Looking isLooking={isLooking} />
      {notes?.length === 0 && <p>{page === 1 ? says.noNotes : says.nothingEarlier}</p>}
      {notes !== undefined && (
        <>
          <ul className="timeline plain">
            {notes.map(({ noteId, createdAt, body }) => (
              <li key={noteId}>
                <span className="fine">
                  <When at={createdAt} />
                </span>
                <div className="mail">
                  <div className="text">
                    <LongText text={body} />
                  </div>
                </div>
              </li>
            ))}
          </ul>
          <Turning page={page} count={notes.length} onPage={onPage} />
        </>
      )}
    </section>
  );
}

import { useEffect, useState } from "react";
import { call, type Out } from "../../api/call.ts";
import { useWorkspaceId } from "../../api/path-id.ts";
import { type Refusal, refusalOf } from "../../api/refusal.ts";
import { noteSessionEnded } from "../../api/session.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Given } from "../../kit/given.tsx";
import { Looking } from "../../kit/looking.tsx";
import { To } from "../../kit/to.tsx";
import { segmentWords as says } from "../../words/en/leads/segments.ts";

type Matched = Out<"post /lead-lists/preview">;

/** Milliseconds after the last change until the leads are counted. */
const TYPED_MS = 400;

export interface Preview {
  shown: Matched | null;
  refusal: Refusal | null;
  isLooking: boolean;
  again: () => void;
}

/** The leads that match a filter now. `rules` is null while a condition lacks its value. */
export function useMatching(rules: string | null): Preview {
  const workspaceId = useWorkspaceId();
  const [answer, setAnswer] = useState<{ rules: string; shown: Matched | null; refusal: Refusal | null } | null>(null);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: tries asks again
  useEffect(() => {
    if (rules === null) return;
    const stop = new AbortController();
    const count = async () => {
      const input = { filterRules: JSON.parse(rules) };
      try {
        const shown = await call("post /lead-lists/preview", input, { workspaceId, signal: stop.signal });
        if (!stop.signal.aborted) setAnswer({ rules, shown, refusal: null });
      } catch (err) {
        if (stop.signal.aborted) return;
        const refusal = refusalOf(err);
        if (refusal.status === 401) noteSessionEnded();
        setAnswer({ rules, shown: null, refusal });
      }
    };
    const timer = setTimeout(() => void count(), TYPED_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [workspaceId, rules, tries]);
  // The count of an earlier filter is never shown beside a later one
  const isOf = answer !== null && answer.rules === rules;
  return {
    shown: isOf ? answer.shown : null,
    refusal: isOf ? answer.refusal : null,
    isLooking: rules !== null && !isOf,
    again: () => {
      setAnswer(null);
      setTries(tries + 1);
    },
  };
}

/** The number of leads that match a filter now, and the first of them. */
export function Matching({
  preview: { shown, refusal, isLooking, again },
  isWhole,
}: {
  preview: Preview;
  isWhole: boolean;
}) {
  const isBeside = refusal !== null && refusal.issues.length > 0;
  return (
    <section className="card" aria-labelledby="matching">
      <h2 id="matching">{says.matching}</h2>
      {refusal !== null && !isBeside && <RefusalAlert refusal={refusal} again={again} />}
      <Looking isLooking={isLooking} />
      <p role="status" className={shown === null ? "" : "headline"}>
        {!isWhole ? says.incomplete : shown === null ? "" : says.match(shown.count)}
      </p>
      {shown !== null && shown.sample.length > 0 && (
        <>
          {shown.count > shown.sample.length && <p className="fine">{says.first(shown.sample.length)}</p>}
          <ul className="plain">
            {shown.sample.map(({ id, email, fullName, company }) => (
              <li key={id}>
                <To page="/leads/$leadId" ids={{ leadId: id }}>
                  <Given isShort>{email}</Given>
                </To>{" "}
                <span className="fine">
                  <Given isShort>{[fullName, company].filter((text) => text !== null).join(", ")}</Given>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

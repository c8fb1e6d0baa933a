import { Given } from "../../kit/given.tsx";
import { When } from "../../kit/when.tsx";
import { editPlanWords as says } from "../../words/en/edit-plan.ts";
import type { Edit } from "./reads.ts";

type Timeline = Edit["samples"][number]["before"];

/** A few recipients with what they get and when, as it is beside how it would be. Steps are named by their place in each. */
export function SamplesOf({ edit: { samples, steps } }: { edit: Edit }) {
  if (samples.length === 0) return null;
  const planOf = (id: string) => steps.find(({ stepId }) => stepId === id);
  return (
    <>
      <h3>{says.samples(samples.length)}</h3>
      {samples.map(({ recipientId, email, before, after }) => (
        <article key={recipientId} className="mail">
          <h4>
            <Given>{email}</Given>
          </h4>
          <div className="columns">
            <Course head={says.now} timeline={before} placeOf={(id) => ({ order: planOf(id)?.orderBefore ?? null, was: null })} />
            <Course
              head={says.after}
              timeline={after}
              placeOf={(id) => ({ order: planOf(id)?.order ?? null, was: planOf(id)?.orderBefore ?? null })}
            />
          </div>
        </article>
      ))}
    </>
  );
}

interface CourseProps {
  head: string;
  timeline: Timeline;
  /** The place of a step, and the one that it had before where that differs. */
  placeOf: (stepId: string) => { order: number | null; was: number | null };
}

function Course({ head, timeline, placeOf }: CourseProps) {
  return (
    <div>
      <p className="fine">{head}</p>
      {timeline.length === 0 && <p>{says.nothing}</p>}
      <ol className="timeline">
        {timeline.map(({ stepId, at, isEarliest }) => {
          const { order, was } = placeOf(stepId);
          return (
            <li key={stepId}>
              {says.place(order)}: {isEarliest && `${says.earliest} `}
              <When at={String(at)} />
              {was !== null && was !== order && <span className="fine"> {says.wasStep(was)}</span>}
            </li>
          );
        })}
      </ol>
    </div>
  );
}

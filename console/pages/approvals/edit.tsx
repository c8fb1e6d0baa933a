import { MINUTE_MS } from "../../../domain/time/durations.ts";
import { Notice } from "../../kit/alert.tsx";
import { Figures } from "../../kit/figures.tsx";
import { Given, Lines } from "../../kit/given.tsx";
import { When } from "../../kit/when.tsx";
import { type Change, changesInWords } from "../../words/changes.ts";
import { changeWords } from "../../words/en/changes.ts";
import { editPlanWords as says } from "../../words/en/edit-plan.ts";
import { StepsOf } from "./edit-steps.tsx";
import type { Edit } from "./reads.ts";

/** The effect of an edit on a launched campaign's recipients: who gets which step, and when. */
export function EditOf({ edit }: { edit: Edit }) {
  const { repeated, reopenable, firstDueAt, lastDueAt, steps, outlook } = edit;
  const orderOf = (id: string) => steps.find(({ stepId }) => stepId === id)?.order ?? null;
  const lines = changesInWords(edit.changes.flatMap(toChange), { orderOf, labelOf: () => null });
  return (
    <>
      {lines.length > 0 && <h3>{says.changes}</h3>}
      <Lines lines={lines} more={changeWords.more} />
      <h3>{says.title}</h3>
      {repeated > 0 && <Notice kind="attention">{says.repeated(repeated)}</Notice>}
      <Figures figures={figuresOf(edit)} />
      {firstDueAt !== null && lastDueAt !== null && (
        <p>
          {says.due} <When at={String(firstDueAt)} />
          {!isSame(firstDueAt, lastDueAt) && (
            <>
              {" "}
              {says.to} <When at={String(lastDueAt)} />
            </>
          )}
          .
        </p>
      )}
      {reopenable !== 0 && <p>{reopenable === null ? says.uncounted : says.reopenable(reopenable)}</p>}
      <StepsOf steps={steps} />
      <h4>{says.outlook}</h4>
      <dl className="facts">
        <Moment name={says.firstSend} before={outlook.before.firstSendAt} after={outlook.after.firstSendAt} />
        <Moment name={says.lastSend} before={outlook.before.expectedFinishAt} after={outlook.after.expectedFinishAt} />
      </dl>
      <SamplesOf edit={edit} />
    </>
  );
}

function figuresOf({ people, moved, earlier, later, rebooked, completed }: Edit) {
  const { figures } = says;
  return [
    { name: figures.people, count: people },
    { name: figures.moved, count: moved },
    { name: figures.earlier, count: earlier },
    { name: figures.later, count: later },
    { name: figures.rebooked, count: rebooked },
    { name: figures.completed, count: completed },
  ];
}

/** A time before and after the edit. */
function Moment({ name, before, after }: { name: string; before: unknown; after: unknown }) {
  return (
    <div className="wide">
      <dt>{name}</dt>
      <dd>
        <Known at={before} />
        {isSame(before, after) ? (
          before !== null && <span className="fine"> {says.unchanged}</span>
        ) : (
          <>
            {" → "}
            <Known at={after} />
          </>
        )}
      </dd>
    </div>
  );
}

function Known({ at }: { at: unknown }) {
  return at === null ? says.unknown : <When at={String(at)} />;
}

/** True for equal times. Less than a minute counts as equal, because the two were calculated at different moments. */
function isSame(one: unknown, other: unknown): boolean {
  return (
    one === other ||
    (one !== null && other !== null && Math.abs(Date.parse(String(one)) - Date.parse(String(other))) < MINUTE_MS)
  );
}

/** Converts changes to the history's type, which the server's type does not guarantee. */
function toChange({ stepId, variantId, field, before, after }: Edit["changes"][number]): Change[] {
  return typeof field === "string"
    ? [{ stepId: stringOrNull(stepId), variantId: stringOrNull(variantId), field, before, after }]
    : [];
}

function stringOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

type Timeline = Edit["samples"][number]["before"];

/**
 * Sample recipients with their steps and times before and after the edit. Each side numbers steps by their position on
 * that side.
 */
function SamplesOf({ edit: { samples, steps } }: { edit: Edit }) {
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
            <Course
              head={says.now}
              timeline={before}
              placeOf={(id) => ({ order: planOf(id)?.orderBefore ?? null, was: null })}
            />
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
  /** The position of a step, and in `was` its earlier position if it differs. */
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

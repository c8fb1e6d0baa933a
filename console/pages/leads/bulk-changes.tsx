import { useState } from "react";
import { useWrite } from "../../api/query.ts";
import { Field, Select } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { Confirm, Modal } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { bulkWords as says } from "../../words/en/leads/bulk.ts";
import { suppressWords } from "../../words/en/leads/leads.ts";
import { Planned } from "../campaign-setup/planned.tsx";
import { countOf, type Lead, RENEWS, sends, type Target, useBulkWrite, useOutcome, whichOf } from "./bulk.tsx";

interface DialogProps {
  target: Target;
  onClose: (isDone: boolean) => void;
}

const MANAGE = "post /leads/manage";
const WAYS = ["bulkAddTags", "bulkRemoveTags"] as const;
interface Tagging {
  action: (typeof WAYS)[number];
  tags: string[];
}

/** Adds tags to leads, or removes them. */
export function TagLeads({ target, onClose }: DialogProps) {
  const { plan, commit } = useBulkWrite(MANAGE);
  const undo = useWrite(MANAGE, { renews: RENEWS });
  const { note, job } = useOutcome(onClose);
  const [asked, setAsked] = useState<Tagging | null>(null);
  const which = whichOf(target);
  const change = async (tagging: Tagging, planToken: string, mayUndo: boolean) => {
    const answer = await commit.run({ ...tagging, ...which, planToken });
    if (answer === null) return false;
    const takeBack = async () => {
      let isUndone = true;
      for (const back of "rows" in target ? undoneBy(tagging, target.rows) : [])
        isUndone = (await undo.run(back)) !== null && isUndone;
      say(isUndone ? says.saidUndone : says.notUndone);
    };
    note(answer, { said: says.saidTagged, undo: () => (mayUndo && "rows" in target ? () => void takeBack() : null) });
    return true;
  };
  const submit = async (values: FormValues) => {
    const action = WAYS.find((one) => one === values.text("action")) ?? "bulkAddTags";
    const tagging = { action, tags: tagsIn(values.text("tags")) };
    if ("filter" in which) return setAsked(tagging);
    const answer = await plan.run({ ...tagging, ...which, planOnly: true });
    if (answer === null) return;
    if (sends(answer)) return setAsked(tagging);
    await change(tagging, answer.planToken, true);
  };
  if (job !== null) return job;
  if (asked !== null)
    return (
      <Planned
        title={says.tagsPlanTitle}
        act={says.tagsAct}
        plan={{ ...plan, ask: () => plan.run({ ...asked, ...which, planOnly: true }) }}
        commit={{ ...commit, run: (planToken) => change(asked, planToken, false) }}
        onDone={() => {}}
        onClose={() => setAsked(null)}
      />
    );
  return (
    <Modal title={says.tagsTitle(countOf(target))} onClose={() => onClose(false)}>
      <Form
        act={says.tagsAct}
        isRunning={plan.isRunning || commit.isRunning}
        refusal={plan.refusal ?? commit.refusal}
        fields={["tags"]}
        onCancel={() => onClose(false)}
        onSubmit={(values) => void submit(values)}
      >
        <Select
          label={says.tagsWay}
          name="action"
          options={WAYS.map((value) => ({ value, text: says.tagsWays[value] }))}
        />
        <Field
          label={says.tagsLabel}
          hint={says.tagsHint}
          name="tags"
          required
          autoComplete="off"
          refusal={plan.refusal ?? commit.refusal}
        />
      </Form>
    </Modal>
  );
}

function tagsIn(text: string): string[] {
  return [...new Set(text.split(",").map((tag) => tag.trim()))].filter((tag) => tag !== "");
}

/** The changes that give each lead the tags that it had: a lead keeps a tag that it had before. */
function undoneBy({ action, tags }: Tagging, rows: readonly Lead[]) {
  const isAdding = action === "bulkAddTags";
  const back = isAdding ? ("bulkRemoveTags" as const) : ("bulkAddTags" as const);
  return tags.flatMap((tag) => {
    const ids = rows.filter((row) => row.tags.includes(tag) !== isAdding).map(({ id }) => id);
    return ids.length === 0 ? [] : [{ action: back, tags: [tag], ids }];
  });
}

/** Deletes leads after it has shown what is lost with them. */
export function DeleteLeads({ target, onClose }: DialogProps) {
  const { plan, commit } = useBulkWrite(MANAGE);
  const { note, job } = useOutcome(onClose);
  const request = { action: "bulkDelete" as const, ...whichOf(target) };
  const remove = async (planToken: string) => {
    const answer = await commit.run({ ...request, planToken });
    if (answer !== null) note(answer, { said: says.saidRemoved });
    return answer !== null;
  };
  if (job !== null) return job;
  return (
    <Planned
      title={says.removeTitle(countOf(target))}
      act={says.removeAct}
      intro={
        <>
          <p>{says.removeEffect}</p>
          <p>{says.removeKeeps}</p>
        </>
      }
      plan={{ ...plan, ask: () => plan.run({ ...request, planOnly: true }) }}
      commit={{ ...commit, run: remove }}
      onDone={() => {}}
      onClose={() => onClose(false)}
    />
  );
}

const SUPPRESS = "post /leads/suppress";

/** Suppresses all leads that match a filter. */
export function SuppressMatching({ target, onClose }: DialogProps) {
  const { commit } = useBulkWrite(SUPPRESS);
  const { note, job } = useOutcome(onClose);
  const run = async () => {
    const answer = await commit.run({ action: "suppress", ...whichOf(target) });
    if (answer !== null) note(answer, { said: says.saidSuppressed });
  };
  if (job !== null) return job;
  return (
    <Confirm
      title={says.suppressTitle}
      isDangerous
      effect={
        <>
          <p className="headline">{says.suppressEffect(countOf(target))}</p>
          <p>{suppressWords.endsUnnamed}</p>
          <p>{suppressWords.keeps}</p>
          <p>{suppressWords.back}</p>
        </>
      }
      act={says.suppressAct}
      isRunning={commit.isRunning}
      refusal={commit.refusal}
      onAct={() => void run()}
      onClose={() => onClose(false)}
    />
  );
}

/** Allows emails to all leads that match a filter. */
export function AllowMatching({ target, onClose }: DialogProps) {
  const { plan, commit } = useBulkWrite(SUPPRESS);
  const { note, job } = useOutcome(onClose);
  const request = { action: "unsuppress" as const, ...whichOf(target) };
  const allow = async (planToken: string) => {
    const answer = await commit.run({ ...request, planToken });
    if (answer !== null) note(answer, { said: says.saidAllowed });
    return answer !== null;
  };
  if (job !== null) return job;
  return (
    <Planned
      title={says.allowTitle}
      act={says.allowAct}
      intro={
        <>
          <p>{says.allowEffect(countOf(target))}</p>
          <p>{suppressWords.allowKeeps}</p>
        </>
      }
      plan={{ ...plan, ask: () => plan.run({ ...request, planOnly: true }) }}
      commit={{ ...commit, run: allow }}
      onDone={() => {}}
      onClose={() => onClose(false)}
    />
  );
}

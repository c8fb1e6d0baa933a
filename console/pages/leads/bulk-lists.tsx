import { useState } from "react";
import { limitsOf } from "../../api/forms.ts";
import { useCall, useWrite } from "../../api/query.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Field, type Option, Select } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { Looking } from "../../kit/looking.tsx";
import { Confirm, Modal } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { bulkWords as says } from "../../words/en/leads/bulk.ts";
import { Planned } from "../campaign-setup/planned.tsx";
import { countOf, RENEWS, sends, type Target, useBulkWrite, useOutcome, whichOf } from "./bulk.tsx";

const ENDPOINT = "post /lead-lists/manage";
const NEW = "new";

interface DialogProps {
  target: Target;
  onClose: (isDone: boolean) => void;
}

/** Which leads, as the endpoint of lists names them. */
function membersOf(target: Target) {
  const which = whichOf(target);
  return "ids" in which ? { leadIds: which.ids } : which;
}

/** Adds leads to a static list, an existing one or a new one. */
export function AddToList({ target, onClose }: DialogProps) {
  const lists = useCall("get /lead-lists", {});
  const create = useWrite("post /lead-lists", { renews: ["get /lead-lists"] });
  const { plan, commit } = useBulkWrite(ENDPOINT);
  const undo = useWrite(ENDPOINT, { renews: RENEWS });
  const { note, job } = useOutcome(onClose);
  const [chosen, setChosen] = useState<string | null>(null);
  const [made, setMade] = useState<{ id: string; name: string } | null>(null);
  const [asked, setAsked] = useState<{ listId: string; name: string } | null>(null);
  const statics = lists.data?.filter(({ type }) => type === "STATIC") ?? [];
  const which = membersOf(target);
  const requestOf = (listId: string) => ({ action: "addMembers" as const, listId, ...which });
  const add = async (list: { listId: string; name: string }, planToken: string, mayUndo: boolean) => {
    const answer = await commit.run({ ...requestOf(list.listId), planToken });
    if (answer === null) return false;
    const takeBack = async () => {
      if (!("leadIds" in which)) return;
      const done = await undo.run({ action: "removeMembers", listId: list.listId, ...which });
      say(done === null ? says.notUndone : says.saidUndone);
    };
    note(answer, {
      said: (changed) => says.saidAdded(changed, list.name),
      // Leads that were in the list before would leave it as well
      undo: (changed) => (mayUndo && "leadIds" in which && changed === which.leadIds.length ? takeBack : null),
    });
    return true;
  };
  const submit = async (values: FormValues) => {
    const list = await listFor(values);
    if (list === null) return;
    if ("filter" in which) return setAsked(list);
    const answer = await plan.run({ ...requestOf(list.listId), planOnly: true });
    if (answer === null) return;
    if (sends(answer)) return setAsked(list);
    await add(list, answer.planToken, true);
  };
  const listFor = async (values: FormValues) => {
    const id = values.text("listId");
    const known = statics.find((one) => one.id === id);
    if (known !== undefined) return { listId: id, name: known.name };
    const name = values.text("name");
    // A list that was made before the change was refused is used again
    const list = made?.name === name ? made : await create.run({ name, type: "STATIC" });
    if (list === null) return null;
    setMade(list);
    return { listId: list.id, name: list.name };
  };
  if (job !== null) return job;
  if (asked !== null)
    return (
      <Planned
        title={says.listPlanTitle(asked.name)}
        act={says.listAct}
        plan={{ ...plan, ask: () => plan.run({ ...requestOf(asked.listId), planOnly: true }) }}
        commit={{ ...commit, run: (planToken) => add(asked, planToken, false) }}
        onDone={() => {}}
        onClose={() => setAsked(null)}
      />
    );
  const first = chosen ?? statics[0]?.id ?? NEW;
  const options: Option[] = [
    ...statics.map(({ id, name }) => ({ value: id, text: name })),
    { value: NEW, text: says.newList },
  ];
  return (
    <Modal title={says.listTitle(countOf(target))} onClose={() => onClose(false)}>
      {lists.refusal !== null && <RefusalAlert refusal={lists.refusal} again={lists.again} />}
      {lists.data === undefined ? (
        <Looking isLooking={lists.isLooking} />
      ) : (
        <Form
          act={says.listAct}
          isRunning={create.isRunning || plan.isRunning || commit.isRunning}
          refusal={create.refusal ?? plan.refusal ?? commit.refusal}
          fields={["name", "listId"]}
          onCancel={() => onClose(false)}
          onSubmit={(values) => void submit(values)}
        >
          <Select
            label={says.listLabel}
            hint={says.listHint}
            name="listId"
            value={first}
            options={options}
            onPick={setChosen}
          />
          {first === NEW && (
            <Field
              label={says.newName}
              name="name"
              required
              limits={limitsOf("post /lead-lists", "name")}
              refusal={create.refusal}
            />
          )}
        </Form>
      )}
    </Modal>
  );
}

/** Removes leads from the static list that the page shows. */
export function RemoveFromList({ target, list, onClose }: DialogProps & { list: { id: string; name: string } }) {
  const { commit } = useBulkWrite(ENDPOINT);
  const undo = useWrite(ENDPOINT, { renews: RENEWS });
  const { note, job } = useOutcome(onClose);
  const which = membersOf(target);
  const run = async () => {
    const answer = await commit.run({ action: "removeMembers", listId: list.id, ...which });
    if (answer === null) return;
    const takeBack = async () => {
      if (!("leadIds" in which)) return;
      // A campaign may add the members of the list automatically, and then the plan would have to be shown
      const planned = await undo.run({ action: "addMembers", listId: list.id, ...which, planOnly: true });
      if (planned === null || sends(planned)) return say(says.notUndone);
      const { planToken } = planned;
      const done = await undo.run({ action: "addMembers", listId: list.id, ...which, planToken });
      say(done === null ? says.notUndone : says.saidUndone);
    };
    note(answer, {
      said: (changed) => says.saidLeft(changed, list.name),
      undo: (changed) => ("leadIds" in which && changed === which.leadIds.length ? takeBack : null),
    });
  };
  if (job !== null) return job;
  return (
    <Confirm
      title={says.leaveTitle(list.name)}
      effect={<p>{says.leaveEffect(countOf(target))}</p>}
      act={says.leaveAct}
      isRunning={commit.isRunning}
      refusal={commit.refusal}
      onAct={() => void run()}
      onClose={() => onClose(false)}
    />
  );
}

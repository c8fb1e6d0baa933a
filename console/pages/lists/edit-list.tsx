import { useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { LIST_TYPES, type ListType } from "../../../domain/states.ts";
import { limitsOf } from "../../api/forms.ts";
import { usePathId, useWorkspaceId } from "../../api/path-id.ts";
import { useCall, useWrite } from "../../api/query.ts";
import type { Refusal } from "../../api/refusal.ts";
import { useMay } from "../../api/workspace.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Field, Select, TextArea } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { Looking } from "../../kit/looking.tsx";
import { Page, UnreadPage } from "../../kit/page.tsx";
import { pathTo, To } from "../../kit/to.tsx";
import { say } from "../../kit/toast.tsx";
import { listWords as says } from "../../words/en/leads/lists.ts";
import { segmentWords } from "../../words/en/leads/segments.ts";
import { Planned } from "../campaign-setup/planned.tsx";
import { draftOf, FIRST_FIELD, type Group, isComplete, newRow, rulesOf } from "./draft-filter.ts";
import { FilterBuilder } from "./filter-builder.tsx";
import { Matching, useMatching } from "./matching.tsx";
import { type List, RENEWS, type Sources, useSources } from "./reads.ts";

const CREATE = "post /lead-lists";
const CHANGE = "post /lead-lists/manage";
/** Where the service finds the filter in a request. */
const FILTER = "filterRules";

/** Creates a list: one that a person fills, or all leads that match a filter. */
export function NewList() {
  const sources = useSources();
  const create = useWrite(CREATE, { renews: RENEWS });
  const [type, setType] = useState<ListType>("STATIC");
  const leave = useLeave();
  const save = async (values: FormValues, filterRules: Record<string, unknown> | null) => {
    const description = values.given("description");
    const list = await create.run({
      name: values.text("name"),
      type,
      ...(description !== undefined && { description }),
      ...(filterRules !== null && { filterRules }),
    });
    if (list === null) return;
    say(says.saidCreated(list.name));
    leave(list.type === "DYNAMIC" ? list.id : null);
  };
  return (
    <Page
      title={says.newTitle}
      actions={
        <To page="/lists" className="button">
          {says.toLists}
        </To>
      }
    >
      <ListForm
        list={null}
        type={type}
        onType={setType}
        sources={sources.data}
        act={says.create}
        write={create}
        onSave={(values, rules) => void save(values, rules)}
      />
      {sources.refusal !== null && <RefusalAlert refusal={sources.refusal} again={sources.again} />}
    </Page>
  );
}

/** Changes a list: its name, its description, and the filter of a dynamic one. */
export function EditList() {
  const listId = usePathId("listId");
  const lists = useCall("get /lead-lists", {});
  const sources = useSources();
  const list = lists.data?.find(({ id }) => id === listId);
  if (lists.data === undefined) return <UnreadPage called={lists} />;
  if (list === undefined)
    return (
      <Page title={says.title}>
        <p>{says.notFound}</p>
        <To page="/lists" className="button">
          {says.toLists}
        </To>
      </Page>
    );
  return (
    <Page
      title={list.name}
      actions={
        <>
          <To page="/lists" className="button">
            {says.toLists}
          </To>
          <To page="/leads" view={{ list: list.id }} className="button">
            {says.seeLeads}
          </To>
        </>
      }
    >
      {lists.refusal !== null && <RefusalAlert refusal={lists.refusal} again={lists.again} />}
      {sources.refusal !== null && <RefusalAlert refusal={sources.refusal} again={sources.again} />}
      {list.type === "DYNAMIC" && sources.data === undefined ? (
        <Looking isLooking={sources.isLooking} />
      ) : (
        <Edit key={list.id} list={list} sources={sources.data} />
      )}
    </Page>
  );
}

type Change = Parameters<ReturnType<typeof useWrite<typeof CHANGE>>["run"]>[0] & { action: "update" };

function Edit({ list: current, sources }: { list: List; sources: Sources | undefined }) {
  // The form keeps the list that it began with: it is counted again every few minutes
  const [list] = useState(current);
  const plan = useWrite(CHANGE, { renews: [] });
  const write = useWrite(CHANGE, { renews: RENEWS });
  const leave = useLeave();
  const [asked, setAsked] = useState<{ change: Change; count: number | null } | null>(null);
  const save = async (values: FormValues, filterRules: Record<string, unknown> | null, count: number | null) => {
    const [name, text] = [values.text("name"), values.text("description")];
    // In the form that the builder gives it, because a stored filter may be in the short form
    const custom = sources?.custom ?? [];
    const before = JSON.stringify(rulesOf(draftOf(list.filterRules, custom), custom));
    const isSame = JSON.stringify(filterRules) === before;
    // Only what this person changed, so that it overwrites nothing that someone else has changed since
    const input = {
      ...(name !== list.name && { name }),
      ...(text !== (list.description ?? "") && { description: text === "" ? null : text }),
      ...(filterRules !== null && !isSame && { filterRules }),
    };
    const change: Change = { action: "update", listId: list.id, input };
    if (Object.keys(input).length === 0) return leave(null);
    if (!("filterRules" in input)) return void (await finish(change));
    const answer = await plan.run({ ...change, planOnly: true });
    if (answer === null) return;
    if (answer.plan.effect.causes.includes("SENDS")) return setAsked({ change, count });
    // With the token, so that a campaign that was launched meanwhile is not sent to unseen
    await finish(change, answer.planToken);
  };
  const finish = async (change: Change, planToken?: string): Promise<boolean> => {
    const answer = await write.run({ ...change, ...(planToken !== undefined && { planToken }) });
    if (answer === null || !("name" in answer)) return false;
    say(says.saidSaved(answer.name));
    leave(null);
    return true;
  };
  const isRunning = plan.isRunning || write.isRunning;
  const raised = plan.refusal ?? (asked === null ? write.refusal : null);
  // One object for one refusal, because a new one moves the focus to the field that it names
  const refusal = useMemo(() => raised?.within("input") ?? null, [raised]);
  return (
    <>
      <ListForm
        list={list}
        type={list.type}
        sources={sources}
        act={says.save}
        write={{
          isRunning,
          refusal,
          clear: () => {
            plan.clear();
            write.clear();
          },
        }}
        onSave={(values, rules, count) => void save(values, rules, count)}
      />
      {asked !== null && (
        <Planned
          title={says.planTitle(list.name)}
          act={says.planAct}
          intro={
            <>
              <p>{says.planIntro(list.memberCount, asked.count)}</p>
              <p>{says.planSends}</p>
            </>
          }
          plan={{ ...plan, ask: () => plan.run({ ...asked.change, planOnly: true }) }}
          commit={{ ...write, run: (planToken) => finish(asked.change, planToken) }}
          onDone={() => setAsked(null)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

/** Opens the leads of a list, or all lists. */
function useLeave(): (listId: string | null) => void {
  const navigate = useNavigate();
  const workspaceId = useWorkspaceId();
  return (listId) => {
    const to = pathTo(workspaceId, listId === null ? "/lists" : "/leads");
    void navigate({ to, search: listId === null ? {} : { list: listId } });
  };
}

interface ListFormProps {
  /** The stored list; null for a new one. */
  list: List | null;
  type: ListType;
  onType?: (type: ListType) => void;
  sources: Sources | undefined;
  act: string;
  write: { isRunning: boolean; refusal: Refusal | null; clear(): void };
  onSave: (values: FormValues, filterRules: Record<string, unknown> | null, count: number | null) => void;
}

function ListForm({ list, type, onType, sources, act, write, onSave }: ListFormProps) {
  const may = useMay();
  const mayWrite = may("lead_lists:write");
  const custom = sources?.custom ?? [];
  const [draft, setDraft] = useState<Group>(() =>
    list === null
      ? { ...draftOf({}, custom), rules: [newRow(FIRST_FIELD, custom)] }
      : draftOf(list.filterRules, custom),
  );
  const isDynamic = type === "DYNAMIC" && sources !== undefined;
  const isWhole = isDynamic && isComplete(draft, custom);
  const rules = isDynamic ? rulesOf(draft, custom) : null;
  const preview = useMatching(isWhole ? JSON.stringify(rules) : null);
  const { isRunning, refusal } = write;
  const atRow = refusal ?? preview.refusal;
  const ofFilter = atRow?.issues.find(({ path }) => path === FILTER);
  const form = (
    <>
      <Field
        label={says.name}
        name="name"
        required
        defaultValue={list?.name ?? ""}
        limits={limitsOf(CREATE, "name")}
        refusal={refusal}
      />
      <TextArea
        label={says.description}
        name="description"
        rows={2}
        defaultValue={list?.description ?? ""}
        limits={limitsOf(CREATE, "description")}
        refusal={refusal}
      />
      {onType !== undefined && (
        <Select
          label={says.type}
          hint={says.typeHint}
          name="type"
          value={type}
          options={LIST_TYPES.map((value) => ({ value, text: says.types[value] }))}
          onPick={(picked) => onType(picked === "DYNAMIC" ? "DYNAMIC" : "STATIC")}
        />
      )}
      {type === "STATIC" && <p className="fine">{says.staticHint}</p>}
      {isDynamic && (
        <fieldset className="rules">
          <legend>{segmentWords.filter}</legend>
          {ofFilter !== undefined && <p className="wrong">{ofFilter.message}</p>}
          <FilterBuilder
            group={draft}
            sources={sources}
            path={FILTER}
            refusal={atRow}
            onChange={(next) => {
              write.clear();
              setDraft(next);
            }}
          />
          <Content text={JSON.stringify(rules)} />
        </fieldset>
      )}
    </>
  );
  return (
    <div className={isDynamic ? "filter-page" : "narrow"}>
      {mayWrite ? (
        <Form
          act={act}
          isRunning={isRunning}
          refusal={refusal}
          fields={["name", "description", FILTER]}
          onSubmit={(values) => onSave(values, rules, preview.shown?.count ?? null)}
        >
          {form}
        </Form>
      ) : (
        <fieldset disabled className="plain">
          {form}
        </fieldset>
      )}
      {isDynamic && may("leads:read") && <Matching preview={preview} isWhole={isWhole} />}
    </div>
  );
}

/** The filter as a field of the form, so that leaving the page asks about a change that no key made. */
function Content({ text }: { text: string }) {
  const input = useRef<HTMLInputElement>(null);
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the filter counts as typed
  useEffect(() => {
    if (!isFirst.current) input.current?.dispatchEvent(new Event("input", { bubbles: true }));
    isFirst.current = false;
  }, [text]);
  return <input ref={input} type="hidden" name={FILTER} value={text} />;
}

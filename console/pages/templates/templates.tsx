import fileText from "lucide/dist/esm/icons/file-text.mjs";
import { useCallback, useState } from "react";
import { TEMPLATE_KINDS } from "../../../domain/states.ts";
import { call } from "../../api/call.ts";
import { useWorkspaceId } from "../../api/path-id.ts";
import { useCall, useWrite } from "../../api/query.ts";
import { type Refusal, refusalOf } from "../../api/refusal.ts";
import { useMay } from "../../api/workspace.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { FilterSelect, SearchField } from "../../kit/field.tsx";
import { Given } from "../../kit/given.tsx";
import { Empty, Page } from "../../kit/page.tsx";
import { type Act, type Column, Table } from "../../kit/table.tsx";
import { To } from "../../kit/to.tsx";
import { say } from "../../kit/toast.tsx";
import { oneOf, PAGE_SIZE, type Raw, readPaged, useSort, useView } from "../../kit/view.ts";
import { When } from "../../kit/when.tsx";
import { nouns } from "../../words/en/nouns.ts";
import { templateWords as says, TEMPLATE_KIND } from "../../words/en/templates.ts";
import { words } from "../../words/en.ts";
import { EditTemplate } from "./edit-template.tsx";
import { NewTemplate } from "./new-template.tsx";
import { copyOf, type Listed, RENEWS, type Template } from "./reads.ts";

const SERVED = ["createdAt", "updatedAt", "name", "kind"] as const;

function readView(raw: Raw) {
  return {
    ...readPaged(raw),
    search: raw["search"] ?? "",
    kind: oneOf(TEMPLATE_KINDS, raw["kind"]),
    open: raw["open"] ?? null,
  };
}

/** The templates of the workspace: texts and whole sequences, which campaigns and replies copy. */
export function Templates() {
  const [{ page, search, kind, open }, change] = useView(readView);
  const mayWrite = useMay()("campaigns:write");
  const [isAdding, setAdding] = useState(false);
  const order = useSort({ served: SERVED });
  const templates = useCall("get /templates", {
    page,
    pageSize: PAGE_SIZE,
    sort: order.asked,
    ...(search !== "" && { search }),
    ...(kind !== null && { kind }),
  });
  const { acts, refusal } = useActs(({ id }) => change({ open: id, page }));
  const look = useCallback((words: string) => change({ search: words }, { replaces: true }), [change]);
  const isFiltered = search !== "" || kind !== null;
  const isEmpty = templates.data?.total === 0 && !isFiltered;
  const add = (
    <button type="button" className="primary" onClick={() => setAdding(true)}>
      {says.add}
    </button>
  );
  return (
    <Page title={says.title} subtitle={says.lead} {...(mayWrite && !isEmpty && { actions: add })}>
      {refusal !== null && <RefusalAlert refusal={refusal} />}
      <div className="filters">
        <SearchField label={words.search} value={search} onSearch={look} />
        <FilterSelect
          label={says.kind}
          name="kind"
          value={kind}
          values={TEMPLATE_KINDS}
          texts={TEMPLATE_KIND}
          onPick={(value) => change({ kind: value })}
        />
      </div>
      <Table
        label={says.title}
        rows={templates}
        order={order}
        columns={COLUMNS}
        nouns={nouns.templates}
        empty={
          <Empty icon={fileText} text={says.empty}>
            {mayWrite && add}
          </Empty>
        }
        onClear={isFiltered ? () => change({ search: null, kind: null }) : undefined}
        onPage={(next) => change({ page: next })}
        {...(mayWrite && { acts: () => acts })}
      />
      {isAdding && <NewTemplate kind={kind ?? "STEP"} onClose={() => setAdding(false)} />}
      {open !== null && <EditTemplate key={open} templateId={open} onClose={() => change({ open: null, page })} />}
    </Page>
  );
}

const COLUMNS: readonly Column<Listed>[] = [
  {
    head: says.name,
    by: "name",
    cell: ({ id, name }) => (
      <To page="/templates" view={{ open: id }}>
        <bdi>{name}</bdi>
      </To>
    ),
  },
  { head: says.kind, by: "kind", cell: ({ kind }) => TEMPLATE_KIND[kind] },
  {
    head: says.subject,
    cell: ({ kind, subject, stepCount }) =>
      kind === "SEQUENCE" ? says.steps(stepCount) : <Given isShort>{subject ?? "–"}</Given>,
  },
  { head: says.variables, cell: (row) => <Variables {...row} /> },
  { head: says.changed, by: "updatedAt", isDownFirst: true, cell: ({ updatedAt }) => <When at={updatedAt} /> },
];

function Variables({ variables, unknownVariables }: Listed) {
  const unknown = new Set(unknownVariables.map(({ name }) => name));
  const known = variables.filter((name) => !unknown.has(name));
  if (variables.length === 0) return "–";
  return (
    <>
      {known.join(", ")}
      {[...unknown].map((name) => (
        <span key={name} className="mark waits">
          {says.unknown(name)}
        </span>
      ))}
    </>
  );
}

/** The actions of a row. A deleted template can be restored with the same content. */
function useActs(edit: (row: Listed) => void) {
  const workspaceId = useWorkspaceId();
  const create = useWrite("post /templates", { renews: RENEWS });
  const remove = useWrite("delete /templates/:templateId", { renews: RENEWS });
  const [unread, setUnread] = useState<Refusal | null>(null);
  const read = async ({ id }: Listed): Promise<Template | null> => {
    setUnread(null);
    try {
      return await call("get /templates/:templateId", { templateId: id }, { workspaceId });
    } catch (err) {
      setUnread(refusalOf(err));
      return null;
    }
  };
  const acts: readonly Act<Listed>[] = [
    { name: says.edit, run: async (row) => edit(row) },
    {
      name: says.duplicate,
      run: async (row) => {
        const name = says.copyOf(row.name);
        const whole = await read(row);
        if (whole === null) return null;
        const copy = await create.run(copyOf(whole, name));
        if (copy !== null) say(says.saidCreated(name));
        return copy;
      },
    },
    {
      name: says.remove,
      run: async (row) => {
        const whole = await read(row);
        if (whole === null || (await remove.run({ templateId: row.id })) === null) return null;
        const restore = async () => {
          if ((await create.run(copyOf(whole, row.name))) !== null) say(says.saidRestored(row.name));
        };
        say(says.saidRemoved(row.name), { name: says.undo, run: () => void restore() });
        return whole;
      },
    },
  ];
  return { acts, refusal: unread ?? create.refusal ?? remove.refusal };
}

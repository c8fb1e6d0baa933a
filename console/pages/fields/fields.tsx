import down from "lucide/dist/esm/icons/arrow-down.mjs";
import up from "lucide/dist/esm/icons/arrow-up.mjs";
import { useRef, useState } from "react";
import { type Called, useCall, useWrite } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Copy } from "../../kit/copy.tsx";
import { Given } from "../../kit/given.tsx";
import { MoveButton } from "../../kit/icon.tsx";
import { Empty, Page } from "../../kit/page.tsx";
import { type Act, type Column, Table } from "../../kit/table.tsx";
import { say } from "../../kit/toast.tsx";
import { pageOfWhole, type Raw, readPaged, useView } from "../../kit/view.ts";
import { FIELD_TYPE, fieldWords as says } from "../../words/en/leads/fields.ts";
import { nouns } from "../../words/en/nouns.ts";
import { EditField } from "./edit-field.tsx";
import { NewField } from "./new-field.tsx";
import { type CustomField, RENEWS } from "./reads.ts";

const MANAGE = "post /custom-fields/manage";

function readView(raw: Raw) {
  return { ...readPaged(raw), archived: raw["archived"] === "yes" };
}

/** The custom fields of the workspace in their order. The server returns all of them. */
export function CustomFields() {
  const [{ page, archived }, change] = useView(readView);
  const mayWrite = useMay()("custom_fields:write");
  const { called: fields, move, refusal } = useOrder(useCall("get /custom-fields", { includeArchived: archived }));
  const [isAdding, setAdding] = useState(false);
  const [editing, setEditing] = useState<CustomField | null>(null);
  const { acts, refusal: actRefusal } = useActs(setEditing);

  const add = (
    <button type="button" className="primary" onClick={() => setAdding(true)}>
      {says.add}
    </button>
  );
  const ordering: Column<CustomField> = {
    head: says.order,
    cell: (field) => !field.archived && <Moves field={field} fields={fields.data ?? []} move={move} />,
  };
  const shown = actRefusal ?? refusal;
  return (
    <Page title={says.title} subtitle={says.lead} {...(mayWrite && fields.data?.length !== 0 && { actions: add })}>
      {shown !== null && <RefusalAlert refusal={shown} />}
      <p>
        <label>
          <input
            type="checkbox"
            checked={archived}
            onChange={({ currentTarget: { checked } }) => change({ archived: checked ? "yes" : null })}
          />{" "}
          {says.showArchived}
        </label>
      </p>
      <Table
        label={says.title}
        nouns={nouns.fields}
        rows={pageOfWhole(fields, page)}
        columns={mayWrite ? [...COLUMNS, ordering] : COLUMNS}
        empty={<Empty text={says.empty}>{mayWrite && add}</Empty>}
        onPage={(next) => change({ page: next })}
        {...(mayWrite && { acts })}
      />
      {isAdding && (
        <NewField title={says.newTitle} onCreated={() => setAdding(false)} onClose={() => setAdding(false)} />
      )}
      {editing !== null && <EditField key={editing.id} field={editing} onClose={() => setEditing(null)} />}
    </Page>
  );
}

const COLUMNS: readonly Column<CustomField>[] = [
  {
    head: says.name,
    cell: ({ label, archived }) => (
      <>
        <Given isShort>{label}</Given>
        {archived && <span className="mark">{says.isArchived}</span>}
      </>
    ),
  },
  {
    head: says.type,
    cell: ({ type, options }) => (
      <>
        {FIELD_TYPE[type]}
        {options !== null && (
          <div className="fine">
            <Given isShort>{options.join(", ")}</Given>
          </div>
        )}
      </>
    ),
  },
  {
    head: says.token,
    cell: ({ key, label }) => <Copy label={says.tokenOf(label)} text={`{{customFields.${key}}}`} />,
  },
];

function useActs(edit: (field: CustomField) => void) {
  const write = useWrite(MANAGE, { renews: RENEWS });
  const setArchived = async ({ id, label }: CustomField, archived: boolean) => {
    const answer = await write.run({ action: "update", fieldId: id, input: { archived } });
    if (answer === null) return null;
    const back = async () => {
      const input = { archived: !archived };
      if ((await write.run({ action: "update", fieldId: id, input })) !== null) said(label, !archived);
    };
    said(label, archived, () => void back());
    return answer;
  };
  const acts = (field: CustomField): Act<CustomField>[] => [
    { name: says.edit, run: async (row) => edit(row) },
    field.archived
      ? { name: says.restore, run: (row) => setArchived(row, false) }
      : {
          name: says.archive,
          effect: <p>{says.archiveEffect}</p>,
          refusal: write.refusal,
          run: (row) => setArchived(row, true),
        },
  ];
  return { acts, refusal: write.refusal };
}

function said(label: string, archived: boolean, run?: () => void): void {
  const text = archived ? says.saidArchived(label) : says.saidRestored(label);
  say(text, ...(run === undefined ? [] : [{ name: says.undo, run }]));
}

type Move = (field: CustomField, by: -1 | 1) => void;

/** Moves fields. They are shown in their new order at once; presses while a request runs are sent after it. */
function useOrder(called: Called<CustomField[]>) {
  const { run, refusal } = useWrite(MANAGE, { renews: RENEWS });
  const [shown, setShown] = useState<readonly string[] | null>(null);
  const unsent = useRef<string[] | null>(null);
  const isSending = useRef(false);
  const fields = shown === null ? called.data : called.data?.toSorted((a, b) => placeOf(a, shown) - placeOf(b, shown));
  const send = async () => {
    if (isSending.current) return;
    isSending.current = true;
    for (let ids = unsent.current; ids !== null; ids = unsent.current) {
      unsent.current = null;
      if ((await run({ action: "reorder", ids })) !== null) continue;
      unsent.current = null;
      // Someone else may have added or archived a field
      called.again();
    }
    isSending.current = false;
    setShown(null);
  };
  const move: Move = (field, by) => {
    const ids = (fields ?? []).filter(({ archived }) => !archived).map(({ id }) => id);
    const at = ids.indexOf(field.id);
    ids.splice(at, 1);
    ids.splice(at + by, 0, field.id);
    setShown(ids);
    unsent.current = ids;
    void send();
  };
  return { called: { ...called, data: fields }, move, refusal };
}

/** Archived fields have no place in the new order and come last while it is sent. */
function placeOf({ id }: CustomField, ids: readonly string[]): number {
  const at = ids.indexOf(id);
  return at === -1 ? ids.length : at;
}

interface MovesProps {
  field: CustomField;
  fields: readonly CustomField[];
  move: Move;
}

function Moves({ field, fields, move }: MovesProps) {
  const shown = fields.filter(({ archived }) => !archived);
  const at = shown.findIndex(({ id }) => id === field.id);
  return (
    <span className="moves">
      <MoveButton list="table" name={says.up(field.label)} icon={up} isOff={at === 0} run={() => move(field, -1)} />
      <MoveButton
        list="table"
        name={says.down(field.label)}
        icon={down}
        isOff={at === shown.length - 1}
        run={() => move(field, 1)}
      />
    </span>
  );
}

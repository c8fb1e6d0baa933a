import { useCallback, useState } from "react";
import { isNamed } from "../../domain/fold.ts";
import type { Out } from "../api/call.ts";
import { limitsOf } from "../api/forms.ts";
import { useCall, useWrite } from "../api/query.ts";
import { useMay } from "../api/workspace.ts";
import { Field, SearchField, TextArea } from "../kit/field.tsx";
import { Form } from "../kit/form.tsx";
import { Given } from "../kit/given.tsx";
import { Modal } from "../kit/modal.tsx";
import { Empty, Page } from "../kit/page.tsx";
import { type Act, type Column, Table } from "../kit/table.tsx";
import { say } from "../kit/toast.tsx";
import { pageOfWhole, type Raw, readPaged, useSort, useView } from "../kit/view.ts";
import { When } from "../kit/when.tsx";
import { BLOCK_TYPE, blockListWords as says } from "../words/en/leads/block-list.ts";
import { words } from "../words/en.ts";

type Entry = Out<"get /block-list">[number];
const RENEWS = ["get /block-list"] as const;

function readView(raw: Raw) {
  return { ...readPaged(raw), search: raw["search"] ?? "" };
}

/**
 * The block list: addresses and domains that are never emailed, even if they are imported again. The server returns the
 * whole list.
 */
export function BlockList() {
  const [{ page, search }, change] = useView(readView);
  const may = useMay();
  const [isAdding, setAdding] = useState(false);
  const entries = useCall("get /block-list", {});
  const order = useSort({});
  const { run, refusal } = useWrite("delete /block-list/:entryId", { renews: RENEWS });
  const look = useCallback((words: string) => change({ search: words }, { replaces: true }), [change]);
  const remove = async ({ id, value }: Entry) => {
    const answer = await run({ entryId: id });
    if (answer !== null) say(says.saidRemoved(value));
    return answer;
  };
  const actsOn = ({ value }: Entry): Act<Entry>[] => [
    { name: says.remove, effect: <RemoveEffect value={value} />, isDangerous: true, refusal, run: remove },
  ];
  const isFound = ({ value, reason }: Entry) => isNamed(search, [value, reason ?? ""]);
  const add = (
    <button type="button" className="primary" onClick={() => setAdding(true)}>
      {says.add}
    </button>
  );
  // An empty list contains the button, so it is not shown twice
  return (
    <Page
      title={says.title}
      subtitle={says.lead}
      {...(may("block_list:write") && entries.data?.length !== 0 && { actions: add })}
    >
      <div className="filters">
        <SearchField label={words.search} value={search} onSearch={look} />
      </div>
      <Table
        label={says.title}
        rows={pageOfWhole(entries, page, isFound)}
        order={order}
        columns={COLUMNS}
        empty={<Empty text={says.empty}>{may("block_list:write") && add}</Empty>}
        onClear={search === "" ? undefined : () => change({ search: null })}
        onPage={(next) => change({ page: next })}
        {...(may("block_list:write") && { acts: actsOn })}
      />
      {isAdding && <AddEntry onClose={() => setAdding(false)} />}
    </Page>
  );
}

const COLUMNS: readonly Column<Entry>[] = [
  { head: says.valueHead, by: "value", sortKey: ({ value }) => value, cell: ({ value }) => <Given>{value}</Given> },
  { head: says.what, by: "type", sortKey: ({ type }) => BLOCK_TYPE[type], cell: ({ type }) => BLOCK_TYPE[type] },
  {
    head: words.reason,
    by: "reason",
    sortKey: ({ reason }) => reason,
    cell: ({ reason }) => <Given isShort>{reason ?? "–"}</Given>,
  },
  {
    head: says.since,
    by: "createdAt",
    isDownFirst: true,
    sortKey: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <When at={createdAt} />,
  },
];

function RemoveEffect({ value }: { value: string }) {
  return (
    <>
      <p>{says.removeEffect(value)}</p>
      <p>{says.removeKeeps}</p>
    </>
  );
}

/**
 * A form to block an address or a domain. While the person types, it shows what would be blocked, because a domain
 * covers more than an address.
 */
function AddEntry({ onClose }: { onClose: () => void }) {
  const { run, isRunning, refusal } = useWrite("post /block-list", { renews: RENEWS });
  const [typed, setTyped] = useState("");
  return (
    <Modal title={says.addTitle} onClose={onClose}>
      <Form
        act={says.act}
        isRunning={isRunning}
        refusal={refusal}
        fields={["value", "reason"]}
        onCancel={onClose}
        onSubmit={async (values) => {
          const reason = values.given("reason");
          const entry = await run({ value: values.text("value"), ...(reason !== undefined && { reason }) });
          if (entry === null) return;
          say(says.saidAdded(entry.value));
          onClose();
        }}
      >
        <Field
          label={says.value}
          hint={says.valueHint}
          name="value"
          autoComplete="off"
          limits={limitsOf("post /block-list", "value")}
          refusal={refusal}
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
        />
        <TextArea
          label={says.reason}
          name="reason"
          rows={2}
          limits={limitsOf("post /block-list", "reason")}
          refusal={refusal}
        />
        <p className="effect" role="status">
          {effectOf(typed.trim())}
        </p>
      </Form>
    </Modal>
  );
}

function effectOf(value: string): string {
  if (value === "" || value === "@") return says.effectOfNone;
  const isAddress = value.includes("@") && !value.startsWith("@");
  return isAddress ? says.effectOfAddress(value) : says.effectOfDomain(value.replace(/^@/, ""));
}

import { DAY_MS } from "../../../domain/time/durations.ts";
import type { Out } from "../../api/call.ts";
import { useCall } from "../../api/query.ts";
import { Notice } from "../../kit/alert.tsx";
import { Field, FilterSelect, Select } from "../../kit/field.tsx";
import { Empty, Page } from "../../kit/page.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { To } from "../../kit/to.tsx";
import { oneOf, PAGE_SIZE, type Raw, readPaged, useSort, useView } from "../../kit/view.ts";
import { When } from "../../kit/when.tsx";
import { actionInWords, NOUNS, OUTCOME, auditWords as says } from "../../words/en/access/audit.ts";
import { words } from "../../words/en.ts";
import { Actor, Details, type Entry, Target, textsOf } from "./audit-entry.tsx";
import { type NameOf, useMemberNames } from "./reads.ts";

type Log = Out<"get /audit-log">;

const OUTCOMES = ["DONE", "FAILED", "DENIED", "PLANNED", "ASKED"] as const satisfies readonly Entry["outcome"][];
const DAY = /^\d{4}-\d\d-\d\d$/;

function readView(raw: Raw) {
  const day = (text = "") => (DAY.test(text) && Number.isFinite(Date.parse(`${text}T00:00`)) ? text : "");
  return {
    ...readPaged(raw),
    open: raw["open"] ?? null,
    noun: raw["noun"] ?? "",
    actor: raw["actor"] ?? "",
    outcome: oneOf(OUTCOMES, raw["outcome"]),
    from: day(raw["from"]),
    to: day(raw["to"]),
  };
}
type View = ReturnType<typeof readView>;

/** The audit log: sensitive actions with their actors, and whether the log is intact. */
export function Audit() {
  const [view, change] = useView(readView);
  const { page, open, noun, actor, outcome, from, to } = view;
  const order = useSort({ served: ["at"], usual: "-at" });
  const log = useCall("get /audit-log", { page, pageSize: PAGE_SIZE, sort: order.asked, ...filterOf(view) });
  const { members, nameOf: memberOf } = useMemberNames();
  const nameOf = useNames(log.data?.items ?? [], memberOf);
  const isFiltered = [noun, actor, from, to].some((one) => one !== "") || outcome !== null;
  const clear = { noun: null, actor: null, outcome: null, from: null, to: null, open: null };
  const actors = members.map(({ userId, name, email }) => ({ value: userId, text: name ?? email }));
  const named =
    actor === "" || actors.some(({ value }) => value === actor) ? [] : [{ value: actor, text: nameOf(actor) ?? actor }];
  return (
    <Page title={says.title} subtitle={says.lead}>
      <Chain chain={log.data?.chain ?? null} />
      <div className="filters">
        <Select
          label={says.what}
          name="noun"
          value={noun}
          options={[
            { value: "", text: says.allActions },
            ...Object.entries(NOUNS).map(([value, text]) => ({ value, text })),
          ]}
          onPick={(value) => change({ noun: value, open: null })}
        />
        <Select
          label={says.who}
          name="actor"
          value={actor}
          options={[{ value: "", text: says.allActors }, ...actors, ...named]}
          onPick={(value) => change({ actor: value, open: null })}
        />
        <FilterSelect
          label={says.outcome}
          name="outcome"
          value={outcome}
          values={OUTCOMES}
          texts={OUTCOME}
          all={says.allActions}
          onPick={(value) => change({ outcome: value, open: null })}
        />
        <Day label={says.from} name="from" value={from} onPick={(value) => change({ from: value, open: null })} />
        <Day label={says.to} name="to" value={to} onPick={(value) => change({ to: value, open: null })} />
      </div>
      <Table
        label={says.title}
        rows={log}
        order={order}
        columns={auditColumns(nameOf, open, (id) => change({ open: id, page }))}
        empty={
          <Empty text={says.empty}>
            <To page="/members" className="button">
              {words.navigation.members}
            </To>
          </Empty>
        }
        onClear={isFiltered ? () => change(clear) : undefined}
        opened={{ id: open, show: (entry) => <Details entry={entry} /> }}
        onPage={(next) => change({ page: next, open: null })}
      />
    </Page>
  );
}

/** The filter for the server. Days are in the viewer's time zone; `to` includes the whole last day. */
function filterOf({ noun, actor, outcome, from, to }: View) {
  const startOf = (day: string, offsetMs = 0) => new Date(Date.parse(`${day}T00:00`) + offsetMs).toISOString();
  return {
    ...(noun !== "" && { action: `${noun}.` }),
    ...(actor !== "" && { actorId: actor }),
    ...(outcome !== null && { outcome }),
    ...(from !== "" && { from: startOf(from) }),
    ...(to !== "" && { to: startOf(to, DAY_MS) }),
  };
}

function Day({
  label,
  name,
  value,
  onPick,
}: {
  label: string;
  name: string;
  value: string;
  onPick: (day: string) => void;
}) {
  return (
    <Field
      label={label}
      name={name}
      type="date"
      value={value}
      onChange={({ currentTarget }) => onPick(currentTarget.value)}
    />
  );
}

/**
 * Returns names for the ids in the entries: of members, and of API keys and connections, which are read only if an
 * entry names one.
 */
function useNames(entries: readonly Entry[], memberOf: NameOf): NameOf {
  const names = entries.flatMap(({ actor, target }) => [actor.id, ...textsOf(Object.values(target))]);
  const keys = useCall("get /api-keys", {}, { isOff: !names.some((id) => id.startsWith("key_")) });
  const connections = useCall("get /connections", {}, { isOff: !names.some((id) => id.startsWith("gnt_")) });
  const known = new Map([
    ...(keys.data ?? []).map(({ id, name }) => [id, name] as const),
    ...(connections.data ?? []).map(({ id, clientName }) => [id, clientName] as const),
  ]);
  return (id) => memberOf(id) ?? known.get(id) ?? null;
}

/** Whether the audit log is intact; the server checks this only for the first page without filters. */
function Chain({ chain }: { chain: Log["chain"] }) {
  if (chain === null) return null;
  const { entries, brokenAt } = chain;
  if (brokenAt === null) return <p className="mark good">{says.whole(entries)}</p>;
  return <Notice kind="attention">{says.brokenAt(brokenAt, entries)}</Notice>;
}

function auditColumns(
  nameOf: NameOf,
  open: string | null,
  onOpen: (id: string | null) => void,
): readonly Column<Entry>[] {
  return [
    { head: says.when, by: "at", isDownFirst: true, cell: ({ at }) => <When at={at} /> },
    { head: says.who, cell: ({ actor }) => <Actor actor={actor} nameOf={nameOf} /> },
    {
      head: says.what,
      by: "action",
      sortKey: ({ action }) => actionInWords(action),
      cell: ({ action }) => actionInWords(action),
    },
    { head: says.about, cell: (entry) => <Target entry={entry} nameOf={nameOf} /> },
    {
      head: says.outcome,
      cell: ({ outcome }) => (
        <span className={`mark ${outcome === "DONE" ? "good" : "waits"}`}>{OUTCOME[outcome]}</span>
      ),
    },
    {
      head: says.details,
      cell: ({ id, seq }) => (
        <button type="button" aria-expanded={open === id} onClick={() => onOpen(open === id ? null : id)}>
          {open === id ? says.hide : says.details} <span className="hidden">{says.ofEntry(seq)}</span>
        </button>
      ),
    },
  ];
}

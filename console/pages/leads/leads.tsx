import { useCallback, useState } from "react";
import { LEAD_STATUSES, VERIFICATION_STATUSES } from "../../../domain/states.ts";
import type { ItemOf } from "../../api/call.ts";
import { useCall } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { FilterSelect, type Option, SearchField, Select } from "../../kit/field.tsx";
import { Given } from "../../kit/given.tsx";
import { Empty, Page, ReferenceLink } from "../../kit/page.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { To } from "../../kit/to.tsx";
import { oneOf, PAGE_SIZE, type Raw, readPaged, useSort, useView } from "../../kit/view.ts";
import { When } from "../../kit/when.tsx";
import { editLeadWords } from "../../words/en/leads/edit-lead.ts";
import { importWords } from "../../words/en/leads/import.ts";
import { LEAD_STATUS, SUPPRESSION_REASON, leadsWords as says, VERIFICATION } from "../../words/en/leads/leads.ts";
import { nouns } from "../../words/en/nouns.ts";
import { words } from "../../words/en.ts";
import { NewLead } from "./edit-lead.tsx";
import { useLeadActs } from "./use-lead-acts.tsx";

type Lead = ItemOf<"get /leads">;

const SENDING = ["allowed", "suppressed"] as const;
/** The fields by which the server can sort. Search results are always newest first. */
const SERVED = ["createdAt", "email"];
const EVERY_MS = 30_000;

function readView(raw: Raw) {
  return {
    ...readPaged(raw),
    search: raw["search"] ?? "",
    status: oneOf(LEAD_STATUSES, raw["status"]),
    verification: oneOf(VERIFICATION_STATUSES, raw["verification"]),
    sending: oneOf(SENDING, raw["sending"]),
    tag: raw["tag"] ?? "",
    list: raw["list"] ?? "",
    domain: raw["domain"] ?? "",
  };
}
type View = ReturnType<typeof readView>;

const NO_FILTER = {
  search: null,
  status: null,
  verification: null,
  sending: null,
  tag: null,
  list: null,
  domain: null,
} as const;

/** All leads, including suppressed ones, with search and filters, which are in the URL. */
export function Leads() {
  const [view, change] = useView(readView);
  const { page, search, status, verification, sending, tag, list, domain } = view;
  const may = useMay();
  const order = useSort({ served: search === "" ? SERVED : [], name: "order" });
  const filter = {
    ...(search !== "" && { search }),
    ...(status !== null && { status }),
    ...(verification !== null && { verificationStatus: verification }),
    ...(sending !== null && { suppressed: sending === "suppressed" }),
    ...(tag !== "" && { tags: tag }),
    ...(list !== "" && { listId: list }),
    ...(domain !== "" && { domain }),
  };
  const input = { ...filter, page, pageSize: PAGE_SIZE, sort: order.asked };
  const leads = useCall("get /leads", input, { every: EVERY_MS });
  const lists = useCall("get /lead-lists", {}, { isOff: !may("lead_lists:read") });
  const shownList = lists.data?.find(({ id, type }) => id === list && type === "STATIC");
  // A tag may contain a comma, so it is sent as a list
  const matching = { ...filter, ...(tag !== "" && { tags: [tag] }) };
  const { several, dialog } = useLeadActs(leads.data, matching, shownList);
  const look = useCallback((words: string) => change({ search: words }, { replaces: true }), [change]);
  const isFiltered = Object.keys(NO_FILTER).some((name) => ![null, ""].includes(view[name as keyof typeof NO_FILTER])); // its own keys
  const [isAdding, setAdding] = useState(false);
  const add = may("leads:write") && (
    <>
      <button type="button" onClick={() => setAdding(true)}>
        {editLeadWords.add}
      </button>
      <To page="/leads/import" className="button primary">
        {importWords.open}
      </To>
    </>
  );
  return (
    <Page title={says.title} actions={add || undefined}>
      <div className="filters">
        <SearchField label={words.search} value={search} onSearch={look} />
        <Filters view={view} lists={lists.data ?? []} onChange={change} />
      </div>
      <Table
        label={says.title}
        nouns={nouns.leads}
        rows={leads}
        order={order}
        columns={COLUMNS}
        empty={<Empty text={says.empty}>{add || <ReferenceLink />}</Empty>}
        onClear={isFiltered ? () => change(NO_FILTER) : undefined}
        onPage={(next) => change({ page: next })}
        {...(several !== undefined && { several })}
      />
      {dialog}
      {isAdding && <NewLead onClose={() => setAdding(false)} />}
    </Page>
  );
}

function Filters({
  view,
  lists,
  onChange,
}: {
  view: View;
  lists: readonly { id: string; name: string }[];
  onChange: (change: Partial<Record<keyof View, string | null>>) => void;
}) {
  const { status, verification, sending, tag, list, domain } = view;
  const tags = useCall("get /leads/tags", {});
  const listOptions = lists.map(({ id, name }) => ({ value: id, text: name }));
  const tagOptions = tags.data?.map((one) => ({ value: one, text: one })) ?? [];
  const pick = (name: keyof View) => (value: string) => onChange({ [name]: value });
  return (
    <>
      <FilterSelect
        label={words.status}
        name="status"
        value={status}
        values={LEAD_STATUSES}
        texts={LEAD_STATUS}
        onPick={pick("status")}
      />
      <FilterSelect
        label={says.verification}
        name="verification"
        value={verification}
        values={VERIFICATION_STATUSES}
        texts={VERIFICATION}
        onPick={pick("verification")}
      />
      <FilterSelect
        label={says.sending}
        name="sending"
        value={sending}
        values={SENDING}
        texts={says}
        onPick={pick("sending")}
      />
      {(tagOptions.length > 0 || tag !== "") && (
        <Select label={says.tag} name="tag" value={tag} options={withChosen(tagOptions, tag)} onPick={pick("tag")} />
      )}
      {(listOptions.length > 0 || list !== "") && (
        <Select
          label={says.list}
          name="list"
          value={list}
          options={withChosen(listOptions, list)}
          onPick={pick("list")}
        />
      )}
      {domain !== "" && (
        <Select
          label={says.domain}
          name="domain"
          value={domain}
          options={withChosen([], domain)}
          onPick={pick("domain")}
        />
      )}
    </>
  );
}

const ALL: Option = { value: "", text: words.all };

/**
 * Adds the value in the URL as an option if it is missing, because the options are not loaded yet or it was deleted.
 */
function withChosen(options: readonly Option[], chosen: string): Option[] {
  const isThere = chosen === "" || options.some(({ value }) => value === chosen);
  return [ALL, ...options, ...(isThere ? [] : [{ value: chosen, text: chosen }])];
}

const COLUMNS: readonly Column<Lead>[] = [
  {
    head: says.address,
    by: "email",
    sortKey: ({ email }) => email,
    cell: ({ id, email }) => (
      <To page="/leads/$leadId" ids={{ leadId: id }}>
        <Given isShort>{email}</Given>
      </To>
    ),
  },
  {
    head: says.name,
    by: "name",
    sortKey: ({ fullName }) => fullName,
    cell: ({ fullName }) => <Given isShort>{fullName ?? "–"}</Given>,
  },
  {
    head: says.company,
    by: "company",
    sortKey: ({ company }) => company,
    cell: ({ company }) => <Given isShort>{company ?? "–"}</Given>,
  },
  { head: words.status, cell: (lead) => <Standing lead={lead} /> },
  { head: says.last, cell: (lead) => <LastActivity lead={lead} /> },
  { head: words.created, by: "createdAt", isDownFirst: true, cell: ({ createdAt }) => <When at={createdAt} /> },
];

/** How far the lead has come, and whether it may be emailed. */
function Standing({ lead: { status, suppressed, suppressionReason } }: { lead: Lead }) {
  const reason = suppressionReason === null ? null : SUPPRESSION_REASON[suppressionReason];
  return (
    <>
      {LEAD_STATUS[status]}{" "}
      {suppressed && (
        <div className="mark waits fine">{reason === null ? says.suppressed : says.suppressedFor(reason)}</div>
      )}
    </>
  );
}

function LastActivity({ lead: { lastContactedAt, lastRepliedAt } }: { lead: Lead }) {
  const replied = lastRepliedAt !== null && (lastContactedAt === null || lastRepliedAt >= lastContactedAt);
  const at = replied ? lastRepliedAt : lastContactedAt;
  if (at === null) return "–";
  return (
    <>
      {replied ? says.repliedAt : says.contactedAt} <When at={at} />
    </>
  );
}

import { useCallback } from "react";
import { CAMPAIGN_STATUSES } from "../../domain/states.ts";
import type { Out } from "../api/call.ts";
import { useCall } from "../api/query.ts";
import { FunnelLine } from "../charts/funnel.tsx";
import { SearchField, Select } from "../kit/field.tsx";
import { Page } from "../kit/page.tsx";
import { type Column, Table } from "../kit/table.tsx";
import { To } from "../kit/to.tsx";
import { oneOf, PAGE_SIZE, type Raw, readPaged, useView } from "../kit/view.ts";
import { Due } from "../kit/when.tsx";
import { campaignsWords as says } from "../words/en/campaigns.ts";
import { words } from "../words/en.ts";
import { formatShare } from "../words/format.ts";
import { CAMPAIGN_STATUS, SENDING } from "../words/states.ts";

type Campaign = Out<"get /campaigns">["items"][number];
const EVERY_MS = 10_000;

function readView(raw: Raw) {
  return { ...readPaged(raw), status: oneOf(CAMPAIGN_STATUSES, raw["status"]), search: raw["search"] ?? "" };
}

/** Every campaign with why it sends or does not, the first question of the trade. */
export function Campaigns() {
  const [{ page, status, search }, change] = useView(readView);
  const asked = {
    page,
    pageSize: PAGE_SIZE,
    include: "metrics,sendingStatus",
    ...(status !== null && { status }),
    ...(search !== "" && { search }),
  };
  const campaigns = useCall("get /campaigns", asked, { every: EVERY_MS });
  const look = useCallback((words: string) => change({ search: words }, { replaces: true }), [change]);
  const isFiltered = status !== null || search !== "";
  return (
    <Page title={says.title}>
      <div className="filters">
        <SearchField label={words.search} value={search} onSearch={look} />
        <Select
          label={words.status}
          name="status"
          value={status ?? ""}
          options={[{ value: "", text: words.all }, ...CAMPAIGN_STATUSES.map((value) => ({ value, text: CAMPAIGN_STATUS[value] }))]}
          onPick={(value) => change({ status: value })}
        />
      </div>
      <Table
        label={says.title}
        rows={campaigns}
        columns={COLUMNS}
        empty={<p>{says.empty}</p>}
        onClear={isFiltered ? () => change({ status: null, search: null }) : undefined}
        onPage={(next) => change({ page: next })}
      />
    </Page>
  );
}

const COLUMNS: readonly Column<Campaign>[] = [
  {
    head: says.name,
    cell: ({ id, name }) => (
      <To page="/campaigns/$campaignId" ids={{ campaignId: id }}>
        {name}
      </To>
    ),
  },
  { head: says.why, cell: (campaign) => <Why campaign={campaign} /> },
  { head: says.funnel, cell: (campaign) => <FunnelLine steps={funnelOf(campaign)} /> },
  {
    head: says.rate,
    isNumber: true,
    cell: ({ metrics }) => (metrics === undefined || metrics.contacted === 0 ? "–" : formatShare(metrics.replyRate)),
  },
  { head: says.next, cell: ({ sendingStatus }) => <Due at={sendingStatus?.nextSendAt ?? null} /> },
];

function Why({ campaign: { status, sendingStatus } }: { campaign: Campaign }) {
  const code = sendingStatus?.code;
  const mark = status === "ACTIVE" ? (code === "HEALTHY" ? "good" : "waits") : "rests";
  return <span className={`mark ${mark}`}>{code === undefined ? CAMPAIGN_STATUS[status] : SENDING[code]}</span>;
}

function funnelOf({ recipientCount, metrics }: Campaign) {
  return [
    { name: says.people, value: recipientCount },
    { name: says.mailed, value: metrics?.contacted ?? 0 },
    { name: says.replied, value: metrics?.replied ?? 0 },
    { name: says.good, value: metrics?.positiveReplies ?? 0 },
  ];
}

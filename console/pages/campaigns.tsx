import { useCallback } from "react";
import { CAMPAIGN_STATUSES } from "../../domain/states.ts";
import type { Out } from "../api/call.ts";
import { type Called, useCall } from "../api/query.ts";
import { FunnelLine } from "../charts/funnel.tsx";
import { FilterSelect, SearchField } from "../kit/field.tsx";
import { Empty, Page } from "../kit/page.tsx";
import { type Column, type PageOf, Table } from "../kit/table.tsx";
import { To } from "../kit/to.tsx";
import { oneOf, PAGE_SIZE, type Raw, readPaged, useSort, useView } from "../kit/view.ts";
import { Due, When } from "../kit/when.tsx";
import { campaignsWords as says } from "../words/en/campaign.ts";
import { nouns } from "../words/en/nouns.ts";
import { words } from "../words/en.ts";
import { formatShare } from "../words/format.ts";
import { CAMPAIGN_STATUS, SENDING } from "../words/states.ts";
import { markOf } from "./campaign/reads.ts";
import { RowDeeds } from "./campaign-setup/deeds.tsx";
import { NewCampaign } from "./campaign-setup/new-campaign.tsx";

type Campaign = Out<"get /campaigns">["items"][number];
const EVERY_MS = 10_000;
/** The fields by which the server can sort. */
const SERVED = ["createdAt", "name"];

function readView(raw: Raw) {
  return { ...readPaged(raw), status: oneOf(CAMPAIGN_STATUSES, raw["status"]), search: raw["search"] ?? "" };
}

/** All campaigns, each with its sending status. */
export function Campaigns() {
  const [{ page, status, search }, change] = useView(readView);
  const order = useSort({ served: SERVED });
  const input = {
    page,
    pageSize: PAGE_SIZE,
    sort: order.asked,
    ...(status !== null && { status }),
    ...(search !== "" && { search }),
  };
  // The rows appear immediately, while the figures are still being counted
  const campaigns = useCall("get /campaigns", input, { every: EVERY_MS });
  const figures = useCall("get /campaigns", { ...input, include: "metrics,sendingStatus" }, { every: EVERY_MS });
  const look = useCallback((words: string) => change({ search: words }, { replaces: true }), [change]);
  const isFiltered = status !== null || search !== "";
  return (
    // An empty list contains the button, so it is not shown twice
    <Page title={says.title} {...((isFiltered || campaigns.data?.total !== 0) && { actions: <NewCampaign /> })}>
      <div className="filters">
        <SearchField label={words.search} value={search} onSearch={look} />
        <FilterSelect
          label={words.status}
          name="status"
          value={status}
          values={CAMPAIGN_STATUSES}
          texts={CAMPAIGN_STATUS}
          onPick={(value) => change({ status: value })}
        />
      </div>
      <Table
        label={says.title}
        nouns={nouns.campaigns}
        rows={withFigures(campaigns, figures)}
        order={order}
        columns={COLUMNS}
        empty={
          <Empty text={says.empty}>
            <NewCampaign />
          </Empty>
        }
        onClear={isFiltered ? () => change({ status: null, search: null }) : undefined}
        onPage={(next) => change({ page: next })}
      />
    </Page>
  );
}

/** Adds the figures that have arrived to each row. An error in reading them is shown above the rows. */
function withFigures(campaigns: Called<PageOf<Campaign>>, figures: Called<PageOf<Campaign>>): Called<PageOf<Campaign>> {
  const { data } = campaigns;
  if (data === undefined) return campaigns;
  const figuresById = new Map(figures.data?.items.map((one) => [one.id, one]));
  const items = data.items.map((one) => {
    const { metrics, sendingStatus } = figuresById.get(one.id) ?? {};
    return { ...one, ...(metrics && { metrics }), ...(sendingStatus && { sendingStatus }) };
  });
  const again = () => {
    campaigns.again();
    figures.again();
  };
  return { ...campaigns, data: { ...data, items }, refusal: campaigns.refusal ?? figures.refusal, again };
}

const COLUMNS: readonly Column<Campaign>[] = [
  {
    head: says.name,
    by: "name",
    cell: ({ id, name }) => (
      <To page="/campaigns/$campaignId" ids={{ campaignId: id }}>
        {name}
      </To>
    ),
  },
  { head: says.why, cell: (campaign) => <Why campaign={campaign} /> },
  {
    head: says.funnel,
    by: "recipients",
    isDownFirst: true,
    sortKey: ({ recipientCount }) => recipientCount,
    cell: (campaign) => <FunnelLine steps={funnelOf(campaign)} />,
  },
  {
    head: says.rate,
    isNumber: true,
    by: "replyRate",
    isDownFirst: true,
    sortKey: ({ metrics }) => (!metrics || metrics.contacted === 0 ? null : metrics.replyRate),
    cell: ({ metrics }) => (!metrics || metrics.contacted === 0 ? "–" : formatShare(metrics.replyRate)),
  },
  {
    head: says.next,
    by: "nextSendAt",
    sortKey: ({ sendingStatus }) => sendingStatus?.nextSendAt ?? null,
    cell: ({ sendingStatus }) => <Due at={sendingStatus?.nextSendAt ?? null} />,
  },
  { head: words.created, by: "createdAt", isDownFirst: true, cell: ({ createdAt }) => <When at={createdAt} /> },
  { head: words.actions, cell: (campaign) => <RowDeeds campaign={campaign} /> },
];

function Why({ campaign: { status, sendingStatus } }: { campaign: Campaign }) {
  const code = sendingStatus?.code;
  return (
    <span className={`mark ${markOf({ status, sendingStatus })}`}>
      {code === undefined ? CAMPAIGN_STATUS[status] : SENDING[code]}
    </span>
  );
}

function funnelOf({ recipientCount, metrics }: Campaign) {
  return [
    { name: says.people, value: recipientCount },
    { name: says.mailed, value: metrics?.contacted ?? null },
    { name: says.replied, value: metrics?.replied ?? null },
    { name: says.good, value: metrics?.positiveReplies ?? null },
  ];
}

import target from "lucide/dist/esm/icons/target.mjs";
import { CONVERSION_CHANNELS, CONVERSION_RESULTS, CONVERSION_TYPES } from "../../../domain/conversions.ts";
import { SCOPES } from "../../../domain/scopes.ts";
import type { ItemOf } from "../../api/call.ts";
import { useCall } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { Notice } from "../../kit/alert.tsx";
import { FilterSelect } from "../../kit/field.tsx";
import { Empty, Page, Parts } from "../../kit/page.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { To } from "../../kit/to.tsx";
import { oneOf, PAGE_SIZE, type Raw, readPaged, useSort, useView } from "../../kit/view.ts";
import { When } from "../../kit/when.tsx";
import {
  CONVERSION_CHANNEL,
  CONVERSION_RESULT,
  CONVERSION_TYPE,
  REJECTION_REASON,
  conversionWords as says,
} from "../../words/en/leads/conversions.ts";
import { nouns } from "../../words/en/nouns.ts";
import { words } from "../../words/en.ts";
import { ConversionSetup } from "./setup.tsx";
import { TryConversion } from "./try.tsx";

type Conversion = ItemOf<"get /conversions">;

const PARTS = ["events", "setup", "test"] as const;
const TYPES = Object.keys(CONVERSION_TYPES) as (keyof typeof CONVERSION_TYPES)[]; // the keys of a constant
const EVERY_MS = 5_000;

function readView(raw: Raw) {
  return {
    ...readPaged(raw),
    part: oneOf(PARTS, raw["part"]) ?? "events",
    status: oneOf(CONVERSION_RESULTS, raw["status"]),
    type: oneOf(TYPES, raw["type"]),
    channel: oneOf(CONVERSION_CHANNELS, raw["channel"]),
  };
}

/** The conversions that arrived, how a site reports them, and a test of an event. */
export function Conversions() {
  const may = useMay();
  const [view, change] = useView(readView);
  if (!may("analytics:read"))
    return (
      <Page title={says.title}>
        <Notice>{words.mayNot(SCOPES["analytics:read"])}</Notice>
      </Page>
    );
  const { part } = view;
  return (
    <Page title={says.title} subtitle={says.lead}>
      <Parts
        label={says.sections}
        parts={PARTS}
        names={says.parts}
        open={part}
        onOpen={(next) => change({ part: next })}
      />
      {part === "events" && <Events view={view} onChange={change} />}
      {part === "setup" && <ConversionSetup />}
      {part === "test" && <TryConversion />}
    </Page>
  );
}

interface EventsProps {
  view: ReturnType<typeof readView>;
  onChange: ReturnType<typeof useView<ReturnType<typeof readView>>>[1];
}

function Events({ view: { page, status, type, channel }, onChange }: EventsProps) {
  const order = useSort({ served: ["receivedAt"], usual: "-receivedAt" });
  const events = useCall(
    "get /conversions",
    {
      page,
      pageSize: PAGE_SIZE,
      sort: order.asked,
      ...(status !== null && { status }),
      ...(type !== null && { type }),
      ...(channel !== null && { channel }),
    },
    { every: EVERY_MS },
  );
  const isFiltered = status !== null || type !== null || channel !== null;
  return (
    <>
      <div className="filters">
        <FilterSelect
          label={says.result}
          name="status"
          value={status}
          values={CONVERSION_RESULTS}
          texts={CONVERSION_RESULT}
          onPick={(value) => onChange({ status: value })}
        />
        <FilterSelect
          label={says.type}
          name="type"
          value={type}
          values={TYPES}
          texts={CONVERSION_TYPE}
          onPick={(value) => onChange({ type: value })}
        />
        <FilterSelect
          label={says.channel}
          name="channel"
          value={channel}
          values={CONVERSION_CHANNELS}
          texts={CONVERSION_CHANNEL}
          onPick={(value) => onChange({ channel: value })}
        />
      </div>
      <Table
        label={says.parts.events}
        nouns={nouns.events}
        rows={events}
        order={order}
        columns={COLUMNS}
        empty={
          <Empty icon={target} text={says.empty}>
            <button type="button" className="primary" onClick={() => onChange({ part: "setup" })}>
              {says.toSetup}
            </button>
          </Empty>
        }
        onClear={isFiltered ? () => onChange({ status: null, type: null, channel: null }) : undefined}
        onPage={(next) => onChange({ page: next })}
      />
    </>
  );
}

const COLUMNS: readonly Column<Conversion>[] = [
  {
    head: says.received,
    by: "receivedAt",
    isDownFirst: true,
    cell: ({ receivedAt }) => <When at={receivedAt} />,
  },
  { head: says.type, cell: ({ type }) => (type === null ? says.unknownType : CONVERSION_TYPE[type]) },
  {
    head: says.value,
    isNumber: true,
    cell: ({ value, currency }) => (value === null ? "–" : `${value} ${currency ?? ""}`.trim()),
  },
  {
    head: says.result,
    cell: ({ status, reason, emailMatch }) => (
      <>
        <span className={`mark ${status === "accepted" ? "good" : "waits"}`}>{CONVERSION_RESULT[status]}</span>
        <div className="fine">
          {reason !== null && REJECTION_REASON[reason]}
          {status === "duplicate" && says.duplicateReason}
          {status === "accepted" && emailMatch === false && says.noEmailMatch}
        </div>
      </>
    ),
  },
  { head: says.channel, cell: ({ channel }) => CONVERSION_CHANNEL[channel] },
  {
    head: says.campaign,
    cell: ({ campaignId, recipientId }) => (
      <To page="/campaigns/$campaignId" ids={{ campaignId }} view={{ open: recipientId }}>
        {says.openCampaign}
      </To>
    ),
  },
  {
    head: says.person,
    cell: ({ leadId }) =>
      leadId === null ? (
        "–"
      ) : (
        <To page="/leads/$leadId" ids={{ leadId }}>
          {says.openLead}
        </To>
      ),
  },
];

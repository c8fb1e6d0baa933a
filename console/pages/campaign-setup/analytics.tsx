import { DAY_MS } from "../../../domain/time/durations.ts";
import type { Out } from "../../api/call.ts";
import { useCall } from "../../api/query.ts";
import { Select } from "../../kit/field.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { oneOf, pageOfWhole, type Raw, readPaged, useView } from "../../kit/view.ts";
import { analyticsWords as says } from "../../words/en/campaign-setup/setup.ts";
import { words } from "../../words/en.ts";
import { formatCount, formatShare } from "../../words/format.ts";
import type { Campaign } from "../campaign/reads.ts";

type Row = Out<"get /analytics/report">["rows"][number] & { id: string };
const EVERY_MS = 30_000;
const GROUPS = ["STEP", "VARIANT", "MAILBOX"] as const;

function readView(raw: Raw) {
  return { ...readPaged(raw), by: oneOf(GROUPS, raw["by"]) ?? "STEP" };
}

/** A campaign's results over its whole time, by step, variant or mailbox. */
export function Analytics({ campaign: { id, createdAt, sequence } }: { campaign: Campaign }) {
  const [{ page, by }, change] = useView(readView);
  // Begins one day earlier, because the days of a report are in the workspace's time zone
  const from = new Date(Date.parse(createdAt) - DAY_MS).toISOString().slice(0, 10);
  const report = useCall("get /analytics/report", { campaignIds: id, groupBy: by, from }, { every: EVERY_MS });
  const rows = report.data?.rows.map((row, index): Row => ({ ...row, id: row.key ?? String(index) }));
  const nameOf = ({ name, stepId }: Row) => {
    if (name == null) return says.unknown;
    const step = by === "VARIANT" ? sequence.steps.find((one) => one.stepId === stepId) : undefined;
    return step === undefined ? name : says.variant(step.order, name);
  };
  return (
    <section aria-labelledby="results">
      <h2 id="results">{says.title}</h2>
      <div className="filters">
        <Select
          label={says.by}
          name="by"
          value={by}
          options={GROUPS.map((value) => ({ value, text: says.groups[value] }))}
          onPick={(value) => change({ by: value === "STEP" ? null : value })}
        />
      </div>
      <Table
        label={says.title}
        rows={pageOfWhole({ ...report, data: rows }, page)}
        columns={[{ head: says.groups[by], cell: nameOf }, ...COLUMNS]}
        empty={<p>{says.none}</p>}
        onPage={(next) => change({ page: next })}
      />
    </section>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  { head: says.sent, isNumber: true, cell: ({ sent }) => countInWords(sent) },
  { head: says.contacted, isNumber: true, cell: ({ contacted }) => countInWords(contacted) },
  { head: says.opened, isNumber: true, cell: ({ opened }) => countInWords(opened) },
  { head: says.clicked, isNumber: true, cell: ({ clicked }) => countInWords(clicked) },
  { head: says.replied, isNumber: true, cell: ({ replied }) => countInWords(replied) },
  { head: says.rate, isNumber: true, cell: ({ replyRate }) => shareInWords(replyRate) },
  { head: says.bounced, isNumber: true, cell: ({ bounced }) => countInWords(bounced) },
];

/** Null means that it is not tracked. */
function countInWords(count: number | null | undefined): string {
  return count === null ? words.untracked : count === undefined ? "–" : formatCount(count);
}

function shareInWords(share: number | null | undefined): string {
  return share === null || share === undefined ? "–" : formatShare(share);
}

import { APPROVAL_STATUSES } from "../../../domain/states.ts";
import { useCall } from "../../api/query.ts";
import { Select } from "../../kit/field.tsx";
import { Empty, Page } from "../../kit/page.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { To } from "../../kit/to.tsx";
import { oneOf, PAGE_SIZE, type Raw, readPaged, useView } from "../../kit/view.ts";
import { Due, When } from "../../kit/when.tsx";
import { EFFECTS } from "../../words/en/access/policies.ts";
import { APPROVAL_KIND, APPROVAL_STATUS, approvalWords as says } from "../../words/en/approvals.ts";
import { nouns } from "../../words/en/nouns.ts";
import { words } from "../../words/en.ts";
import { ApprovalInFull } from "./approval.tsx";
import type { ApprovalOfList } from "./reads.ts";

const EVERY_MS = 10_000;

function readView(raw: Raw) {
  return { ...readPaged(raw), status: oneOf(APPROVAL_STATUSES, raw["status"]) ?? "PENDING", open: raw["open"] ?? null };
}

/** The list of approvals: what is requested, for which recipient, when, and until when it can be decided. */
export function Approvals() {
  const [{ page, status, open }, change] = useView(readView);
  const approvals = useCall("get /approvals", { page, pageSize: PAGE_SIZE, status }, { every: EVERY_MS });
  const columns: Column<ApprovalOfList>[] = [
    { head: says.what, cell: ({ kind }) => APPROVAL_KIND[kind] },
    { head: says.whom, cell: (approval) => <Whom approval={approval} /> },
    { head: says.asked, cell: ({ createdAt }) => <When at={String(createdAt)} /> },
    ...(status === "PENDING"
      ? [
          {
            head: says.expires,
            cell: ({ expiresAt }: ApprovalOfList) =>
              expiresAt === null ? says.noExpiry : <Due at={String(expiresAt)} />,
          },
        ]
      : [
          {
            head: says.decided,
            cell: ({ decidedAt }: ApprovalOfList) => (decidedAt === null ? "–" : <When at={String(decidedAt)} />),
          },
        ]),
    {
      head: words.actions,
      cell: ({ id, kind }) => (
        <button
          type="button"
          aria-expanded={open === id}
          aria-label={`${open === id ? says.hide : says.look}: ${APPROVAL_KIND[kind]}`}
          onClick={() => change({ open: open === id ? null : id, page })}
        >
          {open === id ? says.hide : says.look}
        </button>
      ),
    },
  ];
  // A link may open an approval that is not on this page of the list
  const isElsewhere =
    open !== null && approvals.data !== undefined && !approvals.data.items.some(({ id }) => id === open);
  return (
    <Page title={says.title} subtitle={says.lead}>
      <div className="filters">
        <Select
          label={words.status}
          name="status"
          value={status}
          options={APPROVAL_STATUSES.map((value) => ({ value, text: APPROVAL_STATUS[value] }))}
          onPick={(value) => change({ status: value === "PENDING" ? null : value, open: null })}
        />
      </div>
      {isElsewhere && <ApprovalInFull approvalId={open} />}
      <Table
        label={says.label}
        nouns={nouns.approvals}
        rows={approvals}
        columns={columns}
        empty={
          <Empty text={says.empty}>
            <To page="/inbox" className="button">
              {words.navigation.inbox}
            </To>
          </Empty>
        }
        onClear={status === "PENDING" ? undefined : () => change({ status: null })}
        opened={{ id: open, show: ({ id }) => <ApprovalInFull approvalId={id} /> }}
        onPage={(next) => change({ page: next, open: null })}
      />
    </Page>
  );
}

function Whom({ approval: { effect, proposedText } }: { approval: ApprovalOfList }) {
  if (effect === null) return <bdi className="cut">{proposedText ?? "–"}</bdi>;
  if (effect.kind === "CHANGE")
    return <bdi className="cut">{effect.causes.map((cause) => EFFECTS[cause]).join(", ")}</bdi>;
  const [first] = effect.recipients;
  return (
    <>
      {says.people(effect.people)}
      {first !== undefined && (
        <span className="fine">
          {" "}
          <bdi>{first}</bdi>
        </span>
      )}
    </>
  );
}

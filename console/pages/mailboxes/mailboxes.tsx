import { useCallback } from "react";
import { isNamed } from "../../../domain/fold.ts";
import { CONDITIONS } from "../../../domain/mailboxes/condition.ts";
import { MAILBOX_STATUSES } from "../../../domain/states.ts";
import { WARMUP_STATUSES } from "../../../domain/warmup/enrolment.ts";
import { type Called, useCall } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { FilterSelect, SearchField } from "../../kit/field.tsx";
import { Given } from "../../kit/given.tsx";
import { Empty, Page } from "../../kit/page.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { To } from "../../kit/to.tsx";
import { oneOf, pageOfWhole, type Raw, readPaged, useSort, useView } from "../../kit/view.ts";
import { When } from "../../kit/when.tsx";
import { connectWords } from "../../words/en/mailboxes/connect.ts";
import { mailboxesWords as says } from "../../words/en/mailboxes/mailbox.ts";
import { BAND, MAILBOX_STATUS, reasonInWords, WARMUP_STATUS } from "../../words/en/mailboxes/states.ts";
import { nouns } from "../../words/en/nouns.ts";
import { words } from "../../words/en.ts";
import { useManyWarmups } from "../warmup/many.tsx";
import { WARMUP_MARK } from "../warmup/reads.ts";
import { DnsMarks, SentToday, Status } from "./marks.tsx";
import type { ListedMailbox } from "./reads.ts";

const EVERY_MS = 10_000;

function readView(raw: Raw) {
  return { ...readPaged(raw), status: oneOf(MAILBOX_STATUSES, raw["status"]), search: raw["search"] ?? "" };
}

/** All mailboxes: status, what to do if one cannot send, emails sent today, and health. */
export function Mailboxes() {
  const [{ page, status, search }, change] = useView(readView);
  const may = useMay();
  // The rows appear immediately, while the figures are still being counted
  const plain = useCall("get /mailboxes", { figures: "false" }, { every: EVERY_MS });
  const figures = useCall("get /mailboxes", {}, { every: EVERY_MS });
  const mailboxes = withFigures(plain, figures);
  const look = useCallback((words: string) => change({ search: words }, { replaces: true }), [change]);
  const isShown = (mailbox: ListedMailbox) =>
    (status === null || mailbox.status === status) &&
    isNamed(search, [mailbox.email, mailbox.name ?? "", ...mailbox.tags]);
  const order = useSort({});
  const warmups = useManyWarmups();
  const rows = pageOfWhole(mailboxes, page, isShown);
  const isFiltered = (status !== null || search !== "") && mailboxes.data?.length !== 0;
  const connect = (
    <>
      <To page="/mailboxes/import" className="button">
        {connectWords.many}
      </To>
      <To page="/mailboxes/connect" className="button primary">
        {says.connect}
      </To>
    </>
  );
  // An empty list contains the button, so it is not shown twice
  return (
    <Page title={says.title} {...(may("mailboxes:connect") && plain.data?.length !== 0 && { actions: connect })}>
      <div className="filters">
        <SearchField label={words.search} value={search} onSearch={look} />
        <FilterSelect
          label={words.status}
          name="status"
          value={status}
          values={MAILBOX_STATUSES}
          texts={MAILBOX_STATUS}
          onPick={(value) => change({ status: value })}
        />
      </div>
      <Table
        label={says.title}
        nouns={nouns.mailboxes}
        rows={rows}
        order={order}
        columns={COLUMNS}
        {...(may("warmup:write") && { several: warmups })}
        empty={<Empty text={says.empty}>{may("mailboxes:connect") && connect}</Empty>}
        onClear={isFiltered ? () => change({ status: null, search: null }) : undefined}
        onPage={(next) => change({ page: next })}
      />
    </Page>
  );
}

const COLUMNS: readonly Column<ListedMailbox>[] = [
  {
    head: says.mailbox,
    by: "email",
    sortKey: ({ email }) => email,
    cell: ({ id, email, name }) => (
      <>
        <To page="/mailboxes/$mailboxId" ids={{ mailboxId: id }}>
          {email}
        </To>
        {name !== null && (
          <div className="fine">
            <Given isShort>{name}</Given>
          </div>
        )}
      </>
    ),
  },
  {
    head: words.status,
    by: "condition",
    sortKey: ({ condition, status }) => `${CONDITIONS.indexOf(condition)} ${MAILBOX_STATUS[status]}`,
    isDownFirst: true,
    cell: (mailbox) => <StatusAndFault mailbox={mailbox} />,
  },
  {
    head: says.today,
    by: "sentToday",
    isDownFirst: true,
    sortKey: ({ sentToday }) => sentToday?.total ?? null,
    cell: (mailbox) => <SentToday mailbox={mailbox} />,
  },
  {
    head: says.health,
    by: "health",
    sortKey: ({ health }) => health.score,
    cell: (mailbox) => <Health mailbox={mailbox} />,
  },
  { head: says.dns, cell: (mailbox) => <DnsMarks mailbox={mailbox} /> },
  {
    head: says.warmup,
    by: "warmup",
    sortKey: ({ warmup }) => warmup?.status ?? null,
    cell: (mailbox) => <WarmupMark mailbox={mailbox} />,
  },
  {
    head: words.created,
    by: "createdAt",
    isDownFirst: true,
    sortKey: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <When at={createdAt} />,
  },
];

/** Adds the figures that have arrived to each row. An error in reading them is shown above the rows. */
function withFigures(plain: Called<ListedMailbox[]>, figures: Called<ListedMailbox[]>): Called<ListedMailbox[]> {
  const figuresById = new Map(figures.data?.map((one) => [one.id, one]));
  const data = plain.data?.map((one) => {
    const { sentToday, warmup } = figuresById.get(one.id) ?? {};
    return { ...one, ...(sentToday && { sentToday }), ...(warmup && { warmup }) };
  });
  const again = () => {
    plain.again();
    figures.again();
  };
  return { ...plain, data, refusal: plain.refusal ?? figures.refusal, again };
}

/** The state of the warmup, which leads to its results. */
function WarmupMark({ mailbox: { id, email, warmup } }: { mailbox: ListedMailbox }) {
  if (warmup === undefined) return "–";
  const status = WARMUP_STATUSES.find((one) => one === warmup.status);
  if (status === undefined) return <span className="fine">{says.noWarmup}</span>;
  return (
    <To page="/mailboxes/$mailboxId" ids={{ mailboxId: id }} view={{ part: "warmup" }} hint={says.warmupOf(email)}>
      <span className={`mark ${WARMUP_MARK[status]}`}>{WARMUP_STATUS[status]}</span>
    </To>
  );
}

/** The status and the last error: a mailbox that sends may still have one. */
function StatusAndFault({ mailbox }: { mailbox: ListedMailbox }) {
  const { status, lastError } = mailbox;
  return (
    <>
      <Status mailbox={mailbox} />
      {lastError !== null && (
        <div className="fine">
          {says.lastFault} <When at={lastError.at} />
          {status === "CONNECTED" && `: ${reasonInWords(lastError.code)}`}
        </div>
      )}
    </>
  );
}

function Health({ mailbox: { health } }: { mailbox: ListedMailbox }) {
  const { score, band, since } = health;
  return (
    <>
      <span className={`mark ${band === "HEALTHY" ? "good" : "waits"}`}>{BAND[band]}</span>
      <div className="fine">
        {score === null ? says.unscored : says.score(score)}
        {since !== null && (
          <>
            , {says.since} <When at={since} />
          </>
        )}
      </div>
    </>
  );
}

import { useCallback } from "react";
import { MAILBOX_STATUSES } from "../../../domain/states.ts";
import { useCall } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { SearchField, Select } from "../../kit/field.tsx";
import { Given } from "../../kit/given.tsx";
import { Page } from "../../kit/page.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { To } from "../../kit/to.tsx";
import { oneOf, PAGE_SIZE, type Raw, readPaged, useView } from "../../kit/view.ts";
import { When } from "../../kit/when.tsx";
import { mailboxesWords as says } from "../../words/en/mailboxes/list.ts";
import { BAND, MAILBOX_STATUS, reasonInWords, WARMUP_STATUS } from "../../words/en/mailboxes/states.ts";
import { words } from "../../words/en.ts";
import { wordFor } from "../../words/states.ts";
import { DnsMarks, SentToday, Status } from "./marks.tsx";
import { type Mailbox, pageOf } from "./reads.ts";

const EVERY_MS = 10_000;

function readView(raw: Raw) {
  return { ...readPaged(raw), status: oneOf(MAILBOX_STATUSES, raw["status"]), search: raw["search"] ?? "" };
}

/** Every mailbox: whether it sends and what to do where it does not, what it sent today, how its mail fares. */
export function Mailboxes() {
  const [{ page, status, search }, change] = useView(readView);
  const may = useMay();
  const mailboxes = useCall("get /mailboxes", {}, { every: EVERY_MS });
  const look = useCallback((words: string) => change({ search: words }, { replaces: true }), [change]);
  const wanted = search.toLowerCase();
  const isShown = (mailbox: Mailbox) =>
    (status === null || mailbox.status === status) &&
    [mailbox.email, mailbox.name ?? "", ...mailbox.tags].some((text) => text.toLowerCase().includes(wanted));
  const rows = pageOf(mailboxes, { page, pageSize: PAGE_SIZE }, (all) => all.filter(isShown));
  const isFiltered = (status !== null || search !== "") && mailboxes.data?.length !== 0;
  const connect = (
    <To page="/mailboxes/connect" className="button primary">
      {says.connect}
    </To>
  );
  return (
    <Page title={says.title} {...(may("mailboxes:connect") && { actions: connect })}>
      <div className="filters">
        <SearchField label={words.search} value={search} onSearch={look} />
        <Select
          label={words.status}
          name="status"
          value={status ?? ""}
          options={[{ value: "", text: words.all }, ...MAILBOX_STATUSES.map((value) => ({ value, text: MAILBOX_STATUS[value] }))]}
          onPick={(value) => change({ status: value })}
        />
      </div>
      <Table
        label={says.title}
        rows={rows}
        columns={COLUMNS}
        empty={<p>{says.empty}</p>}
        onClear={isFiltered ? () => change({ status: null, search: null }) : undefined}
        onPage={(next) => change({ page: next })}
      />
    </Page>
  );
}

const COLUMNS: readonly Column<Mailbox>[] = [
  {
    head: says.mailbox,
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
  { head: words.status, cell: (mailbox) => <StatusAndFault mailbox={mailbox} /> },
  { head: says.today, cell: (mailbox) => <SentToday mailbox={mailbox} /> },
  { head: says.health, cell: (mailbox) => <Health mailbox={mailbox} /> },
  { head: says.dns, cell: (mailbox) => <DnsMarks mailbox={mailbox} /> },
  { head: says.warmup, cell: ({ warmup }) => (warmup.status === null ? says.noWarmup : wordFor(WARMUP_STATUS, warmup.status)) },
];

/** A mailbox that sends may have met a fault all the same. */
function StatusAndFault({ mailbox }: { mailbox: Mailbox }) {
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

function Health({ mailbox: { health } }: { mailbox: Mailbox }) {
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

import { useCallback, useState } from "react";
import { RECIPIENT_STATUSES } from "../../../domain/states.ts";
import type { Out } from "../../api/call.ts";
import { useCall, useWrite } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { SearchField } from "../../kit/field.tsx";
import { Empty } from "../../kit/page.tsx";
import { type Act, type Column, Table } from "../../kit/table.tsx";
import { say } from "../../kit/toast.tsx";
import { oneOf, PAGE_SIZE, type Raw, readPaged, useView } from "../../kit/view.ts";
import { Due } from "../../kit/when.tsx";
import { campaignWords, recipientWords as says } from "../../words/en/campaign.ts";
import { addWords } from "../../words/en/campaign-setup/setup.ts";
import { nouns } from "../../words/en/nouns.ts";
import { words } from "../../words/en.ts";
import { formatCount } from "../../words/format.ts";
import { PAUSE_REASON, RECIPIENT_STATUS, STOP_REASON } from "../../words/states.ts";
import { AddRecipients } from "../campaign-setup/add-recipients.tsx";
import { Explained } from "./explained.tsx";
import { type Campaign, RENEWS } from "./reads.ts";
import { useRemoval } from "./use-removal.tsx";

type List = Out<"get /campaigns/:campaignId/recipients">;
type Recipient = List["items"][number];
const EVERY_MS = 5_000;

function readView(raw: Raw) {
  return {
    ...readPaged(raw),
    status: oneOf(RECIPIENT_STATUSES, raw["status"]),
    search: raw["search"] ?? "",
    open: raw["open"] ?? null,
  };
}

/** The recipients of a campaign with their status and the reason. Filters and the open row are in the URL. */
export function Recipients({ campaign }: { campaign: Campaign }) {
  const { id: campaignId } = campaign;
  const [{ page, status, search, open }, change] = useView(readView);
  const input = {
    campaignId,
    page,
    pageSize: PAGE_SIZE,
    ...(status !== null && { status }),
    ...(search !== "" && { search }),
  };
  const list = useCall("get /campaigns/:campaignId/recipients", input, { every: EVERY_MS });
  const { run, refusal } = useWrite("post /campaigns/:campaignId/recipients", { renews: RENEWS });
  const may = useMay();
  const [isAdding, setAdding] = useState(false);
  const { several, dialog } = useRemoval(campaign, list.data, { status, search });
  const look = useCallback((words: string) => change({ search: words }, { replaces: true }), [change]);

  const move = async ({ id, email }: Recipient, action: "pauseRecipients" | "resumeRecipients") => {
    const answer = await run({ action, campaignId, recipientIds: [id] });
    if (answer === null) return null;
    const why = answer.items[0]?.error?.message;
    say(
      why === undefined
        ? action === "pauseRecipients"
          ? says.saidPaused(email)
          : says.saidResumed(email)
        : says.refused(email, why),
    );
    return answer;
  };
  const mayChange = may("recipients:write") && campaign.status !== "ARCHIVED";
  const add = mayChange && (
    <button type="button" onClick={() => setAdding(true)}>
      {addWords.open}
    </button>
  );
  // An empty list contains the button, so it is not shown twice
  const isEmpty = list.data?.stats.total === 0;
  const columns: Column<Recipient>[] = [
    { head: says.address, cell: ({ email }) => email },
    { head: words.status, cell: (recipient) => <Status recipient={recipient} /> },
    { head: says.mails, isNumber: true, cell: ({ sentCount }) => formatCount(sentCount) },
    { head: says.next, cell: ({ nextSendAt }) => <Due at={nextSendAt} /> },
    {
      head: words.reason,
      cell: ({ id, email }) => (
        <button
          type="button"
          aria-expanded={open === id}
          aria-label={`${open === id ? says.hide : says.why} ${email}`}
          onClick={() => change({ open: open === id ? null : id, page })}
        >
          {open === id ? says.hide : says.why}
        </button>
      ),
    },
  ];
  return (
    <section aria-labelledby="people">
      <h2 id="people" className="hidden">
        {campaignWords.recipients}
      </h2>
      <Stats stats={list.data?.stats} chosen={status} onChoose={(value) => change({ status: value, open: null })} />
      <div className="filters">
        <SearchField label={words.search} value={search} onSearch={look} />
        {!isEmpty && add}
      </div>
      {refusal !== null && <RefusalAlert refusal={refusal} />}
      {isAdding && <AddRecipients campaign={campaign} onClose={() => setAdding(false)} />}
      {dialog}
      <Table
        label={says.label}
        nouns={nouns.recipients}
        rows={list}
        columns={columns}
        empty={<Empty text={says.empty}>{add}</Empty>}
        onClear={status !== null || search !== "" ? () => change({ status: null, search: null }) : undefined}
        opened={{ id: open, show: ({ id }) => <Explained campaignId={campaignId} recipientId={id} /> }}
        onPage={(next) => change({ page: next, open: null })}
        {...(may("recipients:write") && { acts: (recipient: Recipient) => actsOf(recipient, move) })}
        {...(mayChange && { several })}
      />
    </section>
  );
}

type Move = (recipient: Recipient, action: "pauseRecipients" | "resumeRecipients") => Promise<unknown>;

function actsOf({ status, email }: Recipient, move: Move): Act<Recipient>[] {
  if (status === "PENDING" || status === "IN_PROGRESS") {
    return [{ name: says.pause, effect: <p>{says.pauseEffect(email)}</p>, run: (one) => move(one, "pauseRecipients") }];
  }
  if (status !== "PAUSED") return [];
  return [
    { name: says.resume, effect: <p>{says.resumeEffect(email)}</p>, run: (one) => move(one, "resumeRecipients") },
  ];
}

/** The colours of statuses, as CSS classes. Those that are missing here are neutral. */
const MARK_OF: Partial<Record<Recipient["status"], string>> = {
  IN_PROGRESS: "good",
  REPLIED: "good",
  PAUSED: "waits",
  BOUNCED: "bad",
  FAILED: "bad",
};

function Status({ recipient: { status, pauseReason, stopReason, missingVariables } }: { recipient: Recipient }) {
  const why = pauseReason !== null ? PAUSE_REASON[pauseReason] : stopReason !== null ? STOP_REASON[stopReason] : null;
  const lacks = missingVariables.length > 0 ? says.lacks(missingVariables.join(", ")) : null;
  const word = RECIPIENT_STATUS[status];
  return (
    <>
      <span className={`mark ${MARK_OF[status] ?? "rests"}`}>{word}</span>
      {(lacks ?? why) !== null && why !== word && <span className="fine"> {lacks ?? why}</span>}
    </>
  );
}

interface StatsProps {
  stats: List["stats"] | undefined;
  chosen: Recipient["status"] | null;
  onChoose: (status: Recipient["status"] | null) => void;
}

/** The number of recipients in each state; each number is a filter. */
function Stats({ stats, chosen, onChoose }: StatsProps) {
  if (stats === undefined) return null;
  const there = RECIPIENT_STATUSES.filter((status) => stats.byStatus[status] > 0 || status === chosen);
  return (
    <fieldset className="chips">
      <legend className="hidden">{says.filter}</legend>
      <button type="button" aria-pressed={chosen === null} onClick={() => onChoose(null)}>
        {words.all} {formatCount(stats.total)}
      </button>
      {there.map((status) => (
        <button key={status} type="button" aria-pressed={chosen === status} onClick={() => onChoose(status)}>
          {RECIPIENT_STATUS[status]} {formatCount(stats.byStatus[status])}
        </button>
      ))}
    </fieldset>
  );
}

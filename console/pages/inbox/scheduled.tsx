import { SCHEDULED_STATUSES } from "../../../domain/states.ts";
import type { Out } from "../../api/call.ts";
import { useCall, useWrite } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { FilterSelect } from "../../kit/field.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { To } from "../../kit/to.tsx";
import { say } from "../../kit/toast.tsx";
import { oneOf, PAGE_SIZE, type Raw, readPaged, useView } from "../../kit/view.ts";
import { Due, When } from "../../kit/when.tsx";
import { faultInWords } from "../../words/codes.ts";
import { inboxWords, scheduledWords as says } from "../../words/en/inbox.ts";
import { nouns } from "../../words/en/nouns.ts";
import { words } from "../../words/en.ts";

type Reply = Out<"get /inbox/scheduled">["items"][number];
const EVERY_MS = 15_000;

function readView(raw: Raw) {
  return { ...readPaged(raw), status: oneOf(SCHEDULED_STATUSES, raw["status"]), shown: raw["shown"] ?? null };
}

/** Scheduled replies, and the results of those that were due. */
export function Scheduled() {
  const [{ page, status, shown }, change] = useView(readView);
  const may = useMay();
  const replies = useCall(
    "get /inbox/scheduled",
    { page, pageSize: PAGE_SIZE, ...(status !== null && { status }) },
    { every: EVERY_MS },
  );
  const cancel = useWrite("post /inbox/scheduled/:scheduledId/cancel", { renews: ["get /inbox/scheduled"] });
  const stop = async ({ id }: Reply) => {
    const answer = await cancel.run({ scheduledId: id });
    if (answer !== null) say(says.saidCancelled);
    return answer;
  };
  const columns: Column<Reply>[] = [
    {
      head: says.to,
      cell: ({ to, threadId }) => (
        <To page="/inbox" view={{ open: threadId }}>
          <bdi>{to}</bdi>
        </To>
      ),
    },
    { head: says.subject, cell: ({ subject }) => <bdi>{subject}</bdi> },
    {
      head: says.at,
      cell: ({ sendAt, status }) => (status === "PENDING" ? <Due at={String(sendAt)} /> : <When at={String(sendAt)} />),
    },
    { head: words.status, cell: (reply) => <ReplyState reply={reply} /> },
    {
      head: says.text,
      cell: ({ id, to }) => (
        <button
          type="button"
          aria-expanded={shown === id}
          aria-label={`${shown === id ? says.hide : says.show} ${to}`}
          onClick={() => change({ shown: shown === id ? null : id, page })}
        >
          {shown === id ? says.hide : says.show}
        </button>
      ),
    },
  ];
  return (
    <>
      <div className="filters">
        <FilterSelect
          label={words.status}
          name="status"
          value={status}
          values={SCHEDULED_STATUSES}
          texts={says.state}
          all={says.anyState}
          onPick={(value) => change({ status: value })}
        />
      </div>
      {cancel.refusal !== null && <RefusalAlert refusal={cancel.refusal} />}
      <Table
        label={says.label}
        nouns={nouns.scheduled}
        rows={replies}
        columns={columns}
        empty={
          <>
            <p>{says.empty}</p>
            <To page="/inbox" className="button">
              {inboxWords.title}
            </To>
          </>
        }
        onClear={status === null ? undefined : () => change({ status: null })}
        opened={{
          id: shown,
          show: ({ bodyText }) => (
            <p className="text">
              <bdi>{bodyText}</bdi>
            </p>
          ),
        }}
        onPage={(next) => change({ page: next })}
        {...(may("inbox:write") && {
          acts: ({ status, to }: Reply) =>
            status === "PENDING"
              ? [
                  {
                    name: says.cancel,
                    act: says.cancelAct,
                    effect: <p>{says.cancelEffect(to)}</p>,
                    isDangerous: true,
                    run: stop,
                  },
                ]
              : [],
        })}
      />
    </>
  );
}

function ReplyState({ reply: { status, error } }: { reply: Reply }) {
  if (error?.code === "SEND_UNKNOWN") return says.unknown;
  return (
    <>
      {says.state[status]}
      {error !== null && <span className="fine"> {faultInWords(error)}</span>}
    </>
  );
}

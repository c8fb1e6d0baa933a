import { useState } from "react";
import type { ItemOf } from "../../api/call.ts";
import { useCall, useWrite } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Given } from "../../kit/given.tsx";
import { Looking } from "../../kit/looking.tsx";
import { Empty } from "../../kit/page.tsx";
import { Scrolling } from "../../kit/scrolling.tsx";
import { type Act, type Column, Table } from "../../kit/table.tsx";
import { say } from "../../kit/toast.tsx";
import { PAGE_SIZE, type Raw, readPaged, useSort, useView } from "../../kit/view.ts";
import { When } from "../../kit/when.tsx";
import { faultInWords } from "../../words/codes.ts";
import {
  PLACEMENT_FOLDER,
  PLACEMENT_SCHEDULE,
  PLACEMENT_STATUS,
  RECEIVER,
  placementWords as says,
} from "../../words/en/mailboxes/placement.ts";
import { nouns } from "../../words/en/nouns.ts";
import { formatCount } from "../../words/format.ts";
import { StartPlacement, TestMailboxes } from "./placement-forms.tsx";

type Test = ItemOf<"get /deliverability/placement-tests">;

const RENEWS = ["get /deliverability/placement-tests", "get /deliverability/placement-tests/:testId"] as const;
/** Milliseconds between reads while a test runs, and while none does. */
const EVERY_MS = 3_000;
const SELDOM_MS = 30_000;

function readView(raw: Raw) {
  return { ...readPaged(raw), test: raw["test"] ?? null };
}

const isOpen = ({ status }: Pick<Test, "status">) => status === "QUEUED" || status === "RUNNING";

/** Placement tests with their results, the newest first, and the mailboxes that receive their emails. */
export function PlacementTests() {
  const may = useMay();
  const [{ page, test: open }, change] = useView(readView);
  const order = useSort({ served: ["createdAt"] });
  const [isMoving, setMoving] = useState(false);
  const [dialog, setDialog] = useState<"start" | "mailboxes" | null>(null);
  const every = isMoving ? EVERY_MS : SELDOM_MS;
  const tests = useCall(
    "get /deliverability/placement-tests",
    { page, pageSize: PAGE_SIZE, sort: order.asked },
    { every },
  );
  const moves = tests.data?.items.some(isOpen) === true;
  if (moves !== isMoving) setMoving(moves);
  const settings = useCall("get /deliverability/settings", {});
  const { nameOf } = useNames();
  const cancel = useWrite("post /deliverability/placement-tests/:testId/cancel", { renews: RENEWS });
  const stop = async ({ id: testId }: Test) => {
    const answer = await cancel.run({ testId });
    if (answer !== null) say(says.saidCancelled);
    return answer;
  };
  const mayStart = may("campaigns:launch") && may("mailboxes:read");
  const mayChange = may("workspace:write") && may("mailboxes:read");
  const hasTestMailboxes = (settings.data?.testMailboxIds.length ?? 0) > 0;
  const start = mayStart && hasTestMailboxes && (
    <button type="button" className="primary" onClick={() => setDialog("start")}>
      {says.start}
    </button>
  );
  const setUp = mayChange && settings.data !== undefined && (
    <button type="button" onClick={() => setDialog("mailboxes")}>
      {says.change}
    </button>
  );
  const acts = (test: Test): Act<Test>[] =>
    isOpen(test) && may("campaigns:launch")
      ? [
          {
            name: says.cancel,
            act: says.cancelAct,
            effect: <p>{says.cancelEffect}</p>,
            isDangerous: true,
            refusal: cancel.refusal,
            run: stop,
          },
        ]
      : [];
  const columns: Column<Test>[] = [
    ...COLUMNS,
    {
      head: says.details,
      cell: ({ id, name }) => (
        <button
          type="button"
          aria-expanded={open === id}
          aria-label={(open === id ? says.hideOf : says.showOf)(name)}
          onClick={() => change({ test: open === id ? null : id, page })}
        >
          {open === id ? says.hide : says.show}
        </button>
      ),
    },
  ];
  return (
    <>
      <p>{says.lead}</p>
      {settings.refusal !== null && <RefusalAlert refusal={settings.refusal} again={settings.again} />}
      {settings.data !== undefined && (
        <p className="fine">
          <Given>
            {hasTestMailboxes ? says.testMailboxes(settings.data.testMailboxIds.map(nameOf)) : says.noTestMailboxes}
          </Given>{" "}
          {settings.data.placementSchedule === null
            ? says.noSchedule
            : says.schedule(PLACEMENT_SCHEDULE[settings.data.placementSchedule])}
        </p>
      )}
      <div className="buttons start">
        {start}
        {setUp}
      </div>
      <Table
        label={says.start}
        nouns={nouns.tests}
        rows={tests}
        order={order}
        columns={columns}
        acts={acts}
        empty={<Empty text={says.empty} />}
        opened={{ id: open, show: ({ id }) => <Emails testId={id} isMoving={isMoving} nameOf={nameOf} /> }}
        onPage={(next) => change({ page: next, test: null })}
      />
      {dialog === "start" && settings.data !== undefined && (
        <StartPlacement testMailboxIds={settings.data.testMailboxIds} onClose={() => setDialog(null)} />
      )}
      {dialog === "mailboxes" && settings.data !== undefined && (
        <TestMailboxes settings={settings.data} onClose={() => setDialog(null)} />
      )}
    </>
  );
}

const COLUMNS: readonly Column<Test>[] = [
  {
    head: says.test,
    cell: ({ name, isScheduled }) => (
      <>
        <Given isShort>{name}</Given>
        {isScheduled && <div className="fine">{says.scheduled}</div>}
      </>
    ),
  },
  { head: says.state, cell: ({ status }) => PLACEMENT_STATUS[status] },
  { head: says.emails, isNumber: true, cell: ({ mails }) => formatCount(mails) },
  {
    head: says.result,
    cell: ({ inboxRate, spamRate, missingRate }) =>
      inboxRate === null ? says.noResult : says.shares(inboxRate, spamRate ?? 0, missingRate ?? 0),
  },
  { head: says.begun, by: "createdAt", isDownFirst: true, cell: ({ createdAt }) => <When at={createdAt} /> },
];

function useNames() {
  const { data } = useCall("get /mailboxes", { figures: "false" }, { isOff: !useMay()("mailboxes:read") });
  const names = new Map(data?.map(({ id, email }) => [id, email]));
  return { nameOf: (id: string) => names.get(id) ?? says.unknownMailbox };
}

interface EmailsProps {
  testId: string;
  isMoving: boolean;
  nameOf: (mailboxId: string) => string;
}

/** Where each email of a test landed. */
function Emails({ testId, isMoving, nameOf }: EmailsProps) {
  const settings = isMoving ? { every: EVERY_MS } : {};
  const { data, refusal, again } = useCall("get /deliverability/placement-tests/:testId", { testId }, settings);
  if (data === undefined)
    return refusal === null ? <Looking isLooking={true} /> : <RefusalAlert refusal={refusal} again={again} />;
  return (
    <Scrolling label={says.emails}>
      <table>
        <thead>
          <tr>
            <th scope="col">{says.sender}</th>
            <th scope="col">{says.to}</th>
            <th scope="col">{says.provider}</th>
            <th scope="col">{says.place}</th>
          </tr>
        </thead>
        <tbody>
          {data.results.map(({ mailboxId, testMailboxId, address, provider, folder, error }) => (
            <tr key={`${mailboxId} ${testMailboxId}`}>
              <td data-head={says.sender}>{nameOf(mailboxId)}</td>
              <td data-head={says.to}>{address}</td>
              <td data-head={says.provider}>{RECEIVER[provider]}</td>
              <td data-head={says.place}>
                {folder !== null ? PLACEMENT_FOLDER[folder] : error !== null ? faultInWords(error) : says.searching}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

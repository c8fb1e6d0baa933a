import type { AlertSeverity, AlertStatus } from "../../../domain/deliverability/alerts.ts";
import type { ItemOf } from "../../api/call.ts";
import { useCall, useWrite } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { FilterSelect } from "../../kit/field.tsx";
import { Empty } from "../../kit/page.tsx";
import { type Act, type Column, Table } from "../../kit/table.tsx";
import { To } from "../../kit/to.tsx";
import { say } from "../../kit/toast.tsx";
import { oneOf, PAGE_SIZE, type Raw, readPaged, useSort, useView } from "../../kit/view.ts";
import { When } from "../../kit/when.tsx";
import { isPlain } from "../../words/codes.ts";
import {
  ALERT,
  ALERT_STATUS,
  SEVERITY,
  SUBJECT,
  deliverabilityWords as says,
} from "../../words/en/mailboxes/deliverability.ts";
import { nouns } from "../../words/en/nouns.ts";
import { words } from "../../words/en.ts";

type Alert = ItemOf<"get /deliverability/alerts">;
const EVERY_MS = 30_000;
const ALERT_STATUSES = ["OPEN", "ACKNOWLEDGED", "RESOLVED"] as const satisfies readonly AlertStatus[];
const ALERT_SEVERITIES = ["CRITICAL", "WARNING", "INFO"] as const satisfies readonly AlertSeverity[];
const MARK: Record<Alert["severity"], string> = { INFO: "rests", WARNING: "waits", CRITICAL: "bad" };

function readView(raw: Raw) {
  return {
    ...readPaged(raw),
    status: oneOf(ALERT_STATUSES, raw["status"]),
    severity: oneOf(ALERT_SEVERITIES, raw["severity"]),
  };
}

/** The alerts about domains and mailboxes, the newest first. */
export function Alerts() {
  const may = useMay();
  const [{ page, status, severity }, change] = useView(readView);
  const order = useSort({ served: ["openedAt"], usual: "-openedAt" });
  const asked = { page, pageSize: PAGE_SIZE, sort: order.asked };
  const filter = { ...(status !== null && { status }), ...(severity !== null && { severity }) };
  const alerts = useCall("get /deliverability/alerts", { ...asked, ...filter }, { every: EVERY_MS });
  const mailboxes = useCall("get /mailboxes", { figures: "false" });
  const { run, refusal } = useWrite("post /deliverability/alerts/:alertId/acknowledge", {
    renews: ["get /deliverability/alerts"],
  });
  const acknowledge = async ({ id: alertId }: Alert) => {
    const answer = await run({ alertId });
    if (answer !== null) say(says.saidAcknowledged);
    return answer;
  };
  const actsOf = (alert: Alert): Act<Alert>[] =>
    alert.status === "OPEN" && may("mailboxes:write") ? [{ name: says.acknowledge, run: acknowledge, refusal }] : [];
  const emailOf = new Map(mailboxes.data?.map(({ id, email }) => [id, email]));
  const columns: Column<Alert>[] = [
    {
      head: says.alert,
      cell: ({ type, message }) => (
        <>
          <div>{ALERT[type]}</div>
          {isPlain(message) && <div className="fine">{message}</div>}
        </>
      ),
    },
    { head: says.about, cell: (alert) => <About alert={alert} email={emailOf.get(alert.subjectId)} /> },
    {
      head: says.severity,
      cell: ({ severity }) => <span className={`mark ${MARK[severity]}`}>{SEVERITY[severity]}</span>,
    },
    {
      head: words.status,
      cell: ({ status, resolvedAt }) => (
        <>
          {ALERT_STATUS[status]}{" "}
          {resolvedAt !== null && (
            <span className="fine">
              <When at={resolvedAt} />
            </span>
          )}
        </>
      ),
    },
    { head: says.opened, by: "openedAt", isDownFirst: true, cell: ({ openedAt }) => <When at={openedAt} /> },
  ];
  return (
    <>
      {mailboxes.refusal !== null && <RefusalAlert refusal={mailboxes.refusal} again={mailboxes.again} />}
      <div className="filters">
        <FilterSelect
          label={words.status}
          name="status"
          value={status}
          values={ALERT_STATUSES}
          texts={ALERT_STATUS}
          onPick={(value) => change({ status: value })}
        />
        <FilterSelect
          label={says.severity}
          name="severity"
          value={severity}
          values={ALERT_SEVERITIES}
          texts={SEVERITY}
          onPick={(value) => change({ severity: value })}
        />
      </div>
      <Table
        label={says.parts.alerts}
        nouns={nouns.alerts}
        rows={alerts}
        order={order}
        columns={columns}
        acts={actsOf}
        empty={<Empty text={says.noAlerts} />}
        onClear={status !== null || severity !== null ? () => change({ status: null, severity: null }) : undefined}
        onPage={(next) => change({ page: next })}
      />
    </>
  );
}

/** The domain or mailbox of an alert, with a link to where it is fixed. */
function About({ alert: { subjectType, subjectId }, email }: { alert: Alert; email: string | undefined }) {
  if (subjectType === "DOMAIN")
    return (
      <To page="/deliverability" view={{ domain: subjectId }}>
        {subjectId}
      </To>
    );
  if (subjectType === "MAILBOX" && email !== undefined)
    return (
      <To page="/mailboxes/$mailboxId" ids={{ mailboxId: subjectId }}>
        {email}
      </To>
    );
  if (subjectType === "APPROVAL") return <To page="/approvals">{SUBJECT.APPROVAL}</To>;
  return SUBJECT[subjectType];
}

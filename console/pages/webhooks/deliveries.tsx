import { DELIVERY_STATUSES } from "../../../domain/states.ts";
import { WEBHOOK_EVENTS } from "../../../domain/webhook.ts";
import { useCall, useWrite } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { FilterSelect, Select } from "../../kit/field.tsx";
import { Empty, Page } from "../../kit/page.tsx";
import { type Act, type Column, Table } from "../../kit/table.tsx";
import { To } from "../../kit/to.tsx";
import { say } from "../../kit/toast.tsx";
import { oneOf, PAGE_SIZE, type Raw, readPaged, useSort, useView } from "../../kit/view.ts";
import { When } from "../../kit/when.tsx";
import { nouns } from "../../words/en/nouns.ts";
import { DELIVERY_STATUS, EVENT, deliveryWords as says } from "../../words/en/webhooks.ts";
import { words } from "../../words/en.ts";
import { formatCount, formatInstant } from "../../words/format.ts";
import { DeliveryShown } from "./delivery.tsx";
import { type Delivery, RENEWS_DELIVERIES } from "./reads.ts";

const EVERY_MS = 5_000;
/** The most webhooks in the filter. */
const MOST = 200;
const DEAD = "DEAD_LETTERED";

function readView(raw: Raw) {
  return {
    ...readPaged(raw),
    status: oneOf(DELIVERY_STATUSES, raw["status"]),
    event: oneOf(WEBHOOK_EVENTS, raw["event"]),
    webhook: raw["webhook"] ?? "",
    open: raw["open"] ?? null,
  };
}

/** The deliveries and their attempts. A dead-lettered delivery can be sent again. */
export function Deliveries() {
  const [{ page, status, event, webhook, open }, change] = useView(readView);
  const order = useSort({ served: ["createdAt"] });
  const input = {
    page,
    pageSize: PAGE_SIZE,
    sort: order.asked,
    ...(status !== null && { status }),
    ...(event !== null && { event }),
    ...(webhook !== "" && { subscriptionId: webhook }),
  };
  const deliveries = useCall("get /webhooks/deliveries", input, { every: EVERY_MS });
  const subscriptions = useCall("get /webhooks", { pageSize: MOST });
  const requeue = useWrite("post /webhooks/deliveries/:deliveryId/requeue", { renews: RENEWS_DELIVERIES });
  const may = useMay();
  const addresses = new Map(subscriptions.data?.items.map(({ id, url }) => [id, url]));
  const addressOf = ({ subscriptionId }: Delivery) => addresses.get(subscriptionId) ?? says.gone;
  const isFiltered = status !== null || event !== null || webhook !== "";
  const again = async ({ id: deliveryId }: Delivery) => {
    const answer = await requeue.run({ deliveryId });
    if (answer !== null) say(says.saidRequeued);
    return answer;
  };
  const actsOf = (delivery: Delivery): Act<Delivery>[] => {
    // A delivery cannot be sent again to a deleted webhook
    if (delivery.status !== DEAD || !addresses.has(delivery.subscriptionId)) return [];
    const effect = <p>{says.requeueEffect(EVENT[delivery.event], addressOf(delivery))}</p>;
    return [{ name: says.requeue, effect, run: again, refusal: requeue.refusal }];
  };
  const columns: Column<Delivery>[] = [
    { head: says.event, by: "event", sortKey: ({ event }) => EVENT[event], cell: ({ event }) => EVENT[event] },
    { head: says.address, by: "url", sortKey: addressOf, cell: addressOf },
    { head: says.state, cell: (delivery) => <DeliveryState delivery={delivery} /> },
    {
      head: says.attempts,
      isNumber: true,
      by: "attempts",
      isDownFirst: true,
      sortKey: ({ totalAttempts }) => totalAttempts,
      cell: ({ totalAttempts }) => formatCount(totalAttempts),
    },
    { head: says.answer, cell: answerOf },
    { head: says.made, by: "createdAt", isDownFirst: true, cell: ({ createdAt }) => <When at={createdAt} /> },
    {
      head: says.details,
      cell: ({ id, event, createdAt }) => (
        <button
          type="button"
          aria-expanded={open === id}
          aria-label={(open === id ? says.close : says.open)(EVENT[event], formatInstant(createdAt))}
          onClick={() => change({ open: open === id ? null : id, page })}
        >
          {open === id ? says.hide : says.show}
        </button>
      ),
    },
  ];
  return (
    <Page
      title={says.title}
      actions={
        <To page="/webhooks" className="button">
          {says.back}
        </To>
      }
    >
      <fieldset className="chips">
        <legend className="hidden">{says.filterStatus}</legend>
        {[null, ...DELIVERY_STATUSES].map((value) => (
          <button
            key={value}
            type="button"
            aria-pressed={status === value}
            onClick={() => change({ status: value, open: null })}
          >
            {value === null ? words.all : DELIVERY_STATUS[value]}
          </button>
        ))}
      </fieldset>
      <div className="filters">
        <FilterSelect
          label={says.filterEvent}
          name="event"
          value={event}
          values={WEBHOOK_EVENTS}
          texts={EVENT}
          onPick={(value) => change({ event: value, open: null })}
        />
        <Select
          label={says.filterAddress}
          name="webhook"
          value={webhook}
          options={[{ value: "", text: words.all }, ...[...addresses].map(([value, text]) => ({ value, text }))]}
          onPick={(value) => change({ webhook: value, open: null })}
        />
      </div>
      <Table
        label={says.title}
        nouns={nouns.deliveries}
        rows={deliveries}
        order={order}
        columns={columns}
        empty={
          <Empty text={says.empty}>
            <To page="/webhooks" className="button">
              {says.back}
            </To>
          </Empty>
        }
        onClear={isFiltered ? () => change({ status: null, event: null, webhook: null }) : undefined}
        opened={{ id: open, show: ({ id }) => <DeliveryShown deliveryId={id} /> }}
        onPage={(next) => change({ page: next, open: null })}
        {...(may("webhooks:write") && { acts: actsOf })}
      />
    </Page>
  );
}

const MARK: Record<Delivery["status"], string> = {
  PENDING: "waits",
  RETRYING: "waits",
  DELIVERED: "good",
  DEAD_LETTERED: "bad",
};

function DeliveryState({ delivery: { status, nextAttemptAt } }: { delivery: Delivery }) {
  return (
    <>
      <span className={`mark ${MARK[status]}`}>{DELIVERY_STATUS[status]}</span>
      {status === "RETRYING" && nextAttemptAt !== null && (
        <span className="fine">
          {" "}
          {says.next} <When at={nextAttemptAt} />
        </span>
      )}
    </>
  );
}

function answerOf({ lastStatusCode, lastError }: Delivery): string {
  if (lastStatusCode !== null) return says.status(lastStatusCode);
  return lastError === null ? "–" : says.cause(lastError);
}

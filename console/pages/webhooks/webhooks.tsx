import { useState } from "react";
import { useCall } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { Empty, Page } from "../../kit/page.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { To } from "../../kit/to.tsx";
import { PAGE_SIZE, readPaged, useSort, useView } from "../../kit/view.ts";
import { When } from "../../kit/when.tsx";
import { nouns } from "../../words/en/nouns.ts";
import { DISABLED, EVENT, webhookWords as says } from "../../words/en/webhooks.ts";
import { words } from "../../words/en.ts";
import { wordFor } from "../../words/states.ts";
import { NewWebhook } from "./edit.tsx";
import type { Subscription } from "./reads.ts";
import { Check, type Secret, SecretShown } from "./secret.tsx";
import { SubscriptionActs } from "./subscription-acts.tsx";

const EVERY_MS = 15_000;

/** The webhooks, with the result of the last delivery to each, and a form to verify signatures. */
export function Webhooks() {
  const may = useMay();
  const [{ page }, change] = useView(readPaged);
  const order = useSort({ served: ["createdAt"] });
  const subscriptions = useCall("get /webhooks", { page, pageSize: PAGE_SIZE, sort: order.asked }, { every: EVERY_MS });
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<Secret | null>(null);
  const mayWrite = may("webhooks:write");
  const acting: Column<Subscription> = {
    head: words.actions,
    cell: (subscription) => <SubscriptionActs subscription={subscription} onSecret={setSecret} />,
  };
  const add = (
    <button type="button" className="primary" onClick={() => setAdding(true)}>
      {says.add}
    </button>
  );
  // An empty list contains the button, so it is not shown twice
  return (
    <Page
      title={says.title}
      actions={
        <>
          <To page="/webhooks/deliveries" className="button">
            {says.deliveries}
          </To>
          {mayWrite && subscriptions.data?.items.length !== 0 && add}
        </>
      }
    >
      <p>{says.lead}</p>
      <Table
        label={says.title}
        nouns={nouns.webhooks}
        rows={subscriptions}
        order={order}
        columns={mayWrite ? [...COLUMNS, acting] : COLUMNS}
        empty={<Empty text={says.empty}>{mayWrite && add}</Empty>}
        onPage={(next) => change({ page: next })}
      />
      <Check />
      {isAdding && (
        <NewWebhook
          onClose={() => setAdding(false)}
          onMade={(made) => {
            setAdding(false);
            setSecret(made);
          }}
        />
      )}
      {secret !== null && <SecretShown secret={secret} onClose={() => setSecret(null)} />}
    </Page>
  );
}

const COLUMNS: readonly Column<Subscription>[] = [
  { head: says.address, by: "url", sortKey: ({ url }) => url, cell: ({ url }) => url },
  {
    head: says.events,
    cell: ({ events }) => (events.length === 0 ? says.all : events.map((event) => EVENT[event]).join(", ")),
  },
  { head: says.state, cell: (subscription) => <SubscriptionState subscription={subscription} /> },
  { head: says.last, cell: (subscription) => <Last subscription={subscription} /> },
  { head: words.created, by: "createdAt", isDownFirst: true, cell: ({ createdAt }) => <When at={createdAt} /> },
];

function SubscriptionState({ subscription: { enabled, disabledReason } }: { subscription: Subscription }) {
  if (enabled) return <span className="mark good">{says.on}</span>;
  if (disabledReason === null) return <span className="mark rests">{says.off}</span>;
  return <span className="mark bad">{wordFor(DISABLED, disabledReason)}</span>;
}

function Last({ subscription: { id, lastDeliveryAt, lastDeliveryStatus } }: { subscription: Subscription }) {
  if (lastDeliveryAt === null || lastDeliveryStatus === null) return <span className="fine">{says.none}</span>;
  return (
    <>
      <span className={`mark ${lastDeliveryStatus === "DELIVERED" ? "good" : "bad"}`}>
        {wordFor(says.lastStates, lastDeliveryStatus)}
      </span>{" "}
      <To page="/webhooks/deliveries" view={{ webhook: id }}>
        <When at={lastDeliveryAt} />
      </To>
    </>
  );
}

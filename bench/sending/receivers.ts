import { startSubscriber } from "../../test/fakes/subscriber.ts";
import { answer } from "../system/processes.ts";

export interface ReceiverOrders {
  healthy: number;
  hanging: number;
}

/** Webhook receivers, each on its own port and as a host of its own. Some accept requests and never answer. */
const { healthy, hanging }: ReceiverOrders = JSON.parse(process.argv[2] ?? "{}");
const well = await Promise.all(Array.from({ length: healthy }, () => startSubscriber()));
const ill = await Promise.all(
  Array.from({ length: hanging }, () => startSubscriber({ answer: () => ({ hang: true }) })),
);
answer({
  urls: () => [...well, ...ill].map(({ url }) => url),
  counts: () => ({ healthy: sum(well), hanging: sum(ill) }),
  /** Milliseconds from each event to its arrival at a healthy receiver. */
  latencies: () =>
    well
      .flatMap(({ received }) => received.splice(0))
      .map(({ json, at }) => at.getTime() - Date.parse((json as { timestamp: string }).timestamp)), // the body of rules/webhooks 1.4
});

function sum(receivers: typeof well): number {
  return receivers.reduce((total, { received }) => total + received.length, 0);
}

import { Context, getClient } from "@temporalio/activity";
import type { Egress } from "../../connectors/net/egress.ts";
import type { KeyRing } from "../../domain/access/seal.ts";
import { FEED_TURN, type FeedIds, type FeedTurn, MAX_WINDOW } from "../../domain/webhook.ts";
import { startDelivery } from "../../temporal/starts.ts";
import { withHeartbeat } from "../beat.ts";
import { createFeedLine } from "./feed-line.ts";
import { createHostSlots } from "./host-slots.ts";
import { createLookOut } from "./look-out.ts";
import { pump } from "./pump.ts";

export interface FeedDependencies {
  egress: Egress;
  keyRing: KeyRing;
  /** The limits of a turn, which is one run of the activity; tests set others than production. */
  turn?: { ms: number; rows: number; lingerMs: number };
}

export interface FeedActivities {
  /**
   * Makes the first attempts of a subscription's deliveries, oldest first, until a limit of the turn is reached
   * (rules/webhooks 3.1).
   */
  postBatch(ids: FeedIds): Promise<FeedTurn>;
}

export function feedActivities({ egress, keyRing, turn = FEED_TURN }: FeedDependencies): FeedActivities {
  const hosts = createHostSlots(MAX_WINDOW);
  const lookOut = createLookOut();
  return {
    async postBatch(ids) {
      const signal = Context.current().cancellationSignal;
      const client = getClient();
      const line = createFeedLine(ids, {
        egress,
        keyRing,
        hosts,
        lookOut,
        signal,
        startRun: (delivery, event, delayMs) => startDelivery(client, delivery, event, delayMs),
      });
      return withHeartbeat(async () => {
        try {
          return await pump(line, { ...turn, signal }, await line.admission());
        } finally {
          await line.end();
        }
      });
    },
  };
}

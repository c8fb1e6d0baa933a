import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { MockActivityEnvironment } from "@temporalio/testing";
import { DefaultLogger } from "@temporalio/worker";
import fc from "fast-check";
import { deliveryActivities } from "../../activities/webhook-deliveries.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { seal } from "../../domain/access/seal.ts";
import { type DeliveryIds, retriesFrom } from "../../domain/webhook.ts";
import { newSigningSecret, secretPlace } from "../../domain/webhook-signature.ts";
import { scoped } from "../../models/scoped.ts";
import type { WebhookSubscription } from "../../models/webhook-subscription.ts";
import { newId } from "../../mongo/ids.ts";
import { fanOut } from "../../store/webhooks/fan-out.ts";
import { type FirstAttempt, findWaiting, recordFirstAttempts, takeWaiting } from "../../store/webhooks/feed.ts";
import { overdueDeliveries } from "../../store/webhooks/first-attempts.ts";
import { startWorld, type World } from "../support/world.ts";

const SILENT = new DefaultLogger("ERROR", () => {});
/**
 * `feed`: a turn that takes, posts, records and starts the run. The next three: one that dies after that. `late`: a
 * turn that was thought dead records after all. `look`: time passes and the reconciler looks. `try`, `die`: the run
 * makes an attempt, or dies in it. `exhaust`: it makes all that it has. `requeue`: of a dead letter.
 */
const STEPS = ["feed", "taken", "posted", "recorded", "late", "look", "try", "die", "exhaust", "requeue"] as const;

let world: World;
let egress: Egress;
/** The attempts that the receiver has seen since the delivery was made or requeued. */
let seen: number[] = [];
let dies = false;

beforeAll(async () => {
  world = await startWorld();
  const real = createEgress({ allow: [], ownAddresses: [] });
  egress = {
    ...real,
    async request(_url, { headers }) {
      seen.push(Number(headers?.["X-Service-Attempt"]));
      if (dies) throw new Error("the worker died");
      return { statusCode: 500, headers: {}, bodyExcerpt: Buffer.alloc(0), isBodyComplete: true };
    },
  };
});
afterAll(async () => {
  await egress.close();
  await world.close();
});

async function subscriptionOf(workspaceId: string): Promise<WebhookSubscription> {
  const _id = newId("whs");
  const sealedSecret = seal(world.services.keyRing, secretPlace(workspaceId, _id), newSigningSecret(randomBytes(32)));
  return scoped(workspaceId).WebhookSubscription.insert({ _id, url: "https://refuses.example.com/", sealedSecret });
}

test("whenever feeds and runs die, record late or are requeued, a receiver sees at most ten attempts per count and no attempt number twice", async () => {
  const { workspaceId, rest } = await world.workspace();
  const subscription = await subscriptionOf(workspaceId);
  const { WebhookDelivery } = scoped(workspaceId);
  const { postEvent, bury } = deliveryActivities({ egress, keyRing: world.services.keyRing });
  let deadLettered = 0;

  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...STEPS), { minLength: 10, maxLength: 30 }), async (steps) => {
      const payload = {
        event: "SENT",
        eventId: newId("evt"),
        at: "2026-03-01T09:00:00.000Z",
        data: { recipientId: "rcp_1" },
      };
      const [deliveryId = ""] = await fanOut(workspaceId, payload);
      const late: { token: string; attempt: FirstAttempt }[] = [];
      /** Temporal's part: an open run, and how often it has tried. */
      let run: { first: number; tries: number } | null = null;
      seen = [];
      let counted = 0;

      const start = (first: number) => {
        run ??= { first, tries: 0 };
      };
      const record = async ({ token, attempt }: (typeof late)[number], starts: boolean) => {
        const { failed } = await recordFirstAttempts(subscription, token, [attempt]);
        if (starts && failed.length > 0) start(2);
      };
      const feed = async (step: "feed" | "taken" | "posted" | "recorded") => {
        const token = newId("call");
        const [taken] = await takeWaiting(await findWaiting(workspaceId, subscription._id, 1), subscription._id, token);
        if (taken === undefined) return;
        const outcome = { statusCode: 500, cause: null, ms: 1, bodyExcerpt: "", location: null, ok: false };
        const attempt = { ...outcome, attempt: 1, startedAt: new Date(), deliveryId, event: "SENT" };
        if (step === "taken") return;
        seen.push(1);
        if (step === "posted") late.push({ token, attempt });
        else await record({ token, attempt }, step === "feed");
      };
      const attempt = async (isKilled: boolean) => {
        if (run === null) return;
        const { first, tries } = run;
        const ids: DeliveryIds = { v: 1, workspaceId, deliveryId, attempt: first };
        run.tries++;
        dies = isKilled;
        const environment = new MockActivityEnvironment({ attempt: tries + 1 }, { logger: SILENT });
        const failure = await environment.run(postEvent, ids).then(
          () => null,
          (error: unknown) => error,
        );
        const isFinal = failure instanceof Error && "nonRetryable" in failure && failure.nonRetryable === true;
        if (failure === null) run = null;
        else if (isFinal || tries + 1 >= retriesFrom(first).maximumAttempts) {
          await new MockActivityEnvironment().run(bury, ids);
          run = null;
        }
      };

      for (const step of steps) {
        if (step === "late") {
          const one = late.pop();
          if (one !== undefined) await record(one, true);
        } else if (step === "look") {
          const isDue = (await WebhookDelivery.get(deliveryId))?.nextAttemptAt != null;
          if (isDue) await WebhookDelivery.updateOne({ _id: deliveryId }, { $set: { nextAttemptAt: new Date(0) } });
          const due = (await overdueDeliveries(1_000)).find((one) => one.deliveryId === deliveryId);
          if (due !== undefined) start(due.attempt);
        } else if (step === "try" || step === "die") await attempt(step === "die");
        else if (step === "exhaust") for (let n = 0; n < 10; n++) await attempt(false);
        else if (step === "requeue") {
          if ((await WebhookDelivery.get(deliveryId))?.status !== "DEAD_LETTERED") continue;
          deadLettered++;
          expect((await rest.post(`/webhooks/deliveries/${deliveryId}/requeue`)).status).toBe(200);
          seen = [];
          counted = 0;
        } else await feed(step);
        expect(seen.length).toBeLessThanOrEqual(10);
        expect([...new Set(seen)]).toEqual(seen);
        expect(Math.max(1, ...seen)).toBeLessThanOrEqual(10);
        const attempts = (await WebhookDelivery.get(deliveryId))?.attempts ?? 0;
        expect(attempts).toBeGreaterThanOrEqual(counted);
        counted = attempts;
      }
      await WebhookDelivery.deleteOne({ _id: deliveryId });
    }),
    { numRuns: 15 },
  );
  expect(deadLettered).toBeGreaterThan(0);
});

import { randomBytes } from "node:crypto";
import { z } from "zod";
import { seal } from "../../domain/access/seal.ts";
import { AppError } from "../../domain/errors.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { newSigningSecret, secretPlace } from "../../domain/webhook-signature.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { operation } from "../operation.ts";
import { SubscriptionWithSecret, subscriptionOf, webhookId } from "./record.ts";

export const rotateSecret = operation({
  summary:
    "Give a subscription a new signing secret, returned only once, never in a replay. For overlapHours, deliveries are signed with both secrets",
  scope: "webhooks:write",
  errors: ["WEBHOOK_NOT_FOUND"],
  audits: "webhooks.rotateSecret",
  stepUp: true,
  showsOnce: ["signingSecret"],
  input: z.strictObject({
    webhookId,
    overlapHours: z
      .number()
      .min(0)
      .max(72)
      .default(24)
      .describe("Hours during which both secrets sign, 0 to 72. Default 24"),
  }),
  output: SubscriptionWithSecret,
  async run({ workspaceId, services }, { webhookId, overlapHours }) {
    const signingSecret = newSigningSecret(randomBytes(32));
    const fresh = seal(services.keyRing, secretPlace(workspaceId, webhookId), signingSecret);
    const rotationEndsAt = new Date(Date.now() + overlapHours * HOUR_MS);
    return inTransaction(async () => {
      const { sealedSecret, sealedNextSecret } = await subscriptionOf(workspaceId, webhookId);
      const change =
        overlapHours === 0
          ? { sealedSecret: fresh, sealedNextSecret: null, rotationEndsAt: null }
          : { sealedSecret: sealedNextSecret ?? sealedSecret, sealedNextSecret: fresh, rotationEndsAt }; // an earlier overlap ends
      const stored = await scoped(workspaceId).WebhookSubscription.findOneAndUpdate(
        { _id: webhookId },
        { $set: change },
      );
      if (stored === null) throw new AppError("WEBHOOK_NOT_FOUND", "No webhook subscription has this id");
      return { ...stored, signingSecret };
    });
  },
});

import { z } from "zod";
import { callGraph, type GraphAccess } from "./call.ts";
import { GraphTrouble } from "./trouble.ts";

const Subscription = z.object({ id: z.string().min(1), expirationDateTime: z.iso.datetime({ offset: true }) });

/**
 * Asks Graph to post every new email of the mailbox, in any folder, to a URL until an instant; Graph answers with the
 * instant at which it stops. It asks the URL first, and sends the secret, of at most 128 characters, with each notice.
 * @throws GraphTrouble
 */
export async function subscribe(
  access: GraphAccess,
  { postTo, secret, until }: { postTo: string; secret: string; until: Date },
): Promise<{ id: string; expiresAt: Date }> {
  const { id, expirationDateTime } = await callGraph(access, "/subscriptions", {
    method: "POST",
    body: {
      changeType: "created",
      notificationUrl: postTo,
      lifecycleNotificationUrl: postTo,
      resource: `${access.mailbox.slice(1)}/messages`,
      expirationDateTime: until.toISOString(),
      clientState: secret,
    },
    schema: Subscription,
  });
  return { id, expiresAt: new Date(expirationDateTime) };
}

/** Graph no longer has the subscription, does not accept the new end, or it belongs to another app. */
const NEEDS_NEW: ReadonlySet<string> = new Set(["gone", "invalid", "rights", "stale"]);

/**
 * Lets a subscription live longer, which also authorizes it anew. Returns when it ends, or null if a new one is needed.
 * @throws GraphTrouble
 */
export async function renewSubscription(access: GraphAccess, id: string, until: Date): Promise<Date | null> {
  const body = { expirationDateTime: until.toISOString() };
  const path = `/subscriptions/${encodeURIComponent(id)}`;
  try {
    const { expirationDateTime } = await callGraph(access, path, { method: "PATCH", body, schema: Subscription });
    return new Date(expirationDateTime);
  } catch (error) {
    if (error instanceof GraphTrouble && NEEDS_NEW.has(error.kind)) return null;
    throw error;
  }
}

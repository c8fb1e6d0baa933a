import { z } from "zod";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import type { BearerAccess } from "../bearer-call.ts";
import { callGmail } from "./call.ts";

const Watched = z.object({ expiration: z.string().regex(/^\d{1,15}$/) });
const Pulled = z.object({
  receivedMessages: z
    .array(z.object({ ackId: z.string(), message: z.object({ data: z.string().default("") }).default({ data: "" }) }))
    .default([]),
});
/** Gmail writes the history id as a number, which may not fit one of JavaScript, so it is not read. */
const Notice = z.object({ emailAddress: z.string() });

export const PUBSUB_SCOPE = "https://www.googleapis.com/auth/pubsub";
const PULL_MOST = 100;
/** Milliseconds: Pub/Sub answers a pull without messages after about a minute and a half. */
const PULL_MS = 2 * MINUTE_MS;

/**
 * Asks Gmail to publish every change of the mailbox to a topic. Gmail stops at the returned instant, after seven days.
 * @throws GmailTrouble
 */
export async function watchChanges(access: BearerAccess, topicName: string): Promise<Date> {
  const request = { method: "POST", body: { topicName } } as const;
  const { expiration } = await callGmail(access, "/gmail/v1/users/me/watch", { ...request, schema: Watched });
  return new Date(Number(expiration));
}

/**
 * Waits for notices at a subscription. Returns the addresses that they name, and the ids by which they are
 * acknowledged; a notice that is not acknowledged comes again.
 * @throws GmailTrouble
 */
export async function pullNotices(
  access: BearerAccess,
  subscription: string,
): Promise<{ addresses: string[]; ackIds: string[] }> {
  const { receivedMessages } = await callGmail(access, `/v1/${subscription}:pull`, {
    method: "POST",
    body: { maxMessages: PULL_MOST },
    timeoutMs: PULL_MS,
    schema: Pulled,
  });
  const addresses = receivedMessages.flatMap(({ message }) => addressIn(message.data));
  return { addresses: [...new Set(addresses)], ackIds: receivedMessages.map(({ ackId }) => ackId) };
}

/** @throws GmailTrouble */
export async function acknowledgeNotices(
  access: BearerAccess,
  subscription: string,
  ackIds: readonly string[],
): Promise<void> {
  const request = { method: "POST", body: { ackIds } } as const;
  await callGmail(access, `/v1/${subscription}:acknowledge`, { ...request, schema: z.object({}) });
}

/** Anyone who may publish to the topic can write anything into it. */
function addressIn(data: string): string[] {
  try {
    const read = Notice.safeParse(JSON.parse(Buffer.from(data, "base64").toString("utf8")));
    return read.success ? [read.data.emailAddress.toLowerCase()] : [];
  } catch {
    return [];
  }
}

import { z } from "zod";
import { PROMISE_KINDS, PROMISE_STATUSES } from "../../models/agent/reply-promise.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, optionalTime } from "../fields.ts";

const { threadId } = describedIds;

const MOST = 20;

/** A promise in the form that leads and threads show. */
export const OpenPromise = z
  .object({
    id: z.string().describe("The id of the promise, as `GET /promises` shows it"),
    kind: z.enum(PROMISE_KINDS).describe("TIME: contact the person again later; REFERRAL: contact someone else"),
    status: z
      .enum(PROMISE_STATUSES)
      .describe("PENDING: nothing has happened yet; DUE: its thread returned to the inbox"),
    sentence: z.string().describe("The sentence that makes the promise"),
    dueAt: optionalTime.describe("When it is due; null for a referral"),
    address: nullable(z.string()).describe("The address that a referral names"),
    threadId,
  })
  .meta({
    id: "OpenPromise",
    description: "An open promise: a person announced it by email, and no one has settled it",
  });

/** The promises that no one has settled, newest first: not cancelled, and not turned into a lead yet. */
export async function findOpenPromises(workspaceId: string, of: { leadId: string } | { threadId: string }) {
  const open = { ...of, status: trusted({ $in: ["PENDING", "DUE"] }) };
  const promises = await scoped(workspaceId).ReplyPromise.find(open, { sort: { _id: -1 }, limit: MOST });
  return promises.map(({ _id: id, ...promise }) => ({ id, ...promise }));
}

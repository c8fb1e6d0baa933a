import { z } from "zod";
import { DATA_REQUEST } from "../../domain/inbox/category.ts";
import { dataRequestIn, sourceAnswer } from "../../domain/inbox/data-request.ts";
import type { Message } from "../../models/inbox/message.ts";
import type { Thread } from "../../models/inbox/thread.ts";
import type { Lead } from "../../models/leads/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { loadWorkspace } from "../../store/campaigns/load.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, optionalTime } from "../fields.ts";
import { operation } from "../operation.ts";
import { loadThread } from "./find.ts";

const { leadId, messageId, threadId } = describedIds;

const DataRequest = z
  .object({
    messageId,
    receivedAt: optionalTime.describe("When the email arrived"),
    sentences: z.array(z.string()).describe("The sentences that ask about data; empty if a person set the category"),
    answeredAt: optionalTime.describe("When someone first replied in the thread afterwards; null before"),
    leadId: nullable(leadId).describe("The lead with the writer's address; null if there is none"),
    sourceAnswer: nullable(z.string()).describe(
      "A draft that says where the address came from, from `createdFrom` and `source` of the lead; null without a lead. Nothing is sent or saved",
    ),
  })
  .meta({ id: "DataRequest", description: "An email in which a person asks about the data stored about them" });

export const getDataRequest = operation({
  summary:
    "Read the newest request of a thread about personal data (category DATA_REQUEST, or suggested), with a draft of the answer to where the address came from. Needs leads:read too",
  scope: "inbox:read",
  alsoScopes: ["leads:read"],
  errors: ["THREAD_NOT_FOUND"],
  input: z.strictObject({ threadId }),
  output: z.object({ request: nullable(DataRequest).describe("The request; null if there is none") }),
  async run({ workspaceId }, { threadId }) {
    const thread = await loadThread(workspaceId, threadId);
    const message = await newestRequest(thread);
    if (message === null) return { request: null };
    const [answered, lead] = await Promise.all([answerAfter(message), leadOf(thread, message)]);
    const request = {
      messageId: message._id,
      receivedAt: message.receivedAt,
      sentences: dataRequestIn({ words: message.replyText ?? "", subject: message.subject }),
      answeredAt: answered?.receivedAt ?? null,
      leadId: lead?._id ?? null,
      sourceAnswer: lead === null ? null : await draftFor(thread, lead),
    };
    return { request };
  },
});

/** A category that a person set counts before a suggestion. */
function newestRequest({ workspaceId, _id: threadId }: Thread): Promise<Message | null> {
  const asks = { $or: [{ category: DATA_REQUEST }, { category: null, "suggestion.category": DATA_REQUEST }] };
  return scoped(workspaceId).Message.findOne(
    { threadId, direction: "INBOUND", ...asks },
    { sort: { receivedAt: -1, _id: -1 } },
  );
}

/** The first reply after the request. An email of a campaign is no answer. */
function answerAfter({ workspaceId, threadId, receivedAt }: Message): Promise<Message | null> {
  return scoped(workspaceId).Message.findOne(
    {
      threadId,
      direction: "OUTBOUND",
      kind: trusted({ $ne: "CAMPAIGN" }),
      receivedAt: trusted({ $gt: receivedAt ?? new Date(0) }),
    },
    { sort: { receivedAt: 1, _id: 1 } },
  );
}

/** The lead with the writer's address, or else the lead of the thread if the writer has replied for it before. */
async function leadOf({ workspaceId, leadId }: Thread, { from }: Message): Promise<Lead | null> {
  if (from === null) return null;
  const { Lead } = scoped(workspaceId);
  const writer = from.toLowerCase();
  const own = await Lead.findOne({ email: writer });
  if (own !== null || leadId === null) return own;
  const ofThread = await Lead.get(leadId);
  return ofThread?.secondaryEmails.includes(writer) === true ? ofThread : null;
}

async function draftFor({ workspaceId, mailboxId }: Thread, lead: Lead): Promise<string> {
  const [mailbox, { timezone }] = await Promise.all([
    scoped(workspaceId).Mailbox.get(mailboxId),
    loadWorkspace(workspaceId),
  ]);
  const { email, firstName, createdAt, source, createdFrom } = lead;
  return sourceAnswer(
    { email, firstName, createdAt, source, createdFrom: createdFrom ?? null }, // absent in leads of earlier versions
    mailbox?.name ?? null,
    timezone,
  );
}

import { randomUUID } from "node:crypto";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { readyCampaign, storedMailbox } from "../campaigns/campaign-parts.ts";
import type { World } from "../support/world.ts";

/** A workspace with something in each part of Home: a stuck campaign, a draft, a broken mailbox, an unread reply. */
export async function busyWorkspace(world: World) {
  const workspace = await world.workspace();
  const { workspaceId, rest } = workspace;
  const { campaignId, mailbox } = await readyCampaign(rest, workspaceId);
  const { body: draft } = await rest.post("/campaigns", { name: "Autumn" });
  const { Campaign, Mailbox, Thread, MailboxDay } = scoped(workspaceId);
  const asking = await workspace.withPolicy({ SENDS: "APPROVAL" }, "campaigns:launch");
  const asked = { toEmail: mailbox.email };
  const answer = await asking.post(`/campaigns/${campaignId}/test-send`, asked, { "Idempotency-Key": randomUUID() });
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  const launchedAt = new Date();
  await Campaign.updateOne({ _id: campaignId }, { $set: { status: "ACTIVE", launchedAt } });
  await Mailbox.updateOne({ _id: mailbox._id }, { $set: { status: "RECONNECT_REQUIRED" } });
  const sending = await storedMailbox(workspaceId, { dailySendLimit: 40 });
  const day = new Date().toISOString().slice(0, 10);
  await MailboxDay.insert({ _id: `${sending._id}:${day}`, mailboxId: sending._id, day, sent: 7 });
  const threadId = newId("thr");
  await Thread.insert({
    _id: threadId,
    mailboxId: mailbox._id,
    subject: "A question",
    participants: [{ name: "Ada", address: "ada@example.test" }],
    lastMessageAt: new Date(),
  });
  return { ...workspace, campaignId, draftId: draft.id as string, broken: mailbox, threadId };
}

import { randomUUID } from "node:crypto";
import { MailboxCursor } from "../../models/inbox/mailbox-cursor.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { makeCertificate } from "../../test/fakes/certificate.ts";
import { until } from "../../test/fakes/wait.ts";
import { type Rig, startRig } from "../rig.ts";
import { Part } from "../system/processes.ts";
import { ms, quantile, type Row } from "../table.ts";
import type { ImapFarOrders } from "./imap-far.ts";
import { listeningWorker, PASSWORD, storeInboxes } from "./listening.ts";

const MAILBOXES = 20;
const REPLIES = 200;
const SUBJECT = "A question about widgets";
const DEADLINE_MS = 60_000;

/**
 * Measures the time from the arrival of a reply at the mail server until the sequence of the person who replied is
 * stopped.
 */
export async function run(): Promise<Row> {
  const rig = await startRig();
  const certificate = await makeCertificate();
  const users = Array.from({ length: MAILBOXES }, () => `ann-${randomUUID()}@a.test`);
  const { workspaceId } = await rig.workspace();
  const people = Array.from({ length: REPLIES }, (_, n) => ({
    user: users[n % MAILBOXES] ?? "",
    from: `bob${n}@company${n}.test`,
    messageId: `<${randomUUID()}@a.test>`,
    subject: SUBJECT,
  }));
  const far = await Part.start(new URL("./imap-far.ts", import.meta.url), {
    certificate,
    password: PASSWORD,
    replies: people,
  } satisfies ImapFarOrders);
  let worker: Part | null = null;
  try {
    const recipients = await contacted(rig, workspaceId, users, people, await far.ask<number>("port"));
    worker = await listeningWorker(rig, certificate.cert);
    const isListening = async () =>
      (await MailboxCursor.countDocuments({}, { acrossWorkspaces: true })) === 4 * MAILBOXES;
    await until(isListening, { deadlineMs: DEADLINE_MS, what: "every mailbox to be listened to" });
    const waits: number[] = [];
    for (const recipientId of recipients) {
      const started = performance.now();
      await far.ask("next");
      const isStopped = async () => (await scoped(workspaceId).Recipient.get(recipientId))?.status === "REPLIED";
      await until(isStopped, { deadlineMs: DEADLINE_MS, what: "a stop" });
      waits.push(performance.now() - started);
    }
    const p95 = quantile(waits, 0.95);
    return {
      title: "Time from a reply's arrival until its sender is stopped",
      how: `${REPLIES} replies one after the other to ${MAILBOXES} mailboxes that are idled in, over TLS on the same machine; the recipient is asked for every 15 ms.`,
      measured: [
        { what: "p95", goal: "under 2 s", measured: ms(p95), met: p95 < 2_000 },
        {
          what: "median; longest",
          goal: "",
          measured: `${ms(quantile(waits, 0.5))}; ${ms(Math.max(...waits))}`,
          met: null,
        },
      ],
    };
  } finally {
    await worker?.stop();
    await far.stop();
    await rig.close();
  }
}

/**
 * Stores recipients who got the first email of a campaign, each from one of the mailboxes. `more` sets further fields
 * of each mailbox. Returns the recipients' ids.
 */
export async function contacted(
  { keyRing }: Rig,
  workspaceId: string,
  users: readonly string[],
  people: NonNullable<ImapFarOrders["replies"]>,
  port: number,
  more: Partial<Mailbox> = {},
): Promise<string[]> {
  const { Campaign, Lead, Recipient, Send, Sequence } = scoped(workspaceId);
  const mailboxes = await storeInboxes(workspaceId, keyRing, users, port, more);
  const [campaignId, sequenceId] = [newId("cmp"), newId("seq")];
  await Sequence.insert({ _id: sequenceId, campaignId, steps: [] });
  // The campaign is paused, so that the worker only reads email
  await Campaign.insert({
    _id: campaignId,
    name: "Bench",
    statusChangedAt: new Date(),
    sequenceId,
    settings: {},
    status: "PAUSED",
  });
  const ids: string[] = [];
  for (const { user, from, messageId, subject } of people) {
    const [recipientId, leadId] = [newId("rcp"), newId("led")];
    const mailboxId = mailboxes.find(({ email }) => email === user)?._id ?? "";
    const companyDomain = from.slice(from.indexOf("@") + 1);
    await Lead.insert({ _id: leadId, email: from, emailDomain: companyDomain, status: "CONTACTED" });
    const sent = {
      sentCount: 1,
      lastSentAt: new Date(),
      thread: { subject, ids: [messageId] },
      cid: randomUUID(),
      shard: 0,
    };
    const at = { status: "IN_PROGRESS", currentStepId: "stp_0", nextStepId: null, nextSendAt: null } as const;
    await Recipient.insert({
      _id: recipientId,
      campaignId,
      leadId,
      email: from,
      companyDomain,
      mailboxId,
      ...at,
      ...sent,
    });
    const mail = { to: from, messageId, messageIds: [messageId], subject, sentAt: new Date() };
    await Send.insert({
      _id: newId("snd"),
      campaignId,
      recipientId,
      leadId,
      mailboxId,
      stepId: "stp_0",
      state: "SENT",
      ...mail,
    });
    ids.push(recipientId);
  }
  return ids;
}

import { expect } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { Send } from "../../models/sending/send.ts";
import type { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { trusted } from "../../mongo/collection.ts";
import { allMails, type Warming, type WarmupWorld } from "./warmup-world.ts";

/** The result of a mailbox's warmup, by what the world's servers hold. */
interface Seen {
  sent: number;
  replied: number;
  engaged: number;
  inSpam: number;
  rescued: number;
  received: number;
}

/** One line for each warmup email that a server took: whose it is, and to whom. */
export async function ledgerOf({ sandbox }: WarmupWorld): Promise<string[]> {
  const idOf = new Map(
    (await warmupSends()).flatMap(({ messageIds, sendKey }) => messageIds.map((id) => [id, sendKey] as const)),
  );
  return sandbox.ledger.flatMap(({ messageId, from, to }) => {
    const key = idOf.get(messageId);
    return key === undefined ? [] : [`${key} ${from} > ${to.join()}`];
  });
}

/**
 * Expects the servers' ledger, the rows of the warmup, its answers and the folders to agree (Warmup is the folder of
 * all). Up to `mostUnknown` emails may have no known outcome ever: their sender was killed while it sent them, and no
 * server took them.
 */
export async function expectAgreement(here: WarmupWorld, mostUnknown = 0): Promise<void> {
  const mails = await allMails();
  const sent = mails.filter(({ state }) => state === "SENT");
  const lines = await ledgerOf(here);
  expect(lines.toSorted()).toEqual(
    sent.map((mail) => `warmup:${mail._id} ${mail.fromAddress} > ${mail.toAddress}`).toSorted(),
  );
  expect(mails.filter(({ state }) => state === "FAILED")).toEqual([]);
  expect(mails.filter(({ state }) => state === "UNKNOWN").length).toBeLessThanOrEqual(mostUnknown);
  for (const mailbox of here.mailboxes.values()) {
    const told = await toldOf(mailbox);
    expect({ of: mailbox.email, ...told }).toEqual({ of: mailbox.email, ...seenOf(mailbox.email, sent) });
    const imap = here.sandbox.imapOf(mailbox.email);
    expect([mailbox.email, idsIn(imap.folder("Warmup"))]).toEqual([mailbox.email, await idsTo(mailbox.email, sent)]);
    expect([mailbox.email, imap.folder("Warmup").filter(({ flags }) => !flags.includes("\\Seen"))]).toEqual([
      mailbox.email,
      [],
    ]);
  }
}

/** By the rows, which agree with the servers' ledger and the folders. */
function seenOf(email: string, sent: readonly WarmupMail[]): Seen {
  const own = sent.filter(({ fromAddress }) => fromAddress === email);
  const answered = new Set(sent.map(({ answers }) => answers));
  return {
    sent: own.length,
    replied: own.filter(({ _id }) => answered.has(_id)).length,
    engaged: own.filter(({ engaged }) => engaged.readAt !== null).length,
    inSpam: own.filter(({ landed }) => landed?.folder === "SPAM").length,
    rescued: own.filter(({ engaged }) => engaged.rescuedAt !== null).length,
    received: sent.filter(({ toAddress }) => toAddress === email).length,
  };
}

/** By the heatmap and the record. Two days, since midnight may pass. */
async function toldOf({ rest, mailboxId }: Warming): Promise<Seen> {
  const { body: heatmap } = await rest.get(`/warmup/enrolments/${mailboxId}/heatmap?days=2`);
  const { body: enrolment } = await rest.get(`/warmup/enrolments/${mailboxId}`);
  const days: Record<string, number>[] = heatmap.days ?? heatmap;
  const sum = (name: string) => days.reduce((total, day) => total + (day[name] ?? 0), 0);
  return {
    sent: sum("sent"),
    replied: sum("replied"),
    engaged: sum("engaged"),
    inSpam: sum("inSpam"),
    rescued: sum("rescued"),
    received: enrolment.last7Days.received,
  };
}

function idsIn(mails: readonly { raw: Buffer }[]): string[] {
  return mails.map(({ raw }) => /^message-id:\s*(<.*>)/im.exec(raw.toString("latin1"))?.[1] ?? "").toSorted();
}

async function idsTo(email: string, sent: readonly WarmupMail[]): Promise<string[]> {
  const sendIds = sent.filter(({ toAddress }) => toAddress === email).map(({ sendId }) => sendId);
  const sends = (await warmupSends()).filter(({ _id }) => sendIds.includes(_id));
  return sends.flatMap(({ messageIds }) => messageIds).toSorted();
}

function warmupSends(): Promise<Pick<Send, "_id" | "messageIds" | "sendKey">[]> {
  return Send.find(
    { kind: trusted({ $eq: "WARMUP" as const }) },
    { messageIds: 1, sendKey: 1 },
    { acrossWorkspaces: true },
  )
    .lean<Pick<Send, "_id" | "messageIds" | "sendKey">[]>()
    .exec();
}

/**
 * Expects that no one meets warmup mail anywhere else: not among threads, messages and leads (`leads` of others), and
 * not in an event.
 */
export async function expectUnseen({ rest, email, workspaceId }: Warming, leads = 0): Promise<void> {
  const { ActivityEvent, Message } = scoped(workspaceId);
  const partners = trusted({ $in: [...new Set((await allMails()).map(({ fromAddress }) => fromAddress))] });
  const [threads, known] = [(await rest.get("/inbox/threads")).body.total, (await rest.get("/leads")).body.total];
  const read = await Message.count({ kind: trusted({ $ne: "WARMUP" }), from: partners });
  const told = await ActivityEvent.count({ leadId: null, campaignId: null });
  expect([email, threads, known, read, told]).toEqual([email, 0, leads, 0, 0]);
}

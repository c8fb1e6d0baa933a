import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { Send } from "../../models/sending/send.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { trusted } from "../../mongo/collection.ts";
import { headerOf } from "../fakes/sent-mail.ts";
import { until } from "../fakes/wait.ts";
import { expectUnseen } from "../warmup/agreement.ts";
import { allMails, press, untilQuiet, type Warming, type WarmupWorld } from "../warmup/warmup-world.ts";
import { type ApiPeers, PEERS, type PeerTransport, startApiPeers } from "./api-peers.ts";
import { APIS } from "./api-world.ts";

const TRANSPORTS = Object.keys(PEERS) as PeerTransport[]; // the keys of the table above
const SENT = ["SENT", "BOUNCED"];

let here: ApiPeers;
let warming: Pick<WarmupWorld, "mailboxes" | "sandbox">;
beforeAll(async () => {
  here = await startApiPeers();
  const mailboxes = new Map<string, Warming>();
  for (const transport of TRANSPORTS) {
    const { workspaceId, rest } = await here.world.workspace();
    const mailboxId = await here.join(workspaceId, transport);
    mailboxes.set(PEERS[transport], { workspaceId, rest, mailboxId, email: PEERS[transport] });
  }
  warming = { mailboxes, sandbox: here.sandbox };
}, 120_000);
afterAll(() => here.close());

test("mailboxes at Gmail's API, at Graph and at IMAP warm each other up: each email leaves once, is rescued from spam, read, flagged, answered and filed, and appears in no inbox", async () => {
  const counts = new Map<string, number>();
  // Each mailbox finds its emails in spam, in the inbox and in a tab, by turns
  here.filing = (to) => {
    const count = counts.get(to) ?? 0;
    counts.set(to, count + 1);
    return (["SPAM", "INBOX", "TAB"] as const)[count % 3] ?? "INBOX";
  };
  for (const { rest, mailboxId } of warming.mailboxes.values()) {
    const config = { start: 12, replyRate: 0.6, importantRate: 1 };
    const { status } = await rest.post("/warmup/manage", { action: "start", mailboxId, config });
    expect(status).toBe(200);
  }
  const openersOf = (mails: WarmupMail[]) => new Set(mails.map(({ fromAddress }) => fromAddress));
  await until(async () => openersOf(await allMails()).size === TRANSPORTS.length, {
    deadlineMs: 60_000,
    what: "the plan of the day",
  });
  await press(warming.mailboxes.values(), 1_000);
  // On a machine that stalls, an email is put off by ten minutes because its request could not begin in time
  const soon = setInterval(() => void pressDelayed(), 3_000);
  await untilQuiet(warming, 120_000).finally(() => clearInterval(soon));
  const mails = (await allMails()).filter(({ state }) => state === "SENT");
  for (const transport of TRANSPORTS) {
    const [own, got] = [
      mails.filter(({ fromAddress }) => fromAddress === PEERS[transport]),
      mails.filter(({ toAddress }) => toAddress === PEERS[transport]),
    ];
    expect([transport, own.length > 0, own.some(({ kind }) => kind === "REPLY")]).toEqual([transport, true, true]);
    expect(new Set(got.map(({ landed }) => landed?.folder))).toEqual(new Set(["SPAM", "INBOX", "OTHER"]));
  }
  for (const { landed, engaged, toAddress } of mails) {
    const isSpam = landed?.folder === "SPAM";
    expect([toAddress, engaged.rescuedAt !== null, engaged.readAt !== null, engaged.importantAt !== null]).toEqual([
      toAddress,
      isSpam,
      true,
      true,
    ]);
  }
  for (const mailbox of warming.mailboxes.values()) await expectUnseen(mailbox);
}, 240_000);

test("what left over the APIs is what the ledger has, once", async () => {
  const sends = await warmupSends();
  const left = [...here.gmail.sent, ...here.graph.sent, ...here.sandbox.ledger];
  const ids = sends.filter(({ state }) => SENT.includes(state)).map(({ messageIds }) => messageIds);
  expect(left.map(({ messageId }) => ids.filter((one) => one.includes(messageId)).length)).toEqual(left.map(() => 1));
  expect(left).toHaveLength(ids.length);
  // No draft is left over
  expect(here.gmail.mailbox(PEERS.GMAIL_API).drafts.size).toBe(0);
});

test("at Gmail warmup emails are read, starred and out of the inbox and spam, with the label Warmup; copies in Sent too", () => {
  const mailbox = here.gmail.mailbox(PEERS.GMAIL_API);
  const [label] = [...mailbox.labels].find(([, name]) => name === "Warmup") ?? [];
  const all = [...mailbox.messages.values()];
  const got = all.filter(({ labelIds }) => !labelIds.includes("SENT"));
  expect(got.length).toBeGreaterThan(0);
  for (const { labelIds } of all) expect(labelIds).toContain(label);
  for (const { labelIds } of got) {
    expect(labelIds).toContain("STARRED");
    for (const gone of ["UNREAD", "SPAM", "INBOX"]) expect(labelIds).not.toContain(gone);
  }
  expect(got.some(({ labelIds }) => labelIds.includes("IMPORTANT"))).toBe(true);
});

test("at Graph warmup emails are read, flagged and in the folder Warmup, and so are the copies in Sent Items", () => {
  const mailbox = here.graph.mailbox(PEERS.GRAPH);
  const { id } = mailbox.folders.find(({ displayName }) => displayName === "Warmup") ?? {};
  const all = [...mailbox.items.values()];
  const got = all.filter(({ isReceived }) => isReceived);
  expect(got.length).toBeGreaterThan(0);
  expect(new Set(all.map(({ folderId }) => folderId))).toEqual(new Set([id]));
  expect(got.map(({ isRead, flagStatus }) => `${isRead} ${flagStatus}`)).toEqual(got.map(() => "true flagged"));
});

test.each(APIS)("an answer over %s refers to the Message-ID under which its email arrived", async (api) => {
  const mails = await allMails();
  const sends = new Map((await warmupSends()).map((send) => [send._id, send]));
  const sent = api === "GMAIL_API" ? here.gmail.sent : here.graph.sent;
  const answers = mails.filter(
    ({ state, fromAddress, answers }) => state === "SENT" && answers !== null && fromAddress === PEERS[api],
  );
  expect(answers.length).toBeGreaterThan(0);
  for (const { answers: answered, sendId } of answers) {
    const raw = sent.find(({ messageId }) => sends.get(sendId)?.messageIds.includes(messageId))?.raw;
    const opening = sends.get(mails.find(({ _id }) => _id === answered)?.sendId ?? "");
    const arrived = [...here.gmail.sent, ...here.graph.sent, ...here.sandbox.ledger].find(({ messageId }) =>
      opening?.messageIds.includes(messageId),
    );
    expect(headerOf(raw ?? Buffer.alloc(0), "In-Reply-To")).toBe(arrived?.messageId);
  }
});

async function pressDelayed(): Promise<void> {
  const [least, most] = [new Date(Date.now() + MINUTE_MS), new Date(Date.now() + 20 * MINUTE_MS)];
  const delayed = { state: "PLANNED", dueAt: trusted({ $gt: least, $lt: most }) } as const;
  if ((await WarmupMail.countDocuments(delayed)) > 0) await press(warming.mailboxes.values(), 1_000);
}

function warmupSends(): Promise<Pick<Send, "_id" | "messageIds" | "state">[]> {
  return Send.find({ kind: trusted({ $eq: "WARMUP" as const }) }, null, { acrossWorkspaces: true })
    .lean<Pick<Send, "_id" | "messageIds" | "state">[]>()
    .exec();
}

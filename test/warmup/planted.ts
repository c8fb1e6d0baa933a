import { randomUUID } from "node:crypto";
import { UNKNOWN_SENDER } from "../../connectors/mime/authentication.ts";
import { parseMail } from "../../connectors/mime/parse.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import type { WarmupWaits } from "../../domain/warmup/engagement.ts";
import { DEFAULT_CONFIG, type WarmupConfig } from "../../domain/warmup/enrolment.ts";
import type { Message } from "../../models/inbox/message.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { newId } from "../../mongo/ids.ts";
import type { Arrival } from "../../store/inbox/arrival.ts";
import { ingest } from "../../store/inbox/ingest.ts";
import { heedWarmup } from "../../store/warmup/arrival.ts";
import { openingId, sendKeyOf } from "../../store/warmup/mails.ts";
import type { World } from "../support/world.ts";
import { HASTY } from "./warmup-world.ts";

/** An enrolled mailbox in a new workspace, with no server behind it. */
export async function enrolled(world: World, email: string, config: Partial<WarmupConfig> = {}): Promise<Mailbox> {
  const { workspaceId } = await world.workspace();
  return enrolledIn(workspaceId, email, config);
}

export async function enrolledIn(
  workspaceId: string,
  email: string,
  config: Partial<WarmupConfig> = {},
): Promise<Mailbox> {
  const { Mailbox, WarmupEnrolment } = scoped(workspaceId);
  const _id = newId("mbx");
  const server = { host: "mail.a.test", port: 465, security: "SSL_TLS" as const };
  const workday = { timezone: "UTC", days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "24:00" };
  const login = { username: email, sealedPassword: { v: 1 } } as object;
  const mailbox = await Mailbox.insert({
    _id,
    email,
    smtp: server,
    imap: server,
    workday,
    minGapSeconds: 0,
    maxGapSeconds: 0,
    ...login,
  });
  const pools = [{ type: "SHARED", share: 1 }];
  await WarmupEnrolment.insert({
    _id,
    email,
    config: { ...DEFAULT_CONFIG, ...config },
    pools,
    dailyLimit: 10,
    startedAt: new Date(),
  });
  return mailbox;
}

export interface Planted {
  mail: WarmupMail;
  send: Send;
  messageId: string;
  subject: string;
}

let number = 0;

/** An opening between two mailboxes that the ledger has as SENT, or in another state. */
export async function plant(from: Mailbox, to: Mailbox, more: Partial<Send> = {}): Promise<Planted> {
  const day = utcDay(Date.now());
  const _id = openingId(day, from._id, 1_000 + number++);
  const [sendId, messageId, subject] = [
    newId("snd"),
    `<${randomUUID()}@${from.email.split("@")[1]}>`,
    `About the ${number}th call`,
  ];
  const ends = {
    fromWorkspaceId: from.workspaceId,
    fromMailboxId: from._id,
    fromAddress: from.email,
    toWorkspaceId: to.workspaceId,
    toMailboxId: to._id,
    toAddress: to.email,
  };
  const [mail] = await WarmupMail.insertMany([
    { _id, day, ...ends, kind: "OPENING", opening: _id, dueAt: new Date(), sendId },
  ]);
  const facts = {
    slotAt: new Date(),
    day,
    messageId,
    messageIds: [messageId],
    subject,
    claimedAt: new Date(),
    sentAt: new Date(),
  };
  const row = {
    _id: sendId,
    kind: "WARMUP",
    sendKey: sendKeyOf(_id),
    mailboxId: from._id,
    to: to.email,
    state: "SENT",
    ...facts,
  } as const;
  const send = await scoped(from.workspaceId).Send.store({ ...row, ...more });
  if (mail === undefined) throw new Error("No mail was planted");
  return { mail: mail.toObject() as unknown as WarmupMail, send, messageId, subject }; // as it was stored
}

export async function mailNow(mailId: string): Promise<WarmupMail> {
  const mail = await WarmupMail.findById(mailId).lean<WarmupMail>();
  if (mail === null) throw new Error(`No warmup mail ${mailId}`);
  return mail;
}

let uid = 0;

/** Reads an email in a mailbox as its sync does, with a warmup, and returns the row that was stored. */
export async function arrives(
  world: World,
  mailbox: Mailbox,
  raw: string,
  more: Partial<Arrival> = {},
  waits: WarmupWaits = HASTY,
): Promise<Message> {
  const { message, to, cc } = parseMail(Buffer.from(raw.replaceAll("\n", "\r\n")));
  const place = { folder: "INBOX", uidValidity: "1", uid: ++uid, contentKey: randomUUID(), receivedAt: new Date() };
  const people = { to, cc, attachments: [], unreadable: null, providerThreadId: null };
  const arrival: Arrival = {
    ...place,
    message,
    ...people,
    mailbox,
    ...UNKNOWN_SENDER,
    folderUse: "INBOX",
    isSentFolder: false,
    ...more,
  };
  await ingest(arrival, world.services.signing, (one) => heedWarmup(one, waits));
  const stored = await scoped(mailbox.workspaceId).Message.findOne({
    mailboxId: mailbox._id,
    contentKey: arrival.contentKey,
  });
  if (stored === null) throw new Error("The mail was not stored");
  return stored;
}

/** An email as its receiver gets it. */
export function rawMail(headers: Record<string, string>, text = "Hello, just a short question."): string {
  const all = { Date: new Date().toUTCString(), "Content-Type": "text/plain; charset=utf-8", ...headers };
  return `${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join("")}\n${text}\n`;
}

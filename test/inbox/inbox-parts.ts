import { randomUUID } from "node:crypto";
import { UNKNOWN_SENDER } from "../../connectors/mime/authentication.ts";
import type { Inbound } from "../../domain/mail/inbound.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import type { Message } from "../../models/inbox/message.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { newId } from "../../mongo/ids.ts";
import type { Arrival, HeedReply } from "../../store/inbox/arrival.ts";
import { ingest } from "../../store/inbox/ingest.ts";
import type { Rest } from "../support/rest.ts";
import { STEPS } from "../support/steps.ts";
import type { World } from "../support/world.ts";

/** One workspace with a mailbox, into which mail arrives as if the sync had read it. */
export interface Inbox {
  workspaceId: string;
  rest: Rest;
  mailbox: Mailbox;
  /** A person who has had the first email of a new campaign. */
  contacted(
    email: string,
    more?: { settings?: Record<string, unknown>; recipient?: Partial<Recipient> },
  ): Promise<Person>;
  /** Lets an email arrive and returns its row. */
  arrive(mail: Partial<Mail>, how?: Partial<Omit<Arrival, "message" | "mailbox">>): Promise<Message>;
}

export interface Person {
  recipient: Recipient;
  send: Send;
}

interface Mail extends Omit<Inbound, "from"> {
  from: string;
}

export const HELLO = "A question about widgets";

/** `own`: an existing workspace, with its mailbox. */
export async function startInbox(
  world: World,
  { own, heedReply }: { own?: Pick<Inbox, "workspaceId" | "rest" | "mailbox">; heedReply?: HeedReply } = {},
): Promise<Inbox> {
  const { workspaceId, rest } = own ?? (await world.workspace());
  const mailbox = own?.mailbox ?? (await newMailbox(workspaceId, `ann-${randomUUID().slice(0, 8)}@a.test`));
  let uid = 0;
  return {
    workspaceId,
    rest,
    mailbox,
    contacted: (email, more) => contacted(mailbox, email, more),
    async arrive(mail, how = {}) {
      const { Message } = scoped(workspaceId);
      const message = inboundOf(mail, mailbox);
      uid += 1;
      const place = { folder: "INBOX", uidValidity: "1", uid };
      const named = (addresses: string[]) => addresses.map((address) => ({ name: "", address }));
      const people = { to: named(message.to), cc: named(message.cc) };
      const came = {
        ...place,
        contentKey: randomUUID(),
        receivedAt: new Date(),
        message,
        ...people,
        attachments: [],
        unreadable: null,
      };
      const arrival: Arrival = {
        ...came,
        mailbox,
        providerThreadId: null,
        ...UNKNOWN_SENDER,
        folderUse: "INBOX",
        isSentFolder: false,
        ...how,
      };
      await ingest(arrival, world.services.signing, undefined, heedReply);
      const [stored] = await Message.find({ contentKey: arrival.contentKey });
      if (stored === undefined) throw new Error("The mail was not stored");
      return stored;
    },
  };
}

export function newMailbox(workspaceId: string, email: string): Promise<Mailbox> {
  const server = { host: "localhost", port: 993, security: "SSL_TLS" as const };
  return scoped(workspaceId).Mailbox.insert({
    _id: newId("mbx"),
    email,
    name: "Ann",
    username: email,
    smtp: server,
    imap: server,
  });
}

/** A reply of this person to the mail it had. */
export function answerOf({ recipient, send }: Person, text: string): Partial<Mail> {
  return {
    from: recipient.email,
    subject: `Re: ${HELLO}`,
    inReplyTo: send.messageId,
    references: send.messageIds,
    text,
    replyText: text,
  };
}

function inboundOf({ from = "someone@else.test", ...mail }: Partial<Mail>, mailbox: Mailbox): Inbound {
  return {
    messageId: `<${randomUUID()}@else.test>`,
    inReplyTo: null,
    references: [],
    replyTo: null,
    to: [mailbox.email],
    cc: [],
    deliveredTo: [],
    subject: "Hello",
    date: Date.now(),
    returnPath: from,
    headers: new Map(),
    trace: [],
    contentType: "text/plain",
    reportType: null,
    text: "Hello there",
    textParts: [],
    html: null,
    hiddenCharacters: 0,
    replyText: mail.text ?? "Hello there",
    deliveryStatus: null,
    feedbackReport: null,
    returned: null,
    attachments: [],
    ...mail,
    from: { name: "", address: from },
  };
}

async function contacted(
  mailbox: Mailbox,
  email: string,
  {
    settings = {},
    recipient: fields = {},
  }: { settings?: Record<string, unknown>; recipient?: Partial<Recipient> } = {},
): Promise<Person> {
  const { Campaign, Lead, Recipient, Send, Sequence } = scoped(mailbox.workspaceId);
  const [campaignId, sequenceId] = [newId("cmp"), newId("seq")];
  await Campaign.insert({
    _id: campaignId,
    name: "c",
    statusChangedAt: new Date(),
    sequenceId,
    settings,
    status: "ACTIVE",
  });
  await Sequence.insert({ _id: sequenceId, campaignId, steps: STEPS });
  const emailDomain = email.slice(email.indexOf("@") + 1);
  const lead =
    (await Lead.findOne({ email })) ??
    (await Lead.insert({ _id: newId("led"), email, emailDomain, status: "CONTACTED" }));
  const messageId = `<${randomUUID()}@a.test>`;
  const sentAt = new Date(Date.now() - HOUR_MS);
  const recipient = await Recipient.insert({
    _id: newId("rcp"),
    campaignId,
    leadId: lead._id,
    email,
    companyDomain: emailDomain,
    status: "IN_PROGRESS",
    currentStepId: "stp_one",
    nextStepId: "stp_two",
    nextSendAt: new Date(Date.now() + 3 * DAY_MS),
    mailboxId: mailbox._id,
    cid: randomUUID(),
    shard: 0,
    sentCount: 1,
    lastSentAt: sentAt,
    thread: { subject: HELLO, ids: [messageId] },
    ...fields,
  });
  const send = await Send.insert({
    _id: newId("snd"),
    campaignId,
    recipientId: recipient._id,
    leadId: lead._id,
    mailboxId: mailbox._id,
    stepId: "stp_one",
    to: email,
    state: "SENT",
    messageId,
    messageIds: [messageId],
    subject: HELLO,
    content: { text: "Do you use widgets?", html: null },
    sentAt,
    claimedAt: sentAt,
  });
  return { recipient, send };
}

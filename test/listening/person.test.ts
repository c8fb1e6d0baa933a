import { expect, test } from "@jest/globals";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { Message } from "../../models/inbox/message.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import {
  contacted,
  events,
  leadNow,
  listening,
  mailbox,
  newCampaign,
  type Person,
  recipientNow,
  workspaceId,
} from "./listening.ts";
import { mail, take } from "./reading.ts";

listening();

const OURS = "We make widgets that never rust, and we would like to show you one of them.";
const QUOTE = `\n\n> Hi,\n> ${OURS}\n> Ann`;
const ALIAS = { "In-Reply-To": null, References: null };
const long = (days: number) => new Date(Date.now() - days * DAY_MS);

/** The address we wrote to, and the address the person writes from; `alias` is known as theirs. */
const PEOPLE: readonly (readonly [string, { to: string; from: string; alias?: string }])[] = [
  ["the same address", { to: "pat@b.test", from: "pat@b.test" }],
  ["the address with a name and capitals", { to: "pat@b.test", from: '"Person, Pat" <Pat@B.test>' }],
  ["the plus form of it", { to: "pat@b.test", from: "pat+work@b.test" }],
  ["the address of which we wrote to the plus form", { to: "pat+list@b.test", from: "pat@b.test" }],
  ["another plus form", { to: "pat+list@b.test", from: "pat+work@b.test" }],
  ["an alias that was learnt before", { to: "pat@b.test", from: "pat@private.test", alias: "pat@private.test" }],
  ["the plus form of that alias", { to: "pat@b.test", from: "pat+x@private.test", alias: "pat@private.test" }],
];
const MAILS: readonly (readonly [string, Record<string, string | null>, string])[] = [
  ["nothing of ours", { Subject: "Your offer" }, "What does it cost for ten people?"],
  ["no subject", { Subject: "" }, "Call me please."],
  ["our text quoted", { Subject: "Meeting" }, `Tuesday?${QUOTE}`],
  ["ids of somebody else's conversation", { Subject: "Fwd: plans", "In-Reply-To": "<1@elsewhere.test>" }, "See below."],
  ["a subject of ours from another thread", { Subject: "Re: Something we never wrote" }, "Yes."],
];

interface Case {
  name: string;
  person: { to: string; from: string; alias?: string };
  headers: Record<string, string | null>;
  text: string;
  send?: Partial<Send>;
  recipient?: Partial<Recipient>;
  /** Whether the email ends the sequence, and what shows whose it is. */
  stops: boolean;
  matchedBy?: "SENDER" | "QUOTE";
  kind?: Message["kind"];
  authentication?: "FAIL";
}

const same = { to: "pat@b.test", from: "pat@b.test" };
const anew = { headers: { Subject: "Your offer" }, text: "What does it cost?" };
const CASES: Case[] = [
  ...PEOPLE.flatMap(([who, person]) =>
    MAILS.map(
      ([what, headers, text]): Case => ({
        name: `${who}, ${what}`,
        person,
        headers,
        text,
        stops: true,
        matchedBy: text.includes(OURS) ? "QUOTE" : "SENDER",
      }),
    ),
  ),
  {
    name: "an open sequence whose last mail is old",
    person: same,
    ...anew,
    send: { sentAt: long(90), claimedAt: long(90) },
    stops: true,
  },
  {
    name: "a paused sequence",
    person: same,
    ...anew,
    recipient: { status: "PAUSED", pauseReason: "OUT_OF_OFFICE" },
    stops: true,
  },
  {
    name: "a mail whose outcome is unknown",
    person: same,
    ...anew,
    stops: true,
    send: { state: "UNKNOWN", sentAt: null, unknownAt: new Date() },
  },
  {
    name: "a stranger of the same company",
    person: { to: "pat@b.test", from: "kim@b.test" },
    ...anew,
    stops: false,
    kind: "OTHER",
  },
  {
    name: "a similar address elsewhere",
    person: { to: "pat@b.test", from: "pat@c.test" },
    ...anew,
    stops: false,
    kind: "OTHER",
  },
  {
    name: "an address that failed authentication",
    person: same,
    ...anew,
    stops: false,
    kind: "OTHER",
    authentication: "FAIL",
  },
  {
    name: "an absence notice",
    person: same,
    stops: false,
    kind: "AUTO_REPLY",
    headers: { Subject: "Automatic reply: hello", "Auto-Submitted": "auto-replied" },
    text: "I am away until Monday.",
  },
  {
    name: "a newsletter",
    person: same,
    stops: false,
    kind: "BULK",
    headers: { Subject: "News", "List-Unsubscribe": "<https://b.test/u>" },
    text: "All about our products.",
  },
  {
    name: "a report in a mail system's words",
    person: same,
    stops: false,
    kind: "OTHER",
    headers: { Subject: "Undeliverable: Hello", "Return-Path": "<>" },
    text: "Your message to kim@b.test couldn't be delivered.\n550 5.1.1 <kim@b.test>: user unknown",
  },
  {
    name: "a report of a delay",
    person: same,
    stops: false,
    headers: { Subject: "Delivery delayed: Hello", "Return-Path": "<>" },
    text: "Your message to kim@b.test has not yet been delivered. Delivery attempts will continue.\n450 4.2.0 <kim@b.test>: try later",
  },
];

test("the table of senders and replies holds at least 45 cases", () => {
  expect(CASES.length).toBeGreaterThanOrEqual(45);
});

test("a recipient's own email stops their sequence, and no other email does", async () => {
  const campaignId = await newCampaign();
  for (const [index, one] of CASES.entries()) {
    // Each case has its own domain, so that it does not know the people of another
    const ofCase = (text: string) => text.replaceAll(/([bc]|private)\.test/gi, `$1${index}.test`);
    const person = await contacted(ofCase(one.person.to), campaignId, {
      send: { content: { text: `Hi,\n${OURS}\nAnn`, html: null }, ...one.send },
      ...(one.recipient && { recipient: one.recipient }),
    });
    if (one.person.alias !== undefined) await learn(person, ofCase(one.person.alias));
    const message = await take(mail({ ...ALIAS, From: ofCase(one.person.from), ...one.headers }, ofCase(one.text)), {
      ...(one.authentication && { authentication: one.authentication }),
    });
    const ended = await recipientNow(person);
    const event = (await events("REPLIED")).find(({ recipientId }) => recipientId === person.recipient._id);
    expect({
      case: one.name,
      status: ended?.status,
      kind: message.kind,
      matchedBy: event?.data?.["matchedBy"],
    }).toEqual({
      case: one.name,
      status: one.stops ? "REPLIED" : (one.recipient?.status ?? "IN_PROGRESS"),
      kind: one.stops ? "REPLY" : (one.kind ?? expect.stringMatching(/^(?:DELAY|OTHER)$/)),
      matchedBy: one.matchedBy ?? (one.stops ? "SENDER" : undefined),
    });
  }
});

test("a new email of a recipient stops the person in every campaign that stops on replies, whatever the scope, and sends one event for the newest campaign", async () => {
  const older = await contacted("pat@b.test", await newCampaign(), { send: { sentAt: long(3) } });
  const tagged = await contacted("pat+x@b.test", await newCampaign({ stopOnReplyScope: "CAMPAIGN" }), {
    send: { sentAt: long(2) },
  });
  const deaf = await contacted("pat@b.test", await newCampaign({ stopOnReply: false }), { send: { sentAt: long(1) } });
  const newest = await contacted("pat@b.test", await newCampaign({ stopOnReplyScope: "CAMPAIGN" }));
  const message = await take(mail({ From: "pat@b.test", Subject: "A call?" }));
  expect(message).toMatchObject({
    kind: "REPLY",
    recipientId: newest.recipient._id,
    evidence: { rule: "attribution 6", value: "pat@b.test" },
  });
  const statuses = await Promise.all(
    [older, tagged, newest, deaf].map(async (one) => (await recipientNow(one))?.status),
  );
  expect(statuses).toEqual(["REPLIED", "REPLIED", "REPLIED", "IN_PROGRESS"]);
  expect(await events("REPLIED")).toHaveLength(1);
});

test("a new email of a recipient does not prove that an earlier email of unknown outcome arrived", async () => {
  const person = await contacted("pat@b.test", await newCampaign(), {
    send: { state: "UNKNOWN", sentAt: null, unknownAt: new Date() },
  });
  await take(mail({ From: "pat@b.test", Subject: "A call?" }));
  expect(await scoped(workspaceId).Send.get(person.send._id)).toMatchObject({ state: "UNKNOWN", evidence: null });
  expect(await recipientNow(person)).toMatchObject({ status: "REPLIED" });
});

test("a recipient who opts out in a new email is suppressed, but an email that only names them in Reply-To suppresses no one", async () => {
  const forged = await contacted("kim@b.test", await newCampaign());
  await take(mail({ From: "someone@else.test", "Reply-To": "kim@b.test", Subject: "Stop" }, "Please unsubscribe me."));
  expect(await leadNow(forged)).toMatchObject({ suppressed: false });
  const person = await contacted("pat@b.test", await newCampaign());
  await take(mail({ From: "pat@b.test", Subject: "Stop" }, "Please unsubscribe me."));
  expect(await leadNow(person)).toMatchObject({ suppressed: true, suppressionReason: "OPT_OUT_REPLY" });
});

test("an email of a person who was never contacted, or whose sequence ended over 30 days ago, stops no one", async () => {
  const { Send } = scoped(workspaceId);
  const fresh = await contacted("new@b.test", await newCampaign(), {
    recipient: { status: "PENDING", sentCount: 0, lastSentAt: null },
  });
  await Send.deleteMany({ _id: fresh.send._id });
  expect(await take(mail({ From: "new@b.test", Subject: "Hello" }))).toMatchObject({
    kind: "OTHER",
    recipientId: null,
  });
  const done = await contacted("old@b.test", await newCampaign(), {
    send: { sentAt: long(40), claimedAt: long(40) },
    recipient: { status: "COMPLETED", lastSentAt: long(40) },
  });
  expect(await take(mail({ From: "old@b.test", Subject: "Hello" }))).toMatchObject({
    kind: "OTHER",
    recipientId: null,
  });
  expect(await recipientNow(done)).toMatchObject({ status: "COMPLETED" });
});

test("an emoji reaction is shown in the person's thread and does not stop the sequence", async () => {
  const person = await contacted("pat@b.test", await newCampaign());
  const message = await take(
    mail({ From: "pat@b.test", "In-Reply-To": person.sent.messageId }, "Pat Person reacted to your message:"),
  );
  expect(message).toMatchObject({
    kind: "OTHER",
    recipientId: person.recipient._id,
    threadId: expect.stringMatching(/^thr_/),
  });
  expect(await recipientNow(person)).toMatchObject({ status: "IN_PROGRESS", repliedAt: null });
  expect(await events("REPLIED")).toEqual([]);
});

async function learn({ recipient }: Person, alias: string): Promise<void> {
  await scoped(workspaceId).Lead.updateOne({ _id: recipient.leadId }, { $addToSet: { secondaryEmails: alias } });
}

test("an email from one of our own mailboxes does not count as a recipient's reply", async () => {
  const person = await contacted(mailbox.email, await newCampaign());
  expect(
    await take(
      mail({ From: mailbox.email, Subject: "Note to self", Received: "from evil.test by mx.a.test with ESMTPS id 1" }),
    ),
  ).toMatchObject({
    kind: "OTHER",
  });
  expect(await recipientNow(person)).toMatchObject({ status: "IN_PROGRESS" });
});

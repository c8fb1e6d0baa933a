import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { CAMPAIGN_STATUSES, LEAD_STATUSES, RECIPIENT_STATUSES } from "../../domain/states.ts";
import { exitCodeOf, tableOf } from "./print.ts";
import { type Evidence, isKept, type Mail, outcomeOf, type RecipientRow, type SendRow } from "./table.ts";
import type { Post } from "./world.ts";

const ENDED_AT = Date.parse("2026-03-02T10:00:00Z");
const LATER = "2026-03-02T11:00:00.000Z";

/** Three people: anna gets both letters, mira replies to the first, and the mailbox of olaf is full. */
function evidence(changes: Partial<Evidence> = {}): Evidence {
  return {
    addresses: ["anna@a.test", "reply.mira@a.test", "soft.olaf@a.test"],
    letters: 2,
    mails: [mail("anna@a.test", 1), mail("reply.mira@a.test", 1), mail("anna@a.test", 2)],
    stops: [{ recipient: "reply.mira@a.test", cause: "replied", at: 1_000 }],
    afterStop: [],
    sends: [
      send("anna@a.test", 1, "SENT"),
      send("anna@a.test", 2, "SENT"),
      send("reply.mira@a.test", 1, "SENT"),
      send("soft.olaf@a.test", 1, "RESERVED", { attempts: 3 }),
    ],
    recipients: [
      recipient("anna@a.test", "COMPLETED"),
      recipient("reply.mira@a.test", "REPLIED"),
      recipient("soft.olaf@a.test", "PENDING"),
    ],
    posts: [post("d1", "SENT", 500), post("d1", "SENT"), post("d2", "SENT"), post("d3", "SENT"), post("d4", "REPLIED")],
    reading: {
      opened: new Set(),
      clicked: new Set(),
      lettersOpened: 0,
      lettersClicked: 0,
      conversions: 0,
      meetings: 0,
      revenue: 0,
      failures: [],
    },
    metrics: { opened: 0, clicked: 0, conversions: 0, meetings: 0, revenue: [] },
    endedAt: ENDED_AT,
    ...changes,
  };
}

function mail(to: string, letter: number, messageId = `<${letter}-${to}>`): Mail {
  return { to, letter, messageId };
}

function send(email: string, letter: number, state: string, more: Partial<SendRow> = {}): SendRow {
  return { email, letter, state, slotAt: "2026-03-02T09:00:00.000Z", attempts: 0, failure: null, ...more };
}

function recipient(email: string, status: string, more: Partial<RecipientRow> = {}): RecipientRow {
  return { id: email, email, status, pauseReason: null, bounce: null, openedAt: null, clickedAt: null, ...more };
}

function post(delivery: string, event: string, status = 200): Post {
  return { delivery, event, recipientId: "anna@a.test", status, isSigned: true };
}

test("the balance of a campaign that kept every promise has no losses, duplicates or disagreements", () => {
  const outcome = outcomeOf(evidence());
  expect(outcome).toMatchObject({
    intended: 4,
    sent: 3,
    duplicates: 0,
    lost: 0,
    afterStop: 0,
    unknown: 0,
    waiting: 1,
    replied: 1,
    delivered: 4,
    retried: 1,
    disagreements: [],
  });
  expect(isKept(outcome)).toBe(true);
});

const anna = mail("anna@a.test", 1);
test.each<[string, Mail]>([
  ["with the same Message-ID", anna],
  ["with another Message-ID", { ...anna, messageId: "<other>" }],
])("an email that arrives twice %s is a duplicate", (_how, again) => {
  const outcome = outcomeOf(evidence({ mails: [...evidence().mails, again] }));
  expect(outcome).toMatchObject({ sent: 4, duplicates: 1, lost: 0, disagreements: [] });
  expect(isKept(outcome)).toBe(false);
});

test("an email that the service counts as sent and that no server received is lost", () => {
  const outcome = outcomeOf(evidence({ mails: evidence().mails.slice(0, 2) }));
  expect(outcome).toMatchObject({ intended: 4, lost: 1 });
  expect(isKept(outcome)).toBe(false);
});

test("an email that was never planned is lost, and so is one that is overdue without a reason", () => {
  const [first, , ...rest] = evidence().sends;
  const mails = evidence().mails.slice(0, 2);
  if (first === undefined) throw new Error("no sends");
  expect(outcomeOf(evidence({ mails, sends: [first, ...rest] })).lost).toBe(1);
  expect(outcomeOf(evidence({ mails, sends: [first, send("anna@a.test", 2, "RESERVED"), ...rest] })).lost).toBe(1);
  expect(
    outcomeOf(evidence({ mails, sends: [first, send("anna@a.test", 2, "RESERVED", { slotAt: LATER }), ...rest] })).lost,
  ).toBe(0);
});

test("an email of unknown outcome is not lost, whether it arrived or not, and its follow-ups are no longer expected", () => {
  const [, , ...rest] = evidence().sends;
  const sends = [send("anna@a.test", 1, "UNKNOWN"), ...rest];
  const posts = [post("d1", "SENT"), post("d4", "REPLIED")];
  const arrived = evidence().mails.slice(0, 2);
  expect(outcomeOf(evidence({ mails: arrived, sends, posts }))).toMatchObject({
    intended: 3,
    lost: 0,
    unknown: 1,
    unknownArrived: 1,
    disagreements: [],
  });
  expect(outcomeOf(evidence({ mails: arrived.slice(1), sends, posts }))).toMatchObject({
    intended: 3,
    lost: 0,
    unknown: 1,
    unknownArrived: 0,
    disagreements: [],
  });
});

test("an email with a soft bounce counts as sent and is planned again", () => {
  const extra = "softdsn.pia@a.test";
  const outcome = outcomeOf(
    evidence({
      addresses: [...evidence().addresses, extra],
      mails: [...evidence().mails, mail(extra, 1)],
      sends: [...evidence().sends, send(extra, 1, "RESERVED", { slotAt: LATER })],
      recipients: [...evidence().recipients, recipient(extra, "IN_PROGRESS", { bounce: { type: "SOFT" } })],
      posts: [...evidence().posts, post("d5", "SENT"), post("d6", "BOUNCED")],
    }),
  );
  expect(outcome).toMatchObject({ intended: 5, sent: 4, lost: 0, disagreements: [] });
});

test("an email within the grace period after a stop is accepted, and a later one counts as sent after the stop", () => {
  const stop = {
    recipient: "reply.mira@a.test",
    cause: "replied" as const,
    at: 1_000,
    messageId: "<x>",
    isCampaignMail: true,
  };
  expect(outcomeOf(evidence({ afterStop: [{ ...stop, mailAt: 5_900 }] })).afterStop).toBe(0);
  expect(outcomeOf(evidence({ afterStop: [{ ...stop, mailAt: 6_100 }] })).afterStop).toBe(1);
});

test("a figure on which the service and the evidence disagree is listed with both numbers", () => {
  const recipients = evidence().recipients.map((row) => ({ ...row, status: "COMPLETED" }));
  const posts = [post("d1", "SENT"), { ...post("d2", "SENT", 500), isSigned: false }];
  expect(outcomeOf(evidence({ recipients, posts })).disagreements).toEqual([
    "recipients REPLIED, people who replied: 0 and 1",
    "SENT events delivered, letters sent: 1 and 3",
    "REPLIED events delivered, replies: 0 and 1",
    "events with a wrong signature: 1 and 0",
    "deliveries refused and never taken: 1 and 0",
  ]);
});

test("opens, clicks and conversions that the readers and their site do not confirm are listed, and so are opens by robots only", () => {
  const { reading, recipients } = evidence();
  const opened = new Set(["anna@a.test"]);
  const metrics = { opened: 2, clicked: 1, conversions: 2, meetings: 1, revenue: [{ currency: "EUR", amount: "490" }] };
  const looked = recipients.map((row) => ({ ...row, openedAt: LATER }));
  expect(
    outcomeOf(evidence({ metrics, recipients: looked, reading: { ...reading, opened, lettersOpened: 1 } }))
      .disagreements,
  ).toEqual([
    "people counted as having opened, people who did: 2 and 1",
    "people counted as having clicked, people who did: 1 and 0",
    "recipients whose letters only robots looked at, and that count: 2 and 0",
    "OPEN events delivered, letters opened: 0 and 1",
    "conversions counted, conversions on the site: 2 and 0",
    "meetings counted, meetings booked on the site: 1 and 0",
    "revenue counted, revenue of the site: 490 and 0",
  ]);
});

test("events about people of other campaigns are left out of the balance", () => {
  const posts = [...evidence().posts, { ...post("d9", "SENT"), recipientId: "somebody else" }];
  expect(outcomeOf(evidence({ posts }))).toMatchObject({ delivered: 5, disagreements: [] });
});

const census = [
  { kind: "recipients", states: { PENDING: 2, FAILED: 1 } },
  { kind: "campaigns", states: { DRAFT: 1 } },
];

test("the table shows each state with its count, and the demo succeeds", () => {
  const table = tableOf(outcomeOf(evidence()), census);
  expect(table).toMatch(/^ {2}intended +4 {3}0 refused permanently, 1 still waiting for a full mailbox$/m);
  expect(table).toMatch(/^ {2}recipients +PENDING 2 {2}FAILED 1$/m);
  expect(table).toMatch(/^ {2}campaigns +DRAFT 1$/m);
  expect(table).toContain("  Every promise held.\n");
  expect(exitCodeOf(outcomeOf(evidence()), census)).toBe(0);
});

test("a state without a record is listed, and the demo fails", () => {
  const empty = [...census, { kind: "leads", states: { ACTIVE: 3, WON: 0, LOST: 0 } }];
  const table = tableOf(outcomeOf(evidence()), empty);
  expect(table).toContain(
    "  nothing is in the state: leads WON\n  nothing is in the state: leads LOST\n  A state is empty.\n",
  );
  expect(exitCodeOf(outcomeOf(evidence()), empty)).toBe(1);
});

test("a broken promise is reported before an empty state, and the demo fails", () => {
  const broken = outcomeOf(evidence({ mails: evidence().mails.slice(0, 2) }));
  expect(tableOf(broken, census)).toMatch(/^ {2}lost +1 {3}BROKEN$[\s\S]*^ {2}A promise was broken\.$/m);
  expect(exitCodeOf(broken, census)).toBe(1);
});

test("the README shows rows of the table as the demo prints them, with every state of recipients, campaigns and leads", () => {
  const [, copy = ""] = /```\n( {2}intended[\s\S]*?)```/.exec(readFileSync("README.md", "utf8")) ?? [];
  const shown = copy.split("\n").filter((line) => line.trim() !== "" && line.trim() !== "…");
  const kinds = { recipients: RECIPIENT_STATUSES, campaigns: CAMPAIGN_STATUSES, leads: LEAD_STATUSES };
  const counted = Object.entries(kinds).map(([kind, states]) => ({
    kind,
    states: Object.fromEntries(states.map((state) => [state, 1])),
  }));
  const printed = tableOf(outcomeOf(evidence()), counted).split("\n");
  const withoutNumbers = (line: string) => line.replaceAll(/ *\d[\d.]*/g, " #");
  expect(shown.map(withoutNumbers).filter((line) => !printed.map(withoutNumbers).includes(line))).toEqual([]);
  expect(shown.length).toBeGreaterThan(10);
});

import { expect, test } from "@jest/globals";
import type { z } from "zod";
import { questionOf } from "../../mcp/plan-question.ts";
import { Planned } from "../../operations/sending/plan.ts";

type Effect = z.input<typeof Planned>["plan"]["effect"];

const NONE: Effect = {
  kind: "LAUNCH",
  people: 0,
  mails: 0,
  cost: 0,
  firstSendAt: null,
  lastSendAt: null,
  mailboxes: [],
  recipients: [],
  texts: [],
  validation: null,
};

/** The lines of the question about this effect. */
function linesOf(effect: Partial<Effect>, budget: object | null = null): string[] {
  const plan = { effect: { ...NONE, ...effect }, budget, expiresAt: "2026-12-01T09:15:30.000Z" };
  return questionOf(Planned.parse({ plan, planToken: "token" }).plan).split("\n");
}

const email = (subject: string, text: string, more: object = {}) => ({
  to: "ada@people.test",
  subject,
  text,
  html: null,
  stepId: null,
  variantId: null,
  ...more,
});

test("the question about a launch says how many emails go to whom, from where, when, what is lacking and what it costs", () => {
  const lines = linesOf(
    {
      people: 1_200,
      mails: 3_600,
      cost: 1_200,
      recipients: Array.from({ length: 10 }, (_, at) => `p${at}@people.test`),
      mailboxes: [{ id: "mbx_1", email: "ann@a.test" }],
      firstSendAt: "2026-12-01T09:00:00.000Z",
      lastSendAt: "2026-12-09T16:30:00.000Z",
      heldOut: 1,
      lacking: [
        { name: "company", count: 2, hasFallback: false },
        { name: "city", count: 1, hasFallback: true },
      ],
    },
    { limit: 2_000, left: 1_500 },
  );
  expect(lines).toEqual([
    "Launch this campaign?",
    "At most 3,600 emails to 1,200 people: p0@people.test, p1@people.test, p2@people.test, p3@people.test, p4@people.test and 1,195 more.",
    "From 1 mailbox: ann@a.test.",
    "The first leaves at 2026-12-01 09:00 UTC, the last leaves at 2026-12-09 16:30 UTC.",
    "1 person is held out and never contacted.",
    "2 people have no value for company: they do not get the emails that use it.",
    "1 person has no value for city: a fallback replaces it.",
    "These counts cover at most the first 1,000 people of the campaign.",
    "It costs 1,200 of the 1,500 emails that are left today.",
    "Nothing is done until you answer. The plan is valid until 2026-12-01 09:15 UTC.",
  ]);
});

test("the question names five variables that people lack and counts the others, and says when it cannot cover all people", () => {
  const lacking = Array.from({ length: 7 }, (_, at) => ({ name: `field${at}`, count: 9 - at, hasFallback: false }));
  const partial = "These counts cover at most the first 1,000 people of the campaign.";
  const lines = linesOf({ people: 1_000, lacking });
  expect(lines.filter((line) => line.includes("no value for"))).toHaveLength(5);
  expect(lines).toContain("And 2 other variables.");
  expect(lines).not.toContain(partial);
  expect(linesOf({ people: 1_001, lacking })).toContain(partial);
  expect(linesOf({ kind: "CHANGE", people: 0, lacking })).toContain(partial);
  expect(linesOf({ kind: "CHANGE", people: 2_000 })).not.toContain(partial);
});

test("the question about a change says what it causes, which records change, and where data goes", () => {
  const lines = linesOf({
    kind: "CHANGE",
    causes: ["DISCLOSES", "DESTROYS"],
    changes: [
      { what: "leads", created: 0, changed: 3, deleted: 40, fields: [], examples: ["ada@people.test"] },
      ...Array.from({ length: 6 }, (_, at) => ({
        what: `notes ${at}`,
        created: 1,
        changed: 0,
        deleted: 0,
        fields: [],
        examples: [],
      })),
    ],
    destinations: ["https://hooks.people.test"],
    differences: [{ to: "ada@people.test", before: null, after: null }],
  });
  expect(lines.slice(0, 4)).toEqual([
    "Make this change?",
    "It gives data to a new external destination.",
    "It deletes data that cannot be restored.",
    "leads: 3 changed, 40 deleted: ada@people.test and 42 more.",
  ]);
  expect(lines).toContain("And 2 other kinds of record.");
  expect(lines).toContain("Data goes to a destination outside: https://hooks.people.test.");
  expect(lines).toContain("The next email changes, among others for these people: ada@people.test.");
});

test("text that other people wrote can neither add a sentence to the question nor hide in it, and a long one is cut", () => {
  const lines = linesOf({
    kind: "REPLY",
    causes: ["SENDS"],
    people: 1,
    mails: 1,
    recipients: ["ada@people.test\n\nNothing is sent.\u202e"],
    texts: [email("Hi\u200b", `Hello\nNothing is sent.\u2028Not at all.\r${"x".repeat(5_000)}`)],
  });
  expect(lines).toEqual([
    "Send this reply?",
    "At most 1 email to 1 person: ada@people.test Nothing is sent..",
    "The email, to ada@people.test.",
    "> Subject: Hi",
    "> Hello",
    "> Nothing is sent.",
    "> Not at all.",
    expect.stringMatching(/^> x{500,600}$/),
    "> ...",
    expect.stringMatching(/^Nothing is done until you answer/),
  ]);
});

test("the email of a plan is shown with its copies and files, and a plan that changes nothing says so", () => {
  const copied = email("Hi", "Hello", {
    cc: ["bob@people.test"],
    bcc: ["cid@people.test"],
    fileNames: ["a.pdf", "b.pdf"],
  });
  const lines = linesOf({ isDone: true, texts: [copied, email("Hi", "Hello")] });
  expect(lines[1]).toBe("Nothing would change: this is already done.");
  expect(lines).toContain(
    "The first of 2 rendered emails, to ada@people.test, with copies: bob@people.test, cid@people.test, with files: a.pdf, b.pdf.",
  );
});

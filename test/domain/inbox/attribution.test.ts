import { expect, test } from "@jest/globals";
import {
  type AttributionFacts,
  attribute,
  attributionKeys,
  type Candidate,
} from "../../../domain/inbox/attribution.ts";
import { DAY_MS } from "../../../domain/time/durations.ts";
import { reply } from "../mail/mail.ts";

const AT = Date.parse("2026-11-02T10:00:00Z");
const SEND: Candidate = {
  recipientId: "rcp_1",
  mailRef: "abcdefghijklmnop2345",
  messageIds: ["<ours-1@ours.example>", "<theirs-1@provider.example>"],
  threadId: "t1",
  addresses: ["lead@customer.example"],
  subject: "Hello",
  mailboxId: "mbx_1",
  sentAt: AT - DAY_MS,
  isOpen: false,
};
const FACTS: AttributionFacts = {
  mailboxId: "mbx_1",
  threadId: null,
  at: AT,
  companyOf: (address) => (address.endsWith("@customer.example") ? "customer.example" : null),
  isQuoted: () => true,
  isForged: false,
};
const whose = (headers: Record<string, string>, send: Partial<Candidate> = {}, facts: Partial<AttributionFacts> = {}) =>
  attribute(attributionKeys(reply(headers)), [{ ...SEND, ...send }], { ...FACTS, ...facts })?.rule ?? null;

test("a reply is matched by In-Reply-To first, then by References from right to left", () => {
  const keys = attributionKeys(
    reply({ "In-Reply-To": "<c@x>", References: "<a@x> <b@x> <c@x>", Cc: "me+r.ABCDEFGHIJKLMNOP2345@ours.example" }),
  );
  expect(keys).toEqual({
    refs: ["abcdefghijklmnop2345"],
    ids: ["<c@x>", "<b@x>", "<a@x>"],
    addresses: ["lead@customer.example"],
    baseSubject: "hello",
  });
});

test("the first rule that matches a send decides", () => {
  const stranger = { From: "x@elsewhere.example", Subject: "Other" };
  expect(whose({ ...stranger, "Delivered-To": "me+r.abcdefghijklmnop2345@ours.example" })).toBe(1);
  expect(whose({ ...stranger, References: "<z@x> <theirs-1@provider.example>" })).toBe(2);
  expect(whose(stranger, {}, { threadId: "t1" })).toBe(3);
  expect(whose({})).toBe(4);
  expect(whose({ From: "boss@customer.example" })).toBe(5);
  expect(whose(stranger)).toBeNull();
});

test("sender and subject match only in the sending mailbox within 30 days; an open recipient matches at any time", () => {
  const nobody = { companyOf: () => null, isQuoted: () => false };
  expect(whose({}, { mailboxId: "mbx_2" }, nobody)).toBe(6);
  expect(whose({ Subject: "Re: Lunch" }, {}, nobody)).toBe(6);
  expect(whose({}, { sentAt: AT - 31 * DAY_MS, isOpen: true }, nobody)).toBe(6);
  expect(whose({}, { sentAt: AT - 31 * DAY_MS }, nobody)).toBeNull();
  expect(whose({ From: "boss@customer.example", Subject: "Re: Lunch" }, {}, nobody)).toBeNull();
});

// The address that writes, the lead's addresses to which we wrote, and the rule that attributes the email
const TAGS: readonly (readonly [string, string[], 6 | null])[] = [
  ["lead+news@customer.example", ["lead@customer.example"], 6],
  ["lead@customer.example", ["lead+widgets@customer.example"], 6],
  ["lead+a@customer.example", ["lead+b@customer.example"], 6],
  ["lead@private.example", ["lead@customer.example", "lead@private.example"], 6],
  ["lead+x@private.example", ["lead@customer.example", "lead@private.example"], 6],
  ["lead2@customer.example", ["lead@customer.example"], null],
  ["lead@other.example", ["lead@customer.example"], null],
  ["+lead@customer.example", ["lead@customer.example"], null],
];

test.each(TAGS)(
  "a lead is recognised by each of their addresses, with or without a tag: %s",
  (from, addresses, rule) => {
    const nobody = { companyOf: () => null, isQuoted: () => false };
    expect(whose({ From: from, Subject: "Lunch" }, { addresses }, nobody)).toBe(rule);
  },
);

test("an attribution names its evidence; a match by Reply-To alone has low confidence", () => {
  const of = (headers: Record<string, string>, isQuoted = false) =>
    attribute(attributionKeys(reply(headers)), [SEND], { ...FACTS, companyOf: () => null, isQuoted: () => isQuoted });
  expect(of({ Subject: "Lunch" })).toMatchObject({ matchedBy: "SENDER", confidence: "HIGH" });
  expect(of({ Subject: "Lunch" }, true)).toMatchObject({ matchedBy: "QUOTE", rule: 6 });
  expect(of({})).toMatchObject({ matchedBy: "SUBJECT" });
  expect(of({ From: "x@else.example", "Reply-To": "lead@customer.example", Subject: "Lunch" })).toMatchObject({
    matchedBy: "SENDER",
    confidence: "LOW",
  });
});

test("a From address that may be forged matches no send, but a message ID does", () => {
  expect(whose({}, {}, { isForged: true })).toBeNull();
  expect(whose({ "In-Reply-To": "<ours-1@ours.example>" }, {}, { isForged: true })).toBe(2);
});

test("of several matching sends the newest comes first", () => {
  const older = { ...SEND, recipientId: "rcp_0", sentAt: AT - 2 * DAY_MS };
  const found = attribute(attributionKeys(reply({ "In-Reply-To": "<ours-1@ours.example>" })), [older, SEND], FACTS);
  expect(found).toMatchObject({
    rule: 2,
    confidence: "HIGH",
    found: [{ recipientId: "rcp_1" }, { recipientId: "rcp_0" }],
  });
});

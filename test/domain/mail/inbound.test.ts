import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { parseHead, parseInbound } from "../../../connectors/mime/parse.ts";
import { type KindFacts, kindOf } from "../../../domain/inbox/kind.ts";
import type { Inbound } from "../../../domain/mail/inbound.ts";
import { parsed, reply } from "./mail.ts";

const FACTS: KindFacts = {
  ownAddress: "me@ours.example",
  isSentFolder: false,
  isOwnId: (id) => id === "<own-1@ours.example>",
  isConnectedMailbox: (address) => address === "colleague@ours.example",
  hasUnsubscribeToken: false,
  attributedBy: 2,
};
const kind = (message: Inbound, facts: Partial<KindFacts> = {}) => kindOf(message, { ...FACTS, ...facts });

test("headers, addresses and message ids of an email are normalised", () => {
  const message = parsed(`From sender@x.example Mon Nov  2 10:00:00 2026
Return-Path: <>
Delivered-To: Me+r.ABCDEFGHIJKLMNOP2345@ours.example
From: =?utf-8?q?J=C3=BCrgen?= <Juergen@B=C3=BCcher.example>
Reply-To: <Desk@XN--BCHER-KVA.example>
To: Me <ME@Ours.example>, other@ours.example
Cc: third@ours.example
Subject: =?utf-8?b?SGFsbMO2?=
 there
Date: Mon, 2 Nov 2026 10:00:00 +0100
Message-ID: <a@x.example>
In-Reply-To: <b@ours.example> (your mail)
References: <c@ours.example>
 <b@ours.example>
X-Twice: one
X-Twice: two
  folded
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

Gr=FC=DFe`);
  expect(message).toMatchObject({
    messageId: "<a@x.example>",
    inReplyTo: "<b@ours.example>",
    references: ["<c@ours.example>", "<b@ours.example>"],
    from: { name: "Jürgen" },
    replyTo: "desk@xn--bcher-kva.example",
    to: ["me@ours.example", "other@ours.example"],
    cc: ["third@ours.example"],
    deliveredTo: ["me+r.abcdefghijklmnop2345@ours.example"],
    subject: "Hallö there",
    date: Date.parse("2026-11-02T09:00:00Z"),
    returnPath: "",
    text: "Grüße",
    html: null,
  });
  expect(message.headers.get("x-twice")).toEqual(["one", "two folded"]);
});

test("an email with an absent or impossible Date header has no date", () => {
  expect(parsed("From: a@x.example\n\nhi").date).toBeNull();
  expect(reply({ Date: "yesterday" }).date).toBeNull();
});

test("quoted text is not part of the reply's own words", () => {
  const text = reply(
    {},
    "Yes, please.\n\nOn Mon, Nov 2, 2026 at 9:00 AM Me <me@ours.example> wrote:\n> Shall I stop?\n> unsubscribe here",
  );
  expect(text.replyText).toBe("Yes, please.");
  const html = parsed(
    'From: a@x.example\nContent-Type: text/html; charset=utf-8\n\n<div>Yes,&nbsp;<b>please</b>.</div><div class="gmail_quote">On Monday Me wrote:<blockquote>unsubscribe here</blockquote></div>',
  );
  expect(html.replyText).toBe("Yes, please.");
  expect(html.text).toContain("unsubscribe here");
});

test("a message that Outlook quotes without a container is removed from the reply", () => {
  const html = parsed(
    'From: a@x.example\nContent-Type: text/html\n\n<p>Agreed.</p><div id="divRplyFwdMsg">From: me</div><div>old words</div>',
  );
  expect(html.replyText).toBe("Agreed.");
});

test("a reply that contains only a quote is read as the whole text", () => {
  expect(reply({}, "> only a quote").replyText).toBe("> only a quote");
});

test("the text of a multipart message is read even if the boundary never occurs", () => {
  const lost = parsed(
    "From: a@x.example\nContent-Type: multipart/mixed; boundary=never\n\n--other\n\nthe words\n--other--",
  );
  expect(lost.text).toContain("the words");
});

test("a returned message is kept apart from the text, and an attached file is only described", () => {
  const message = parsed(`From: a@x.example
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

see below
--b
Content-Type: message/rfc822

From: me@ours.example
Subject: old

old words
--b
Content-Type: application/pdf; name="../../offer.pdf"
Content-Disposition: attachment; filename="../../offer.pdf"
Content-Transfer-Encoding: base64

aGVsbG8=
--b--`);
  expect(message.text.trim()).toBe("see below");
  expect(message.returned).toContain("old words");
  expect(message.attachments).toContainEqual({
    partId: "3",
    fileName: "offer.pdf",
    contentType: "application/pdf",
    size: 5,
  });
});

test("only the first two hundred parts of a message are read", () => {
  const parts = Array.from({ length: 1_000 }, () => "--b\nContent-Type: text/plain\n\nx").join("\n");
  const raw = Buffer.from(
    `From: a@x.example\nSubject: many\nContent-Type: multipart/mixed; boundary=b\n\n${parts}\n--b--`,
  );
  expect(parseInbound(raw).text.match(/x/g)?.length).toBeLessThan(200);
  expect(parseHead(raw)).toMatchObject({ subject: "many", from: { address: "a@x.example" }, text: "" });
});

test("random bytes never make the email parser hang or invent a sender", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      const message = parseInbound(Buffer.from(bytes));
      expect(message.headers.has("from") || message.from === null).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test("an email that fits several kinds gets the first of own email, unsubscribe, auto-reply, reply and other", () => {
  const plain = reply();
  expect(kind(reply({ From: "me@ours.example", "Message-ID": "<own-1@ours.example>" }))).toBe("OWN");
  expect(kind(plain, { isSentFolder: true })).toBe("OWN");
  expect(kind(plain, { hasUnsubscribeToken: true })).toBe("UNSUBSCRIBE");
  expect(kind(reply({ "Auto-Submitted": "auto-replied" }))).toBe("AUTO_REPLY");
  expect(kind(reply({ "Auto-Submitted": "auto-replied" }), { hasUnsubscribeToken: true })).toBe("UNSUBSCRIBE");
  expect(kind(plain)).toBe("REPLY");
  expect(kind(plain, { attributedBy: null })).toBe("OTHER");
});

test("bulk mail counts as a reply only when an id, a token or a thread links the bulk mail to our email", () => {
  const bulk = reply({ "List-Unsubscribe": "<https://x.example/u>" });
  expect(kind(bulk, { attributedBy: 4 })).toBe("BULK");
  expect(kind(bulk, { attributedBy: null })).toBe("BULK");
  expect(kind(bulk, { attributedBy: 2 })).toBe("REPLY");
});

test("an email from a connected mailbox never counts as a reply", () => {
  expect(kind(reply({ From: "colleague@ours.example" }))).toBe("OTHER");
});

test("read receipts and DMARC aggregate reports count as reports", () => {
  const receipt = "multipart/report; report-type=disposition-notification; boundary=b";
  expect(kind(reply({ "Content-Type": receipt }, "--b\n\nread\n--b--"))).toBe("REPORT");
  const zipped = "--b\nContent-Type: application/zip\nContent-Transfer-Encoding: base64\n\naGVsbG8=\n--b--";
  const dmarc = {
    Subject: "Report Domain: ours.example Submitter: big.example Report-ID: 1",
    "Content-Type": "multipart/mixed; boundary=b",
  };
  expect(kind(reply(dmarc, zipped))).toBe("REPORT");
});

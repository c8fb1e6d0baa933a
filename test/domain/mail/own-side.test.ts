import { expect, test } from "@jest/globals";
import { parseInbound } from "../../../connectors/mime/parse.ts";
import { isMadeHere, ownSideOf } from "../../../domain/mail/own-side.ts";

const OWN = ["imap.ours.example", "smtp.ours.example", "ours.example"];
const AT = "; Fri, 20 Nov 2026 10:00:00 +0000";
const sideOf = (...fields: string[]) =>
  ownSideOf(
    parseInbound(Buffer.from(`${[...fields, "From: a@b.example", "Subject: x"].join("\n")}\n\nHello`)).trace,
    OWN,
  );
const received = (text: string) => `Received: ${text}${AT}`;
const STRANGER = received("from evil.example (unknown [198.51.100.7]) by mx.ours.example (Postfix) with ESMTP id 1");

test("our servers' headers end above the first Received line that another organisation's server wrote", () => {
  const theirs = received("from x by mx.evil.example with ESMTP");
  const side = sideOf(received("from mx.ours.example by imap.ours.example with LMTP"), STRANGER, theirs, STRANGER);
  expect([side.fields.length, side.isAlone]).toEqual([2, false]);
  expect(sideOf(STRANGER)).toMatchObject({ isAlone: true, fields: [{ name: "received" }] });
});

test("the domain of the topmost named server counts as ours, and a shared parent domain such as github.io does not", () => {
  const side = sideOf(
    "Received: by 2002:a05:6402:1 with SMTP id x",
    received("from x by mx.provider.example with ESMTPS id 1"),
    "Authentication-Results: mx.provider.example; dmarc=pass",
  );
  expect(side.names).toContain("provider.example");
  expect(ownSideOf([], ["mine.github.io"]).names).not.toContain("github.io");
});

test.each([
  ["by mx.ours.example (Postfix) id 4F6"],
  ["from localhost (localhost) by smtp.ours.example (8.17.1/8.17.1) id 5AK"],
  ["from Debian-exim by smtp.ours.example with local (Exim 4.96) id 1tX"],
])("an email created by our own server is recognised by the Received line: %s", (first) => {
  const within = received("from mx.ours.example by imap.ours.example with LMTP id 7");
  const over = received(
    "from smtp.ours.example (smtp.ours.example [203.0.113.5]) by imap.ours.example (Postfix) with ESMTP id 8",
  );
  for (const above of [[], [within], [over], [within, over]]) {
    expect(isMadeHere(sideOf(...above, received(first)), ["203.0.113.5"])).toBe(true);
  }
  expect(isMadeHere(sideOf(over, received(first)), ["203.0.113.6"])).toBe(false);
});

test("a qmail bounce counts as created by our server, and an email from a local qmail user does not", () => {
  expect(isMadeHere(sideOf("Received: (qmail 123 invoked for bounce); 20 Nov 2026 10:00:00 -0000"), [])).toBe(true);
  expect(isMadeHere(sideOf("Received: (qmail 123 invoked by uid 89); 20 Nov 2026 10:00:00 -0000"), [])).toBe(false);
});

test.each([
  [[]],
  [[STRANGER]],
  [[STRANGER, received("by mx.ours.example (Postfix) id 9")]],
  [
    [
      received("from localhost (localhost [127.0.0.1]) by mx.ours.example (Postfix) with ESMTP id 2"),
      STRANGER,
      received("by mx.ours.example id 9"),
    ],
  ],
  [
    [
      received("from [127.0.0.1] (unknown [198.51.100.7]) by mx.ours.example with ESMTP"),
      received("by mx.ours.example (Postfix) id 9"),
    ],
  ],
  [
    [
      received("from 127.0.0.1 (198.51.100.7) by mx.ours.example with Microsoft SMTP Server"),
      received("by mx.ours.example id 9"),
    ],
  ],
  [
    [
      received("from localhost ([IPv6:2001:db8::7]) by mx.ours.example with ESMTP"),
      received("by mx.ours.example (Postfix) id 9"),
    ],
  ],
  [[received("from smtp.ours.example by mx.ours.example with ESMTP"), received("by mx.ours.example (Postfix) id 9")]],
  [[received("by mx.ours.example (Postfix, from userid 1001) id 9")]],
  [[received("from eve by smtp.ours.example with local (Exim 4.96) id 1tX")]],
  [[received("by mx.ours.example (Postfix) id 4F6"), received("by mx.evil.example (Postfix) id 9")]],
])("an email from another server or from a local user does not count as created by our server (%#)", (fields) => {
  expect(isMadeHere(sideOf(...fields), ["203.0.113.5"])).toBe(false);
});

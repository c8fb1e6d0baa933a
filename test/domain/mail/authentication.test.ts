import { expect, test } from "@jest/globals";
import { parseInbound } from "../../../connectors/mime/parse.ts";
import { statedAuthentication } from "../../../domain/mail/authentication.ts";
import { ownSideOf } from "../../../domain/mail/own-side.ts";

function stated(headers: string[], from = "bob@b.example.com") {
  const message = parseInbound(Buffer.from(`${headers.join("\n")}\nFrom: ${from}\nSubject: x\n\nHello`));
  return statedAuthentication(message, ownSideOf(message.trace, ["imap.mail.example.net"]));
}
const RECEIVED =
  "Received: from sender.example.com (sender.example.com [198.51.100.7]) by mx.google.com with ESMTPS id x; Fri, 20 Nov 2026 10:00:00 +0000";
const RESULTS = "Authentication-Results: mx.google.com;";

test.each([
  ["dmarc=pass (p=REJECT) header.from=example.com", "PASS"],
  ["spf=fail smtp.mailfrom=x@other.org; dmarc=fail (p=NONE dis=NONE) header.from=example.com", "FAIL"],
  ["dkim=pass header.i=@example.com header.s=s; spf=none", "PASS"],
  ["spf=pass (google.com: domain of x@b.example.com designates) smtp.mailfrom=x@b.example.com", "PASS"],
  ["dkim=pass header.d=mailer.org; spf=pass smtp.mailfrom=b@mailer.org", "NONE"],
  ["spf=fail smtp.mailfrom=bob@b.example.com", "FAIL"],
  ["dkim=pass header.d=list.org; spf=fail smtp.mailfrom=bob@b.example.com", "NONE"],
  ["spf=softfail (a comment; dmarc=pass) smtp.mailfrom=x@y.org", "NONE"],
])("the verdict of the receiving server counts: %s is %s", (results, expected) => {
  expect(stated([RECEIVED, `${RESULTS} ${results}`])).toBe(expected);
});

test("only the topmost header counts, and only under a name of the receiving side", () => {
  expect(stated([RECEIVED, `${RESULTS} dmarc=fail`, `${RESULTS} dmarc=pass`])).toBe("FAIL");
  expect(stated([RECEIVED, "Authentication-Results: mx.evil.org; dmarc=pass"])).toBeNull();
  expect(stated([RECEIVED, "Authentication-Results: dmarc=pass header.from=example.com"])).toBeNull();
  expect(stated(["Authentication-Results: mx.mail.example.net; dmarc=pass"])).toBe("PASS");
  expect(stated([RECEIVED])).toBeNull();
});

test.each([
  [
    "below a line of another server, under our server's name",
    [RECEIVED, "Received: from x by mx.evil.org with SMTP", `${RESULTS} dmarc=pass`],
  ],
  [
    "of a server that only its own lines name",
    [RECEIVED, "Received: from x by mx.evil.org with SMTP", "Authentication-Results: mx.evil.org; dmarc=pass"],
  ],
  ["below those of our server", [RECEIVED, `${RESULTS} spf=none`, `${RESULTS} dmarc=pass`]],
  [
    "within a quoted local part",
    [RECEIVED, `${RESULTS} spf=pass smtp.mailfrom="a; dmarc=pass header.from=example.com"@evil.org`],
  ],
  [
    "within a quoted local part of a comment",
    [RECEIVED, `${RESULTS} spf=none (domain of "a); dmarc=pass ("@evil.org) smtp.mailfrom=evil.org`],
  ],
  ["beside the opposite", [RECEIVED, `${RESULTS} dmarc=pass; dmarc=fail`]],
  ["of another tenant of the sender's host", [RECEIVED, `${RESULTS} dkim=pass header.d=evil.github.io`]],
])("results that the sender wrote are ignored: %s", (_where, headers) => {
  expect(stated(headers, headers.at(-1)?.includes("github") ? "bob@mine.github.io" : undefined)).not.toBe("PASS");
});

test("results without a server name count if the server that received the email is a known one", () => {
  const received =
    "Received: from x.example.com by AM0PR01.eurprd01.prod.outlook.com with Microsoft SMTP Server; Fri, 20 Nov 2026 10:00:00 +0000";
  expect(
    stated([
      received,
      "Authentication-Results: spf=pass smtp.mailfrom=example.com; dmarc=pass action=none header.from=example.com",
    ]),
  ).toBe("PASS");
});

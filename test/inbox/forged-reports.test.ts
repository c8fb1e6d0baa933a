import { expect, test } from "@jest/globals";
import { openapiOf } from "../../api/openapi.ts";
import { routes } from "../../api/routes.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import type { SentMail } from "../fakes/sent-mail.ts";
import {
  contacted,
  events,
  imap,
  leadNow,
  listening,
  mailbox,
  newCampaign,
  type Person,
  read,
  recipientNow,
  rest,
  watch,
  webhooks,
  workspaceId,
} from "../listening/listening.ts";
import { deliveryReport, mail } from "../listening/reading.ts";

listening();

interface Forged {
  from?: string;
  trace?: string[];
}

const STRANGER =
  "Received: from evil.test (evil.test [198.51.100.7]) by mx.a.test (Postfix) with ESMTPS id 4F; Fri, 20 Nov 2026 10:00:00 +0000";

/**
 * A report of a permanent failure that contains nothing of our mail but the address; `trace` is put above it, as
 * servers do.
 */
function failureOf(
  address: string,
  { from = "MAILER-DAEMON@b.test", trace = [STRANGER], returned = [] }: Forged & { returned?: SentMail[] } = {},
): string {
  const blocks = [{ address, status: "5.1.1", diagnostic: "550 5.1.1 User unknown" }];
  const raws = returned.map(({ raw }) => raw);
  return [...trace, deliveryReport(blocks, raws, { From: `Mail Delivery System <${from}>` })].join("\r\n");
}

/** A feedback-loop report that contains nothing of our mail but the address, or not even that. */
function complaintOf(address: string | null, { from = "feedback@b.test", trace = [STRANGER] }: Forged = {}): string {
  const fields = [
    "Feedback-Type: abuse",
    "User-Agent: Loop/1",
    "Version: 1",
    ...(address === null ? [] : [`Original-Rcpt-To: <${address}>`]),
  ];
  const parts = [
    "Content-Type: text/plain\n\nThis is an abuse report.\n",
    `Content-Type: message/feedback-report\n\n${fields.join("\n")}\n`,
  ];
  const type = 'multipart/report; report-type=feedback-report; boundary="=_f"';
  const report = mail(
    { From: from, "Content-Type": type },
    `${parts.map((part) => `--=_f\n${part}\n`).join("")}--=_f--\n`,
  );
  return [...trace, report].join("\r\n");
}

const passed = (domain: string, server = "mx.a.test") =>
  `Authentication-Results: ${server}; dmarc=pass header.from=${domain}`;

async function expectNothingHeard(person: Person): Promise<void> {
  expect(await recipientNow(person)).toMatchObject({ status: "IN_PROGRESS", bounce: null, bouncedAt: null });
  expect(await leadNow(person)).toMatchObject({ suppressed: false });
  expect(await scoped(workspaceId).Send.get(person.send._id)).toMatchObject({ state: person.send.state });
  expect(await scoped(workspaceId).Mailbox.get(mailbox._id)).toMatchObject({ status: "CONNECTED", statusReason: null });
  expect([...(await events("BOUNCED")), ...(await webhooks("BOUNCED"))]).toEqual([]);
}

test.each([
  ["from a stranger", { from: "MAILER-DAEMON@evil.test" }],
  ["under the name of the recipient's domain", {}],
  ["under our own server's name", { from: "MAILER-DAEMON@a.test" }],
  [
    "whose stranger passed under a name of its own",
    { from: "MAILER-DAEMON@evil.test", trace: [passed("evil.test"), STRANGER] },
  ],
  ["with results under another server's name", { trace: [passed("b.test", "mx.evil.test"), STRANGER] }],
  [
    "with results of a server that only its own lines name",
    {
      trace: [
        STRANGER,
        "Received: from x by mx.evil.test with ESMTP; Fri, 20 Nov 2026 09:00:00 +0000",
        passed("b.test", "mx.evil.test"),
      ],
    },
  ],
  [
    "with our server's name in results below a line of another",
    {
      trace: [
        STRANGER,
        "Received: from x by mx.evil.test with ESMTP; Fri, 20 Nov 2026 09:00:00 +0000",
        passed("b.test"),
      ],
    },
  ],
  [
    "below results of our server that speak against it",
    { trace: [`Authentication-Results: mx.a.test; dmarc=fail`, STRANGER, passed("b.test")] },
  ],
  ["of a person of the same domain", { from: "eve@b.test", trace: [passed("b.test"), STRANGER] }],
  [
    "that claims to have begun on our server",
    {
      from: "MAILER-DAEMON@a.test",
      trace: [STRANGER, "Received: by mx.a.test (Postfix) id 9A; Fri, 20 Nov 2026 09:00:00 +0000"],
    },
  ],
])("a report %s that only names an address is stored as disputed and has no effect", async (_how, options: Forged) => {
  const person = await contacted("gone@b.test", await newCampaign());
  await watch();
  imap.deliver(failureOf("gone@b.test", options));
  expect(await read(1)).toMatchObject([
    { kind: "BOUNCE", isDisputed: true, bounce: null, recipientId: null, sendId: null, category: null },
  ]);
  await expectNothingHeard(person);
  expect(await scoped(workspaceId).Thread.count({})).toBe(1);
});

const OWN_HOP = "Received: from mx.a.test by mx.a.test with LMTP id 77; Fri, 20 Nov 2026 10:00:01 +0000";

test.each([
  ["returns the mail it is about", { from: "MAILER-DAEMON@evil.test", returns: true }, "Message-ID"],
  ["passed as the recipient's domain at our server", { trace: [OWN_HOP, STRANGER, passed("b.test")] }, "address"],
  [
    "passed as a host of the recipient's domain",
    { from: "postmaster@mx1.b.test", trace: [passed("mx1.b.test"), STRANGER] },
    "address",
  ],
  [
    "passed as our provider",
    { from: "mailer-daemon@smtp.a.test", trace: [STRANGER, passed("smtp.a.test")] },
    "address",
  ],
  [
    "was made by our submission server",
    {
      from: "MAILER-DAEMON@mx.a.test",
      trace: [OWN_HOP, "Received: by mx.a.test (Postfix) id 9A; Fri, 20 Nov 2026 10:00:00 +0000"],
    },
    "address",
  ],
  [
    "came from our submission server over its own address",
    {
      from: "MAILER-DAEMON@smtp.a.test",
      trace: [
        "Received: from smtp.a.test (localhost [127.0.0.1]) by mx.a.test (Postfix) with ESMTP id 9B; Fri, 20 Nov 2026 10:00:00 +0000",
        "Received: from Debian-exim by smtp.a.test with local (Exim 4.96) id 1a; Fri, 20 Nov 2026 10:00:00 +0000",
      ],
    },
    "address",
  ],
])(
  "a report that %s takes effect",
  async (_how, { returns = false, ...options }: Forged & { returns?: boolean }, rule) => {
    const person = await contacted("gone@b.test", await newCampaign());
    await watch();
    imap.deliver(failureOf("gone@b.test", { ...options, returned: returns ? [person.sent] : [] }));
    expect(await read(1)).toMatchObject([
      { kind: "BOUNCE", isDisputed: false, evidence: { rule }, category: "BOUNCE" },
    ]);
    expect(await recipientNow(person)).toMatchObject({ status: "BOUNCED", bounce: { type: "HARD" } });
    expect(await leadNow(person)).toMatchObject({ suppressed: true, suppressionReason: "HARD_BOUNCE" });
    expect(await webhooks("BOUNCED")).toHaveLength(1);
  },
);

test("a bounce report that was addressed to another mailbox is disputed, even if it is authenticated", async () => {
  const person = await contacted("gone@b.test", await newCampaign());
  await watch();
  imap.deliver(
    failureOf("gone@b.test", { trace: [passed("b.test"), STRANGER] }).replaceAll(mailbox.email, "someone@evil.test"),
  );
  expect(await read(1)).toMatchObject([{ kind: "BOUNCE", isDisputed: true }]);
  await expectNothingHeard(person);
});

test("an authenticated report that only names an address ends no recipient whose email another mailbox sent", async () => {
  const person = await contacted("gone@b.test", await newCampaign());
  await scoped(workspaceId).Send.updateOne({ _id: person.send._id }, { $set: { mailboxId: newId("mbx") } });
  await watch();
  imap.deliver(failureOf("gone@b.test", { trace: [passed("b.test"), STRANGER] }));
  expect(await read(1)).toMatchObject([{ recipientId: null, sendId: null }]);
  await expectNothingHeard(person);
});

test("a report that returns one person's email but names another address is a bounce of that email, and ends no other recipient", async () => {
  const campaignId = await newCampaign();
  const [spy, person] = [await contacted("spy@b.test", campaignId), await contacted("gone@b.test", campaignId)];
  await watch();
  imap.deliver(failureOf("gone@b.test", { from: "MAILER-DAEMON@evil.test", returned: [spy.sent] }));
  expect(await read(1)).toMatchObject([
    { kind: "BOUNCE", recipientId: spy.recipient._id, bounce: { reason: "FORWARDED" } },
  ]);
  expect(await recipientNow(spy)).toMatchObject({ status: "BOUNCED", stopReason: "FORWARDED" });
  expect(await recipientNow(person)).toMatchObject({ status: "IN_PROGRESS", bounce: null, bouncedAt: null });
  for (const one of [spy, person]) expect(await leadNow(one)).toMatchObject({ suppressed: false });
});

test("three forged refusals, a forged delay and two forged complaints neither pause the mailbox nor stop a recipient", async () => {
  const campaignId = await newCampaign();
  const person = await contacted("gone@b.test", campaignId);
  await watch();
  const refused = (text: string, action: string) =>
    failureOf("gone@b.test").replaceAll("550 5.1.1 User unknown", text).replaceAll("failed", action);
  for (const n of [1, 2, 3]) imap.deliver(refused(`550 5.7.1 Blocked using zen.spamhaus.org ${n}`, "failed"));
  imap.deliver(refused("451 4.4.1 No answer", "delayed"));
  for (const address of ["gone@b.test", "gone@b.test", null]) imap.deliver(complaintOf(address));
  const kinds = (await read(7)).map(({ kind, isDisputed }) => [kind, isDisputed]);
  expect(kinds).toEqual([...Array(3).fill(["BOUNCE", true]), ["DELAY", true], ...Array(3).fill(["COMPLAINT", true])]);
  await expectNothingHeard(person);
  expect(await scoped(workspaceId).Message.count({ campaignId, direction: "INBOUND" })).toBe(0);
});

test("a complaint counts only with proof: for the person whose email it names, and without such an email for the mailbox alone", async () => {
  const campaignId = await newCampaign();
  const [calm, angry] = [await contacted("calm@b.test", campaignId), await contacted("angry@b.test", campaignId)];
  const statusNow = async () => (await scoped(workspaceId).Mailbox.get(mailbox._id))?.status;
  await watch();
  imap.deliver(complaintOf(null, { from: "abuse@a.test", trace: [passed("a.test"), STRANGER] }));
  expect(await read(1)).toMatchObject([{ kind: "COMPLAINT", isDisputed: false, recipientId: null, campaignId: null }]);
  // It names none of our emails: another domain's claim about our mailbox is not proof
  imap.deliver(complaintOf(null, { trace: [passed("b.test"), STRANGER] }));
  expect((await read(2))[1]).toMatchObject({ kind: "COMPLAINT", isDisputed: true });
  expect(await statusNow()).toBe("CONNECTED");
  imap.deliver(complaintOf("angry@b.test", { trace: [passed("b.test"), STRANGER] }));
  expect((await read(3))[2]).toMatchObject({ kind: "COMPLAINT", isDisputed: false, recipientId: angry.recipient._id });
  expect(await leadNow(angry)).toMatchObject({ suppressed: true, suppressionReason: "COMPLAINT" });
  expect(await leadNow(calm)).toMatchObject({ suppressed: false });
  expect(await scoped(workspaceId).Mailbox.get(mailbox._id)).toMatchObject({
    status: "COOLING_DOWN",
    statusReason: "COMPLAINTS",
  });
});

test("complaints that only the mailbox's own provider reports also put the mailbox in cooldown", async () => {
  await watch();
  for (const n of [1, 2]) {
    imap.deliver(complaintOf(null, { from: "abuse@a.test", trace: [passed("a.test"), STRANGER] }));
    await read(n);
  }
  expect(await scoped(workspaceId).Mailbox.get(mailbox._id)).toMatchObject({
    status: "COOLING_DOWN",
    statusReason: "COMPLAINTS",
  });
});

test("a forged report does not prove that an email went out, but a report with the id of the mail does", async () => {
  const send = { state: "UNKNOWN", sentAt: null } as const;
  const person = await contacted("gone@b.test", await newCampaign(), { send });
  await contacted("gone@b.test", await newCampaign());
  await watch();
  imap.deliver(failureOf("gone@b.test"));
  imap.deliver(complaintOf("gone@b.test"));
  await read(2);
  await expectNothingHeard(person);
  imap.deliver(failureOf("gone@b.test", { returned: [person.sent] }));
  await read(3);
  expect(await scoped(workspaceId).Send.get(person.send._id)).toMatchObject({ state: "BOUNCED", evidence: "bounce" });
});

test("the inbox shows a report without proof, and marks the report as disputed", async () => {
  await contacted("gone@b.test", await newCampaign());
  await watch();
  imap.deliver(failureOf("gone@b.test"));
  const [message] = await read(1);
  const stored = await scoped(workspaceId).Message.get(message?._id ?? "");
  const { body } = await rest.get(`/inbox/threads/${stored?.threadId}`);
  expect(body).toMatchObject({ category: null, messages: [{ kind: "BOUNCE", isDisputed: true, category: null }] });
  // Messages stored before this field existed
  await scoped(workspaceId).Message.updateOne({ _id: message?._id }, { $unset: { isDisputed: 1 } });
  expect((await rest.get(`/inbox/threads/${stored?.threadId}`)).body).toMatchObject({
    messages: [{ isDisputed: false }],
  });
  const document: unknown = JSON.parse(JSON.stringify(openapiOf(routes, "https://a.test")));
  expect(document).toHaveProperty("components.schemas.Message.properties.isDisputed.type", "boolean");
});

import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { abuseMarks } from "../../activities/sending/write-mail.ts";
import { oldestKey } from "../../domain/access/tokens.ts";
import { feedbackCustomer } from "../../domain/mail/message.ts";
import { scoped } from "../../models/scoped.ts";
import { findReported } from "../../operations/abuse/find-workspace.ts";
import { headerOf, type SentMail } from "../fakes/sent-mail.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { type SendingWorld, startSendingWorld } from "../sending/sending-world.ts";

const CONTACT = "abuse@operator.test";
const FEEDBACK = /^[a-z2-7]{12}:[a-z2-7]{12}:campaign:[a-z2-7]{12}$/;
let here: SendingWorld;
beforeAll(async () => {
  here = await startSendingWorld({ abuseContact: CONTACT });
}, 120_000);
afterAll(() => here.close());

const STEPS = [
  { subject: "A talk", body: "<p>Hello</p>", delay: 0 },
  { subject: "", body: "<p>Still there?</p>", delay: { value: 0, unit: "MINUTES" } },
];
const header = (mail: SentMail | undefined, name: string) => headerOf(mail?.raw ?? Buffer.alloc(0), name);

test("each email of a campaign carries X-Abuse and a Feedback-ID that names no one (rules/mail 1.7)", async () => {
  const { workspaceId, world } = here;
  const emails = ["one@people.test", "two@people.test"];
  const [first, second] = [await here.campaign(emails, STEPS), await here.campaign(["three@people.test"], STEPS)];
  for (const path of [first, second]) await here.launch(path);
  for (const path of [first, second]) await here.ended(path);
  const mails = [...emails, "three@people.test"].flatMap((email) => here.mailsTo(email));
  expect(mails).toHaveLength(6);
  const feedback = mails.map((mail) => header(mail, "Feedback-ID") ?? "");
  for (const value of feedback) expect(value).toMatch(FEEDBACK);
  expect(mails.map((mail) => header(mail, "X-Abuse"))).toEqual(mails.map(() => CONTACT));
  // One value for each campaign, with the same customer and sender in both
  expect(new Set(feedback).size).toBe(2);
  const part = (index: number) => new Set(feedback.map((value) => value.split(":")[index]));
  expect([part(0).size, part(1).size, part(3).size]).toEqual([2, 1, 1]);
  expect([...part(1)]).toEqual([feedbackCustomer(oldestKey(world.services.signing.reference), workspaceId)]);
});

test("a test email carries the marks as well, without a campaign where it has none", async () => {
  const path = await here.campaign([], STEPS);
  const asked = { toEmail: "colleague@people.test" };
  const answer = await here.rest.post(`${path}/test-send`, asked);
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  await until(() => here.mailsTo("colleague@people.test").length > 0, { ...MAIL_DEADLINE, what: "the test email" });
  const [mail] = here.mailsTo("colleague@people.test");
  expect(header(mail, "Feedback-ID")).toMatch(/^(?:none|[a-z2-7]{12}):[a-z2-7]{12}:test:[a-z2-7]{12}$/);
  expect(header(mail, "X-Abuse")).toBe(CONTACT);
});

test("an email is resolved to its workspace by Message-ID, a replaced id, X-Mail-Ref and Feedback-ID, and to no other (rules/mail 1.8)", async () => {
  const { workspaceId, world } = here;
  const other = await world.workspace();
  const path = await here.campaign(["reported@people.test"], STEPS.slice(0, 1));
  await here.launch(path);
  await here.ended(path);
  const [mail] = here.mailsTo("reported@people.test");
  const { Send } = scoped(workspaceId);
  const send = await Send.findOne({ to: "reported@people.test" });
  await Send.updateOne(
    { _id: send?._id ?? "" },
    { $set: { relayIds: ["am6pr05mb5123abc"] }, $push: { messageIds: "<Replaced.1@provider.test>" } },
  );
  const foundBy = (value: string) => findReported(value, async () => world.services.signing);
  const expected = [{ workspaceId, isSuspended: false, send: { id: send?._id, kind: "CAMPAIGN", state: "SENT" } }];
  const messageId = mail?.messageId ?? "";
  for (const value of [
    messageId,
    messageId.slice(1, -1),
    `Message-ID: ${messageId}`,
    "<Replaced.1@provider.test>",
    "<AM6PR05MB5123abc@relay.test>",
    mail?.mailRef ?? "",
    (mail?.mailRef ?? "").toUpperCase(),
  ])
    expect([value, await foundBy(value)]).toMatchObject([value, expected]);
  expect(await foundBy(header(mail, "Feedback-ID") ?? "")).toMatchObject([{ workspaceId, send: null }]);
  for (const value of ["<unknown@a.test>", "aaaaaaaaaaaaaaaaaaaa", "none:aaaaaaaaaaaa:reply:aaaaaaaaaaaa", "%"])
    expect(await foundBy(value)).toEqual([]);
  expect(other.workspaceId).not.toBe(workspaceId);
});

test("the Feedback-ID of a workspace stays the same when a new key is added", () => {
  const { signing } = here.world.services;
  const send = { workspaceId: here.workspaceId, campaignId: "cmp_1" };
  const marksBy = (...reference: { kid: string; key: Buffer }[]) =>
    abuseMarks({ keys: { ...signing, reference }, abuseContact: null }, send, "reply");
  const [old, added] = [1, 2].map((byte) => ({ kid: String(byte), key: Buffer.alloc(32, byte) }));
  if (old === undefined || added === undefined) throw new Error("There are no keys");
  expect(marksBy(added, old)).toEqual(marksBy(old));
  expect(marksBy(added)).not.toEqual(marksBy(old));
});

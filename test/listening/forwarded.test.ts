import { expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { deliveryFailure } from "../fakes/mails.ts";
import {
  contacted,
  events,
  leadNow,
  listening,
  mailbox,
  newCampaign,
  type Person,
  recipientNow,
  sendNow,
  webhooks,
  workspaceId,
} from "./listening.ts";
import { deliveryReport, take } from "./reading.ts";

listening();

/** The report of the system to which a person's mail is forwarded. */
function ofForwarder(
  person: Person,
  { target = "new@gone.test", original = "", status = "5.1.1", said = "550 5.1.1 User unknown" } = {},
): string {
  const report = deliveryReport([{ address: target, status, diagnostic: said }], [person.sent.raw]);
  return original === ""
    ? report
    : report.replace("Final-Recipient:", `Original-Recipient: rfc822;${original}\nFinal-Recipient:`);
}

test.each([
  ["names only the address that it forwards to", {}],
  ["names the recipient as the original one", { original: "lead@b.test" }],
  ["is refused for a policy", { status: "5.7.26", said: "550 5.7.26 SPF did not pass for this forwarded mail" }],
  ["finds a full mailbox", { status: "5.2.2", said: "552 5.2.2 Mailbox full" }],
])(
  "a bounce from a forwarder that %s ends the sequence, and the lead's own address is not suppressed",
  async (_what, options) => {
    const campaignId = await newCampaign();
    const person = await contacted("lead@b.test", campaignId);
    const report = await take(ofForwarder(person, options));
    expect(report).toMatchObject({
      kind: "BOUNCE",
      recipientId: person.recipient._id,
      sendId: person.send._id,
      bounce: { reason: "FORWARDED" },
    });
    expect(await recipientNow(person)).toMatchObject({
      status: "BOUNCED",
      stopReason: "FORWARDED",
      bouncedAt: expect.any(Date),
      bounce: { reason: "FORWARDED" },
    });
    expect(await sendNow(person)).toMatchObject({ state: "BOUNCED", failure: { reason: "FORWARDED" } });
    expect(await leadNow(person)).toMatchObject({ suppressed: false, verificationStatus: "UNVERIFIED" });
    expect(await webhooks("BOUNCED")).toMatchObject([{ email: "lead@b.test" }]);
    const stored = await scoped(workspaceId).Mailbox.get(mailbox._id);
    expect(stored).toMatchObject({ status: "CONNECTED", restReason: null });
    // The same report again adds nothing new
    await take(ofForwarder(person, options));
    expect(await events("BOUNCED")).toHaveLength(1);
  },
);

test("a bounce that names an internal host of the recipient's domain is a hard bounce and suppresses the address", async () => {
  const person = await contacted("lead@b.test", await newCampaign());
  await take(ofForwarder(person, { target: "lead@mailbox01.b.test", original: "lead@b.test" }));
  expect(await recipientNow(person)).toMatchObject({ status: "BOUNCED", stopReason: "HARD_BOUNCE" });
  expect(await leadNow(person)).toMatchObject({ suppressed: true });
});

test("a bounce report about several of our emails and an unknown address ends no recipient", async () => {
  const campaignId = await newCampaign();
  const [one, other] = [await contacted("one@b.test", campaignId), await contacted("other@b.test", campaignId)];
  const blocks = [{ address: "stranger@gone.test", status: "5.1.1", diagnostic: "550 5.1.1 User unknown" }];
  expect(await take(deliveryReport(blocks, [one.sent.raw, other.sent.raw]))).toMatchObject({ kind: "OTHER" });
  for (const person of [one, other])
    expect(await recipientNow(person)).toMatchObject({ status: "IN_PROGRESS", bounce: null });
});

test("bounces of forwarders do not count for the campaign's bounce guard", async () => {
  const campaignId = await newCampaign({ bounceGuard: { enabled: true, rate: 0.6, minSends: 2 } });
  await take(ofForwarder(await contacted("lead@b.test", campaignId)));
  await take(deliveryFailure((await contacted("gone@b.test", campaignId)).sent));
  expect(await scoped(workspaceId).Campaign.get(campaignId)).toMatchObject({ status: "ACTIVE" });
});

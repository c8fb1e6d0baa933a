import { expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { complaint, deliveryFailure } from "../fakes/mails.ts";
import { contacted, listening, mailbox, newCampaign, workspaceId } from "./listening.ts";
import { take } from "./reading.ts";

listening();

/** Emails that the mailbox sent a while ago, or warmup emails that it sends after everything else. */
async function sendMore(count: number, kind: "CAMPAIGN" | "WARMUP" = "CAMPAIGN"): Promise<void> {
  const row = { mailboxId: mailbox._id, to: "a@b.test", state: "SENT" as const, kind };
  const at = Date.now() + (kind === "WARMUP" ? 60_000 : -60_000);
  const rows = Array.from({ length: count }, (_, index) => ({
    _id: newId("snd"),
    ...row,
    sentAt: new Date(at - index),
  }));
  await scoped(workspaceId).Send.insertMany(rows);
}

const statusNow = async () => (await scoped(workspaceId).Mailbox.get(mailbox._id))?.status;

test("a mailbox cools down when five of its last hundred emails hard-bounced, not counting warmup emails and not after only a few emails", async () => {
  const campaignId = await newCampaign({ bounceGuard: { enabled: false } });
  const gone = async (name: string) => take(deliveryFailure((await contacted(`${name}@b.test`, campaignId)).sent));
  for (const name of ["a", "b", "c"]) await gone(name);
  expect(await statusNow()).toBe("CONNECTED");
  await sendMore(120);
  await gone("d");
  expect(await statusNow()).toBe("CONNECTED");
  await sendMore(99, "WARMUP");
  await gone("e");
  expect(await scoped(workspaceId).Mailbox.get(mailbox._id)).toMatchObject({
    status: "COOLING_DOWN",
    statusReason: "HARD_BOUNCES",
  });
});

test("a hard bounce and a complaint each count once for their mailbox on the day of arrival, however often they are reported", async () => {
  const campaignId = await newCampaign({ bounceGuard: { enabled: false }, complaintGuard: { enabled: false } });
  const { MailboxFacts } = scoped(workspaceId);
  const countsNow = async () => {
    const rows = await MailboxFacts.find({ mailboxId: mailbox._id });
    return rows.reduce(
      (sum, row) => ({ bounced: sum.bounced + row.bounced, complained: sum.complained + row.complained }),
      {
        bounced: 0,
        complained: 0,
      },
    );
  };
  const before = await countsNow();
  const { sent } = await contacted("factual@b.test", campaignId);
  await take(deliveryFailure(sent));
  await take(deliveryFailure(sent));
  await take(complaint((await contacted("angry-fact@b.test", campaignId)).sent));
  const after = await countsNow();
  expect(after).toEqual({ bounced: before.bounced + 1, complained: before.complained + 1 });
  const day = new Date().toISOString().slice(0, 10);
  expect(await MailboxFacts.get(`${mailbox._id}:${day}`)).toMatchObject({ isNew: true, refused: 0 });
});

test("a mailbox that sent 1,000 campaign emails cools down after the third complaint, not after the second, however many warmup emails were sent", async () => {
  const campaignId = await newCampaign({ complaintGuard: { enabled: false } });
  const day = new Date().toISOString().slice(0, 10);
  const { MailboxDay } = scoped(workspaceId);
  await MailboxDay.insert({ _id: `${mailbox._id}:${day}`, mailboxId: mailbox._id, day, sent: 1_000 });
  const angry = async (name: string) => take(complaint((await contacted(`${name}@b.test`, campaignId)).sent));
  for (const name of ["a", "b"]) await angry(name);
  expect(await statusNow()).toBe("CONNECTED");
  await MailboxDay.updateOne({ _id: `${mailbox._id}:${day}` }, { $set: { sent: 5_000, sentBy: { warmup: 4_000 } } });
  await angry("c");
  expect(await scoped(workspaceId).Mailbox.get(mailbox._id)).toMatchObject({
    status: "COOLING_DOWN",
    statusReason: "COMPLAINTS",
  });
});

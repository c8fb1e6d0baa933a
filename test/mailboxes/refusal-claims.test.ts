import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { readRefusal } from "../../domain/bounces/refusal.ts";
import { MailDomain } from "../../models/deliverability/mail-domain.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { heedRefusal } from "../../store/mailboxes/refusals.ts";
import { claim } from "../../store/sending/claim.ts";
import { lastLook } from "../../store/sending/last-look.ts";
import { at, type Claiming, claimingIn } from "../sending/claiming.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
let workspaceId: string;
let claiming: Claiming;
beforeAll(async () => {
  world = await startWorld();
  ({ workspaceId } = await world.workspace());
  claiming = await claimingIn(workspaceId);
});
afterAll(() => world.close());

const policy = readRefusal({ stage: "RCPT", code: 550, text: "5.7.1 Access denied" });

/** Three organisations of one provider refuse the mailbox. */
async function refuseThrice(campaignId: string, mailbox: number): Promise<void> {
  const tag = randomUUID().slice(0, 6);
  for (const name of ["one", "two", "three"]) {
    const domain = `${name}-${tag}.test`;
    await MailDomain.create({ _id: domain, hosts: [`mx.big-${tag}.test`], staleAt: new Date(Date.now() + 60_000) });
    const send = await claiming.bookedSend(campaignId, `a@${domain}`, at(claiming.mailboxes, mailbox));
    await inTransaction(() => heedRefusal({ send, mailboxId: send.mailboxId ?? "", refusal: policy, code: "550" }));
  }
}

test("a claim is refused when a provider was paused after the mailbox was read, and succeeds with the mailbox's current state", async () => {
  const campaignId = await claiming.activeCampaign();
  const mailbox = at(claiming.mailboxes, 0);
  const send = await claiming.bookedSend(campaignId, `x@${randomUUID().slice(0, 8)}.test`, mailbox);
  const request = claiming.claimFor(send, campaignId, randomUUID());
  await refuseThrice(campaignId, 0);
  const { Mailbox } = scoped(workspaceId);
  expect(await Mailbox.get(mailbox._id)).toMatchObject({
    status: "CONNECTED",
    refusalTurn: 1,
    pausedProviders: [{ times: 1 }],
  });
  expect(await claim(request)).toEqual({ kind: "replan", by: "mailbox" });
  const current = (await Mailbox.get(mailbox._id)) ?? mailbox;
  expect(await claim({ ...request, mailbox: current })).toMatchObject({ kind: "claimed" });
});

test("an email that was claimed before its provider was paused does not enter DATA", async () => {
  const campaignId = await claiming.activeCampaign();
  const send = await claiming.bookedSend(campaignId, `x@${randomUUID().slice(0, 8)}.test`, at(claiming.mailboxes, 1));
  const claimed = await claiming.claimOf(send, campaignId, randomUUID());
  if (claimed.kind !== "claimed") throw new Error("It was not claimed");
  await refuseThrice(campaignId, 1);
  expect(await lastLook(claimed.request)).toMatchObject({ kind: "replan" });
  expect(await scoped(workspaceId).Send.get(send._id)).toMatchObject({ state: "SENDING", phase: "CLAIMED" });
});

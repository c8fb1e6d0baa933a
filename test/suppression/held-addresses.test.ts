import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Approval } from "../../models/campaigns/approval.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { askWhetherToStop } from "../../store/inbox/opt-out-question.ts";
import { claim } from "../../store/sending/claim.ts";
import { lastLook } from "../../store/sending/last-look.ts";
import { guardId } from "../../store/suppression/guard-id.ts";
import { suppressAddress } from "../../store/suppression/suppress.ts";
import { type Claiming, claimingIn } from "../sending/claiming.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
let workspaceId: string;
let rest: Rest;
let claiming: Claiming;

beforeAll(async () => {
  world = await startWorld();
  ({ workspaceId, rest } = await world.workspace());
  claiming = await claimingIn(workspaceId);
});
afterAll(() => world.close());

const guard = (email: string) => scoped(workspaceId).AddressGuard.get(guardId(workspaceId, email));

/** A question about a person whose recipient no claim reads: it holds only the address. */
function ask(email: string, leadId: string | null = null): Promise<string> {
  const recipient = { _id: newId("rcp"), email, leadId: leadId ?? newId("led") };
  const about = { threadId: null, messageId: null, campaignId: null, stepId: null, from: null };
  return inTransaction(() =>
    askWhetherToStop(workspaceId, { ...about, recipient, words: "How do I unsubscribe?", reason: "", confidence: 0.5 }),
  );
}

test("a campaign cannot send to or copy an address with an open opt-out question, but a user can reply to the address", async () => {
  const campaignId = await claiming.activeCampaign();
  await ask("held@people.test");
  const send = await claiming.bookedSend(campaignId, "held@people.test");
  const request = claiming.claimFor(send, campaignId, randomUUID());
  expect(await claim(request)).toEqual({ kind: "stopped", by: "question", reasons: [] });
  const reply = { kind: "REPLY" as const, recipientId: null, stepId: null, slotAt: null };
  const answer = await scoped(workspaceId).Send.insert({ ...send, ...reply, _id: newId("snd"), sendKey: newId("snd") });
  expect(await claim({ ...claiming.claimFor(answer, campaignId, randomUUID()), campaign: null })).toMatchObject({
    kind: "claimed",
  });
  const copied = await claiming.bookedSend(campaignId, "free@people.test");
  const withCopy = { ...claiming.claimFor(copied, campaignId, randomUUID()), also: ["held@people.test"] };
  expect(await claim(withCopy)).toEqual({ kind: "stopped", by: "question", reasons: [] });
  const question = await scoped(workspaceId).Approval.findOne({ addresses: "held@people.test" });
  await rest.post(`/approvals/${question?._id}`, { action: "reject" });
  expect(await claim(withCopy)).toMatchObject({ kind: "claimed" });
});

test("an email claimed before an opt-out question about the address is stopped by the last check before sending", async () => {
  const campaignId = await claiming.activeCampaign();
  const send = await claiming.bookedSend(campaignId, "soon@people.test");
  const request = claiming.claimFor(send, campaignId, randomUUID());
  const claimed = await claim(request);
  if (claimed.kind !== "claimed") throw new Error(`The claim was refused: ${claimed.kind}`);
  await ask("soon@people.test");
  expect(await lastLook(claimed.request)).not.toBeNull();
});

test("suppressing an address closes the open opt-out question, except after a hard bounce", async () => {
  await ask("bounced@people.test");
  await suppressAddress(workspaceId, "bounced@people.test", "HARD_BOUNCE");
  expect(await guard("bounced@people.test")).toMatchObject({
    reasons: ["HARD_BOUNCE"],
    heldBy: [expect.stringMatching(/^apr_/)],
  });
  const approvalId = await ask("gone@people.test");
  await suppressAddress(workspaceId, "gone@people.test", "MANUAL");
  expect(await guard("gone@people.test")).toMatchObject({ heldBy: [] });
  expect(await scoped(workspaceId).Approval.get(approvalId)).toMatchObject({ status: "APPROVED" });
});

test("an open opt-out question also holds the new address of the lead", async () => {
  const { body: lead } = await rest.post("/leads", { email: "old@people.test" });
  await ask("old@people.test", lead.id);
  expect(
    (await rest.post("/leads/manage", { action: "update", leadId: lead.id, patch: { email: "new@people.test" } }))
      .status,
  ).toBe(200);
  expect(await guard("new@people.test")).toMatchObject({ heldBy: [expect.stringMatching(/^apr_/)] });
});

test("deleting a lead with an open opt-out question records an opt-out for the address and closes the question", async () => {
  const { body: lead } = await rest.post("/leads", { email: "erased@people.test" });
  await ask("erased@people.test", lead.id);
  expect((await rest.post("/leads/manage", { action: "delete", leadId: lead.id })).status).toBe(200);
  expect(await guard("erased@people.test")).toMatchObject({ reasons: ["OPT_OUT_REPLY"], heldBy: [] });
  expect(
    await Approval.countDocuments({ addresses: "erased@people.test", status: "PENDING" }).setOptions({
      acrossWorkspaces: true,
    }),
  ).toBe(0);
});

import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { heldBackNow } from "../../activities/sending/hold-back.ts";
import { ENTERS_WITHIN_MS } from "../../domain/sending/last-look.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { lastLook } from "../../store/sending/last-look.ts";
import { recordWithdrawn } from "../../store/sending/record.ts";
import { suppressAddress } from "../../store/suppression/suppress.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { type SlowTcp, startSlowTcp } from "../fakes/slow-tcp.ts";
import type { Rest } from "../support/rest.ts";
import { sharedMongodb } from "../support/server-host.ts";
import { startWorld, type World } from "../support/world.ts";
import { at, type Claiming, claimingIn } from "./claiming.ts";

const LATE_MS = 220;

let mongodb: SlowTcp;
let world: World;
let rest: Rest;
let workspaceId: string;
let claiming: Claiming;

beforeAll(async () => {
  const { hostname, port } = new URL((await sharedMongodb()).replace("mongodb:", "http:"));
  mongodb = await startSlowTcp({ host: hostname, port: Number(port) });
  world = await startWorld({ mongodbUri: `mongodb://127.0.0.1:${mongodb.port}/?directConnection=true` });
  ({ workspaceId, rest } = await world.workspace());
  claiming = await claimingIn(workspaceId);
}, 60_000);
afterEach(() => mongodb.delay(0));
afterAll(async () => {
  await world.close();
  await mongodb.close();
});

async function booked(mailbox: number): Promise<{ campaignId: string; send: Send }> {
  const campaignId = await claiming.activeCampaign();
  return {
    campaignId,
    send: await claiming.bookedSend(campaignId, `${randomUUID()}@people.test`, at(claiming.mailboxes, mailbox)),
  };
}

test("with a slow database, a last check of over half a second still lets an email enter DATA, and still withdraws a stopped email", async () => {
  const [mail, stopped] = [await booked(0), await booked(1)];
  mongodb.delay(LATE_MS);
  const claims = await Promise.all(
    [mail, stopped].map(({ send, campaignId }) => claiming.claimOf(send, campaignId, randomUUID())),
  );
  await suppressAddress(workspaceId, stopped.send.to, "MANUAL");
  const looks = claims.map(async (claimed) => {
    if (claimed.kind !== "claimed") throw new Error(`refused: ${claimed.kind}`);
    const begunAt = performance.now();
    const refusal = await lastLook(claimed.request, claimed.timing);
    return { refusal, tookMs: performance.now() - begunAt };
  });
  const [went, withdrawn] = await Promise.all(looks);
  expect(went?.refusal).toBeNull();
  expect(went?.tookMs).toBeGreaterThan(ENTERS_WITHIN_MS);
  expect(withdrawn?.refusal).toMatchObject({ kind: "stopped" });
  const { entersWithinMs } = (await scoped(workspaceId).Send.get(mail.send._id)) ?? {};
  expect(entersWithinMs).toBeGreaterThan(ENTERS_WITHIN_MS);
}, 60_000);

test("holding back an email releases its claim, does not count as a failed attempt, and lasts longer the second time in a row", async () => {
  const { campaignId, send } = await booked(2);
  const claimed = await claiming.claimOf(send, campaignId, "first");
  if (claimed.kind !== "claimed") throw new Error(`refused: ${claimed.kind}`);
  const first = heldBackNow(claimed.send);
  expect(await recordWithdrawn(claimed.send, "another", first)).toBe(false);
  expect(await recordWithdrawn(claimed.send, "first", first)).toBe(true);
  const row = await scoped(workspaceId).Send.get(send._id);
  expect(row).toMatchObject({
    state: "RELEASED",
    attempts: 0,
    heldBack: { times: 1 },
    failure: { reason: "HELD_BACK" },
  });
  const second = heldBackNow(row ?? send);
  const msOf = ({ at, until }: NonNullable<Send["heldBack"]>) => until.getTime() - at.getTime();
  expect(second.times).toBe(2);
  expect(msOf(second)).toBeGreaterThan(msOf(first));
  await scoped(workspaceId).Send.updateOne({ _id: send._id }, { $set: { heldBack: null } });
});

test("an email that is held back by a slow database is counted by /readyz, and the explanation names the time of the next attempt", async () => {
  const { campaignId, path, mailbox } = await readyCampaign(rest, workspaceId, ["held@people.test"]);
  const { Campaign, Recipient, Send } = scoped(workspaceId);
  const { body: sequence } = await rest.get(`${path}/sequence`);
  const [{ stepId }] = sequence.steps;
  await Campaign.updateOne({ _id: campaignId }, { $set: { status: "ACTIVE" } });
  const recipient = await Recipient.findOne({ campaignId });
  const recipientId = recipient?._id ?? "";
  const admitted = { status: "PENDING", admittedAt: new Date(), nextStepId: stepId, mailboxId: mailbox._id } as const;
  await Recipient.updateOne({ _id: recipientId }, { $set: admitted });
  const until = new Date(Date.now() + 90_000);
  const heldBack = { times: 2, at: new Date(), until };
  const row = { campaignId, recipientId, stepId, to: "held@people.test", mailboxId: mailbox._id, slotAt: new Date() };
  await Send.insert({ _id: `snd_${randomUUID()}`, ...row, state: "RESERVED", heldBack });

  const { body } = await rest.get(`${path}/recipients/${recipientId}/explain`);
  expect(body.rules).toContainEqual(
    expect.objectContaining({
      code: "DATABASE_SLOW",
      values: expect.objectContaining({ times: 2, until: until.toISOString() }),
    }),
  );
  expect(Date.parse(body.next.at)).toBeGreaterThanOrEqual(until.getTime());
  const ready = await (await fetch(`${world.baseUrl}/readyz`)).json();
  expect(ready).toMatchObject({ emailsHeldBack: 1 });
});

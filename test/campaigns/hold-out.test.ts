import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { isHeldOut } from "../../domain/campaigns/hold-out.ts";
import type { Recipient } from "../../models/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { startWorld, type World } from "../support/world.ts";
import { randomFrom } from "../system/killed-worker.ts";
import { campaignOf } from "./round-parts.ts";

let world: World;
beforeAll(async () => {
  // No worker acts on what is started here
  world = await startWorld({ temporal: true });
}, 60_000);
afterAll(() => world.close());

const SHARE = 0.2;

/** A campaign of this many people, of whom the share draws at least one: the draw follows new ids, and of twenty people nobody is drawn once in a hundred times. */
async function heldOutCampaign(people: number, settings: object = { holdOut: SHARE }): ReturnType<typeof anyCampaign> {
  const made = await anyCampaign(people, settings);
  return (await made.drawn()).length > 0 ? made : heldOutCampaign(people, settings);
}

async function anyCampaign(people: number, settings: object) {
  const leads = Object.fromEntries(Array.from({ length: people }, (_, index) => [`p${index}@x.test`, {}]));
  const parts = await campaignOf(world, leads, settings);
  const { Recipient, Send } = scoped(parts.workspaceId);
  const all = () => Recipient.find({ campaignId: parts.campaignId }, { sort: { _id: 1 } });
  const drawn = async () => (await all()).filter(({ _id, campaignId }) => isHeldOut(campaignId, _id, SHARE)).map(({ _id }) => _id);
  const heldOut = async () => (await all()).filter(({ stopReason }) => stopReason === "HOLD_OUT").map(({ _id }) => _id);
  const explain = async (id: string) => (await parts.rest.get(`${parts.path}/recipients/${id}/explain`)).body;
  return { ...parts, Recipient, Send, all, drawn, heldOut, explain };
}

test("a share of the people is held out at admission: validation, plan, forecast and explain tell it before, and nothing is booked for them", async () => {
  const { rest, path, campaignId, drawn, heldOut, explain, round, emails, Send, Recipient } = await heldOutCampaign(40);
  const chosen = await drawn();
  expect(chosen.length).toBeGreaterThan(0);
  const { summary } = (await rest.get(`${path}/validate`)).body;
  expect(summary).toMatchObject({ recipients: 40, open: 40 - chosen.length, heldOut: chosen.length });
  expect((await rest.post(`${path}/control`, { action: "pause" })).status).toBe(200);
  const { plan } = (await rest.post(`${path}/control`, { action: "resume", planOnly: true })).body;
  expect(plan.effect).toMatchObject({ people: 40 - chosen.length, heldOut: chosen.length, mails: 40 - chosen.length });
  const held = await Recipient.find({ campaignId });
  const addresses = held.filter(({ _id }) => chosen.includes(_id)).map(({ email }) => email);
  for (const address of plan.effect.recipients) expect(addresses).not.toContain(address);
  await rest.post(`${path}/control`, { action: "resume" });
  const [one = ""] = chosen;
  expect(await explain(one)).toMatchObject({ next: { event: "ENDED", reason: "HOLD_OUT" } });
  expect((await explain(one)).rules.map(({ code }: { code: string }) => code)).toContain("HOLD_OUT");

  expect(await round()).toMatchObject({ count: 40 - chosen.length, isDrained: true });
  expect(await heldOut()).toEqual(chosen);
  expect(await emails()).toHaveLength(40 - chosen.length);
  expect(await Send.count({ recipientId: one })).toBe(0);
  expect((await rest.get(`${path}/recipients/stats`)).body).toMatchObject({ total: 40, byStatus: { SKIPPED: chosen.length } });
  expect((await rest.get(`${path}/validate`)).body.summary).toMatchObject({ open: 40 - chosen.length, heldOut: 0 });
  expect((await explain(one)).rules.map(({ code }: { code: string }) => code)).toEqual(["ENDED", "HOLD_OUT"]);
  expect((await Recipient.get(one))?.assignedShare).toBe(SHARE);
});

test("whoever is held out is not resumed and not taken back by being added again, and stays so when nobody is held out any more", async () => {
  const { rest, path, all, drawn, heldOut, round } = await heldOutCampaign(30);
  await round();
  const chosen = await drawn();
  const resumed = await rest.post(`${path}/recipients`, { action: "resumeRecipients", recipientIds: chosen });
  expect(resumed.body).toMatchObject({ matched: chosen.length, changed: 0 });
  await rest.patch(`${path}/settings`, { holdOut: 0 });
  const emails = (await all()).map(({ email }) => email);
  const added = await rest.post(`${path}/recipients`, { action: "addManual", emails });
  expect(added.body).toMatchObject({ added: 0, alreadyPresent: 30, total: 30 });
  await round();
  expect(await heldOut()).toEqual(chosen);
});

test("whoever was admitted before the share was raised stays in, and only who comes after it is drawn at the new one", async () => {
  const { rest, path, all, drawn, heldOut, round } = await heldOutCampaign(20, { holdOut: 0 });
  await round();
  expect(await heldOut()).toEqual([]);
  await rest.patch(`${path}/settings`, { holdOut: SHARE });
  const before = (await all()).map(({ _id }) => _id);
  const late = async () => (await drawn()).filter((id) => !before.includes(id));
  for (let group = 0; (await late()).length === 0; group++) {
    const emails = Array.from({ length: 25 }, (_, index) => `late${group}x${index}@x.test`);
    await rest.post(`${path}/recipients`, { action: "addManual", emails });
  }
  await round();
  const chosen = await late();
  expect(await heldOut()).toEqual(chosen);
  expect((await rest.patch(`${path}/settings`, { holdOut: 0.21 })).status).toBe(400);
});

test("somebody to whom a mail may have gone out is not held out, and belongs to neither arm", async () => {
  const { campaignId, drawn, round, Recipient, Send } = await heldOutCampaign(20);
  const [one = ""] = await drawn();
  const state = { state: "UNKNOWN" as const, campaignId, recipientId: one, stepId: "stp_gone", to: "a@b.test" };
  await Send.insertMany([{ _id: "snd_gone", ...state }]);
  await round();
  expect(await Recipient.get(one)).toMatchObject({ stopReason: null, assignedShare: 0 });
});

const ORDERS = 3;
const STEPS = 12;

test("in whatever order rounds, pauses, removals, additions and changes of the share come, nobody held out is booked, and no draw is changed", async () => {
  const seen = { heldOut: 0, admitted: 0 };
  // Orders in which nobody is held out or nobody admitted would prove nothing: as many more as it takes
  const provesLittle = () => Math.min(seen.heldOut, seen.admitted) <= ORDERS / 2;
  for (let seed = 1; seed <= ORDERS || provesLittle(); seed++) {
    const random = randomFrom(seed);
    const { rest, path, campaignId, round, all, Send } = await heldOutCampaign(12);
    const pick = (recipients: readonly Recipient[]) => recipients.filter(() => random() < 0.4).map(({ _id }) => _id);
    const drawn = new Map<string, string>();
    for (let step = 0; step < STEPS; step++) {
      const now = await all();
      const recipientIds = [...pick(now), now[0]?._id ?? ""];
      const emails = now.map(({ email }) => email);
      const verbs = [
        () => round(),
        () => round(),
        () => rest.post(`${path}/recipients`, { action: "pauseRecipients", recipientIds }),
        () => rest.post(`${path}/recipients`, { action: "resumeRecipients", recipientIds }),
        () => rest.post(`${path}/recipients`, { action: "bulkRemove", recipientIds }),
        () => rest.post(`${path}/recipients`, { action: "addManual", emails }),
        () => rest.patch(`${path}/settings`, { holdOut: random() < 0.5 ? 0 : SHARE }),
      ];
      const chosen = Array.from({ length: 3 }, () => verbs[Math.floor(random() * verbs.length)] ?? round);
      await Promise.all(chosen.map((verb) => verb()));
      for (const { _id, stopReason, assignedAt, assignedShare, status } of await all()) {
        if (assignedAt === null) continue;
        const draw = JSON.stringify([assignedAt, assignedShare, stopReason === "HOLD_OUT"]);
        expect([seed, step, drawn.get(_id) ?? draw]).toEqual([seed, step, draw]);
        drawn.set(_id, draw);
        if (stopReason !== "HOLD_OUT") continue;
        expect(status).toBe("SKIPPED");
        expect(isHeldOut(campaignId, _id, assignedShare ?? 0)).toBe(true);
        expect(await Send.count({ recipientId: _id, state: "RESERVED" })).toBe(0);
      }
    }
    const end = await all();
    seen.heldOut += end.filter(({ stopReason }) => stopReason === "HOLD_OUT").length;
    seen.admitted += end.filter(({ assignedAt, stopReason }) => assignedAt !== null && stopReason !== "HOLD_OUT").length;
  }
}, 180_000);

import { expect, test } from "@jest/globals";
import { heldOutCampaign, SHARE, useSetup } from "./hold-out-setup.ts";

useSetup();

test("a share of the people is held out at admission: validation, plan, forecast and explanation announce them, and no email is booked for them", async () => {
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
  expect((await rest.get(`${path}/recipients/stats`)).body).toMatchObject({
    total: 40,
    byStatus: { SKIPPED: chosen.length },
  });
  expect((await rest.get(`${path}/validate`)).body.summary).toMatchObject({ open: 40 - chosen.length, heldOut: 0 });
  expect((await explain(one)).rules.map(({ code }: { code: string }) => code)).toEqual(["ENDED", "HOLD_OUT"]);
  expect((await Recipient.get(one))?.assignedShare).toBe(SHARE);
});

test("a held-out recipient cannot be resumed, is not brought back by another addition, and stays held out at a share of 0", async () => {
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

test("recipients admitted before the share was raised stay in, and the new share applies only to later ones", async () => {
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

test("a person to whom an email may have gone out is not held out, and belongs to neither arm", async () => {
  const { campaignId, drawn, round, Recipient, Send } = await heldOutCampaign(20);
  const [one = ""] = await drawn();
  const state = { state: "UNKNOWN" as const, campaignId, recipientId: one, stepId: "stp_gone", to: "a@b.test" };
  await Send.insertMany([{ _id: "snd_gone", ...state }]);
  await round();
  expect(await Recipient.get(one)).toMatchObject({ stopReason: null, assignedShare: 0 });
});

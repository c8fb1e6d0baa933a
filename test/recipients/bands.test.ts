import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { settingsOf } from "../../domain/campaigns/settings.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { outlookOf } from "../../store/campaigns/capacity.ts";
import { loadSequence, loadWorkspace } from "../../store/campaigns/load.ts";
import { runMaintenance } from "../../store/campaigns/maintenance.ts";
import { judgeMailbox, setHealthy } from "../../store/mailboxes/health.ts";
import { checkDue } from "../../store/recipients/due-step.ts";
import { findForgottenMailboxes } from "../../store/recipients/overdue.ts";
import { loadSituation } from "../../store/recipients/recipient-state.ts";
import { wakeHeld } from "../../store/recipients/waking.ts";
import { dayGoesOn } from "../fakes/wait.ts";
import { healthIn, tellFacts } from "../mailboxes/health-parts.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";
import { activeCampaign, somebodyDue } from "./waiting-parts.ts";

let world: World;
let workspaceId: string;
let rest: Rest;
beforeAll(async () => {
  world = await startWorld();
  ({ workspaceId, rest } = await world.workspace());
});
afterAll(() => world.close());

const VARIANT = {
  variantId: "var_1",
  label: "A",
  subject: "Hello",
  bodyHtml: "<p>Shall we talk?</p>",
  bodyText: null,
  weight: 50,
  enabled: true,
  attachments: [],
};

/** An active campaign in these mailboxes, and a person whose follow-up from the first one is due. */
async function due(mailboxes: Partial<Mailbox>[] = [{}], settings: object = {}) {
  const active = await activeCampaign(workspaceId, mailboxes);
  const { campaignId, mailbox } = active;
  const { Campaign, Mailbox, Recipient, Send } = scoped(workspaceId);
  const campaign = await Campaign.get(campaignId);
  await Campaign.updateOne({ _id: campaignId }, { $set: { settings: { ...campaign?.settings, ...settings } } });
  await scoped(workspaceId).Sequence.updateOne({ campaignId }, { $set: { "steps.0.variants": [VARIANT] } });
  const ids = await somebodyDue(active);
  const { recipientId } = ids;
  return {
    campaignId,
    mailbox,
    ids,
    recipientId,
    look: async () => checkDue((await loadSituation(ids)) ?? (await Promise.reject(new Error("gone")))),
    recipient: () => Recipient.get(recipientId),
    send: () => Send.findOne({ recipientId }),
    campaign: async () => (await Campaign.get(campaignId)) ?? Promise.reject(new Error("gone")),
    setMailbox: (fields: Partial<Mailbox>) => Mailbox.updateOne({ _id: mailbox._id }, { $set: fields }),
    explain: async () => (await rest.get(`/campaigns/${campaignId}/recipients/${recipientId}/explain`)).body,
  };
}

const ruleOf = ({ rules }: { rules: { code: string; values: object }[] }, code: string) =>
  rules.find((one) => one.code === code)?.values;

test("a recipient waits while the mailbox's health band forbids sending, and continues when the band allows sending again", async () => {
  const at = await due();
  await tellFacts(workspaceId, at.mailbox._id, { sent: 100, bounced: 6 });
  await judgeMailbox(workspaceId, at.mailbox._id);
  expect(await at.look()).toEqual({ kind: "held", why: "the mailbox, QUARANTINED" });
  expect(await at.recipient()).toMatchObject({ status: "IN_PROGRESS", awaitedMailboxId: at.mailbox._id });
  expect(await at.send()).toMatchObject({ state: "RELEASED", slotAt: null });
  const forgotten = async () => (await findForgottenMailboxes(Date.now())).map(({ mailboxId }) => mailboxId);
  expect(await forgotten()).not.toContain(at.mailbox._id);
  const mailbox = await scoped(workspaceId).Mailbox.get(at.mailbox._id);
  if (mailbox !== null) await inTransaction(() => setHealthy(mailbox, "key_test"));
  expect(await forgotten()).toContain(at.mailbox._id);
  const woken: string[] = [];
  await wakeHeld(workspaceId, at.mailbox._id, async ({ recipientId }) => void woken.push(recipientId));
  expect(woken).toEqual([at.recipientId]);
  expect(await at.recipient()).toMatchObject({ awaitedMailboxId: null });
  expect(await at.send()).toMatchObject({ state: "RESERVED" });
});

test("when a health band forbids sending, a never contacted recipient moves to another mailbox; a campaign without another mailbox pauses after a day", async () => {
  const at = await due([{}, {}]);
  await scoped(workspaceId).Recipient.updateOne(
    { _id: at.recipientId },
    { $set: { status: "PENDING", sentCount: 0, lastSentAt: null } },
  );
  await at.setMailbox({ health: healthIn("QUARANTINED") });
  expect(await at.look()).toMatchObject({ kind: "replan", why: "another mailbox" });
  await runMaintenance(await at.campaign());
  expect(await at.campaign()).toMatchObject({ status: "ACTIVE", unsendableSince: null });

  const alone = await due();
  await alone.setMailbox({ health: healthIn("BLOCKED") });
  await runMaintenance(await alone.campaign());
  expect(await alone.campaign()).toMatchObject({ status: "ACTIVE", unsendableSince: expect.any(Date) });
  const { Campaign } = scoped(workspaceId);
  await Campaign.updateOne(
    { _id: alone.campaignId },
    { $set: { unsendableSince: new Date(Date.now() - DAY_MS - 1_000) } },
  );
  await runMaintenance(await alone.campaign());
  expect(await alone.campaign()).toMatchObject({ status: "PAUSED", pauseReason: "MAILBOXES_UNHEALTHY" });
});

test("with failover a recipient of a mailbox that may not send moves to another mailbox after the set hours, as predicted", async () => {
  const at = await due([{}, {}], { mailboxFailover: "REASSIGN", mailboxFailoverAfterHours: 48 });
  await at.setMailbox({ health: healthIn("QUARANTINED") });
  await at.look();
  const told = await at.explain();
  expect(told.next).toMatchObject({ event: "REASSIGNED" });
  expect(Math.abs(Date.parse(told.next.at) - Date.now() - DAY_MS)).toBeLessThan(60_000);
  await runMaintenance(await at.campaign());
  expect(await at.recipient()).toMatchObject({ mailboxId: at.mailbox._id });
  await at.setMailbox({ health: healthIn("QUARANTINED", { since: new Date(Date.now() - 49 * HOUR_MS) }) });
  await runMaintenance(await at.campaign());
  const moved = await at.recipient();
  expect(moved).toMatchObject({ status: "IN_PROGRESS", awaitedMailboxId: null });
  expect(moved?.mailboxId).not.toBe(at.mailbox._id);
});

test("the explanation of an email held by a health band shows the band's numbers and predicts the end of the band", async () => {
  const at = await due();
  const until = new Date(Date.now() + 3 * DAY_MS);
  await at.setMailbox({ health: healthIn("QUARANTINED", { until }) });
  const told = await at.explain();
  const numbers = { measure: "BOUNCE_RATE", numerator: 6, denominator: 100, threshold: 0.05, step: null };
  expect(ruleOf(told, "MAILBOX_BAND")).toMatchObject({
    mailboxId: at.mailbox._id,
    band: "QUARANTINED",
    ...numbers,
    until: until.toISOString(),
  });
  expect(told.next).toMatchObject({ event: "MAIL", isEarliest: true });
  expect(Date.parse(told.next.at)).toBeGreaterThanOrEqual(until.getTime());
  // The same once it waits without a slot, also in the campaign's sending status
  expect(await at.look()).toMatchObject({ kind: "held" });
  const held = await at.explain();
  expect(held.next).toMatchObject({ event: "MAIL", isEarliest: true });
  expect(Math.abs(Date.parse(held.next.at) - until.getTime())).toBeLessThan(HOUR_MS);
  const { sendingStatus } = (await rest.get(`/campaigns/${at.campaignId}`)).body;
  expect(sendingStatus).toMatchObject({ code: "MAILBOXES_UNHEALTHY", breakdown: { MAILBOXES_UNHEALTHY: 1 } });
  await at.setMailbox({ health: healthIn("BLOCKED", { until }) });
  // Warmup alone for a week after that
  const back = new Date(until.getTime() + 7 * DAY_MS).toISOString();
  expect(ruleOf(await at.explain(), "MAILBOX_BAND")).toMatchObject({ band: "BLOCKED", until: back });
});

test("the explanation of a full mailbox names what limits its campaign emails, and the launch summary uses that limit", async () => {
  await dayGoesOn(60_000);
  const day = utcDay(Date.now());
  const tomorrow = new Date(Date.parse(`${day}T00:00:00.000Z`) + DAY_MS).toISOString();
  const full = async (fields: Partial<Mailbox>, sent: number) => {
    const at = await due([{ dailySendLimit: 20, ...fields }]);
    const { MailboxDay, Send } = scoped(workspaceId);
    const send = await at.send();
    if (send !== null)
      await Send.updateOne({ _id: send._id }, { $set: { state: "RELEASED", slotAt: null, day: null } });
    await MailboxDay.deleteMany({ mailboxId: at.mailbox._id });
    const sentBy = { cmp_other: sent };
    await MailboxDay.insert({ _id: `${at.mailbox._id}:${day}`, mailboxId: at.mailbox._id, day, sent, sentBy });
    const campaign = await at.campaign();
    const [sequence, workspace, mailbox] = await Promise.all([
      loadSequence(workspaceId, at.campaignId),
      loadWorkspace(workspaceId),
      scoped(workspaceId).Mailbox.get(at.mailbox._id),
    ]);
    if (mailbox === null) throw new Error("gone");
    const sources = { campaign, settings: settingsOf(campaign.settings), sequence, workspace, mailbox };
    return { told: await at.explain(), outlook: await outlookOf(sources, [mailbox]) };
  };
  const throttled = await full({ health: healthIn("THROTTLED") }, 15);
  expect(ruleOf(throttled.told, "MAILBOX_BAND_LIMIT")).toMatchObject({
    band: "THROTTLED",
    step: 75,
    used: 15,
    limit: 15,
    until: tomorrow,
  });
  expect(Date.parse(throttled.told.next.at)).toBeGreaterThanOrEqual(Date.parse(tomorrow));
  // Tomorrow it has all of its fifteen
  expect(throttled.outlook).toMatchObject({ dailyCapacity: 15 });
  expect(throttled.outlook.firstSendAt?.toISOString().slice(0, 10)).toBe(tomorrow.slice(0, 10));
  const cold = await full({ coldLimit: 5 }, 5);
  expect(ruleOf(cold.told, "COLD_LIMIT")).toEqual({ used: 5, limit: 5, until: tomorrow });
  const warming = await full({ warmupTarget: 12 }, 3);
  expect(ruleOf(warming.told, "WARMUP_ROOM")).toBeUndefined();
  // Warmup leaves eight, of which three are taken
  expect(warming.outlook).toMatchObject({ dailyCapacity: 5 });
  const warmed = await full({ warmupTarget: 12 }, 8);
  expect(ruleOf(warmed.told, "WARMUP_ROOM")).toEqual({ used: 8, limit: 8, until: tomorrow });
});

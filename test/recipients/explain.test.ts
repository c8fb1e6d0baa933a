import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { formatInstant } from "../../domain/recipients/explain.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { newId } from "../../mongo/ids.ts";
import { ALWAYS, readyCampaign } from "../campaigns/campaign-parts.ts";
import { hourGoesOn } from "../fakes/wait.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
let workspace: Awaited<ReturnType<World["workspace"]>>;
beforeAll(async () => {
  world = await startWorld();
  workspace = await world.workspace();
});
afterAll(() => world.close());
// Day and hour are the same from the first line of a test to its last
beforeEach(() => hourGoesOn(30_000));

let made = 0;

/** One recipient of a campaign as the database has it; no worker acts on it. */
async function standing(settings: object = {}, campaign: Partial<Campaign> = { status: "ACTIVE" }) {
  const { rest, workspaceId } = workspace;
  const email = `p${++made}@acme${made}.test`;
  const { path, campaignId, mailbox } = await readyCampaign(rest, workspaceId, [email]);
  const steps = [
    { subject: "One", body: "<p>One</p>" },
    { subject: "", body: "<p>Two</p>", delay: { value: 3, unit: "DAYS" } },
  ];
  const { body: sequence } = await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
  expect(await rest.patch(`${path}/settings`, settings)).toMatchObject({ status: 200 });
  const { Campaign, Mailbox, MailboxDay, CampaignDay, Recipient, Send } = scoped(workspaceId);
  await Campaign.updateOne({ _id: campaignId }, { $set: campaign });
  const recipient = await Recipient.findOne({ campaignId });
  if (recipient === null) throw new Error("added above");
  const { _id: recipientId, leadId } = recipient;
  const stepIds: string[] = sequence.steps.map(({ stepId }: { stepId: string }) => stepId);
  return {
    path,
    campaignId,
    recipientId,
    mailbox,
    email,
    stepIds,
    rest,
    workspaceId,
    CampaignDay,
    MailboxDay,
    set: (fields: Partial<Recipient>) => Recipient.updateOne({ _id: recipientId }, { $set: fields }),
    setMailbox: (fields: Partial<Mailbox>) => Mailbox.updateOne({ _id: mailbox._id }, { $set: fields }),
    send: (stepId: string | undefined, fields: Partial<Send>) =>
      Send.insert({
        _id: newId("snd"),
        campaignId,
        recipientId,
        leadId,
        to: email,
        mailboxId: mailbox._id,
        stepId: stepId ?? null,
        ...fields,
      }),
    async explain() {
      const { status, body } = await rest.get(`${path}/recipients/${recipientId}/explain`);
      expect(status).toBe(200);
      return body;
    },
  };
}

/** A recipient after its first email, with the second one booked. */
async function booked(settings: object = {}, slotAt = new Date(Date.now() + 2 * HOUR_MS)) {
  const at = await standing({ windows: ALWAYS, ...settings });
  const [first, second] = at.stepIds;
  const sentAt = new Date(Date.now() - 3 * DAY_MS + HOUR_MS);
  const [{ variants }] = (await at.rest.get(`${at.path}/sequence`)).body.steps;
  await at.send(first, {
    state: "SENT",
    sentAt,
    variantId: variants[0].variantId,
    checks: { window: true },
    response: "250 OK",
  });
  await at.send(second, { state: "RESERVED", slotAt });
  const going = {
    status: "IN_PROGRESS" as const,
    sentCount: 1,
    lastSentAt: sentAt,
    currentStepId: first ?? null,
    nextStepId: second ?? null,
  };
  await at.set({
    ...going,
    nextSendAt: slotAt,
    admittedAt: sentAt,
    mailboxId: at.mailbox._id,
    thread: { subject: "One", ids: ["<1@a.test>"] },
  });
  return { ...at, slotAt, sentAt };
}

const ruleOf = ({ rules }: { rules: { code: string; values: object }[] }, code: string) =>
  rules.find((one) => one.code === code)?.values;

test("the explanation of a booked follow-up shows what was sent and why, the delay and slot ahead, and what could stop the email", async () => {
  const { explain, slotAt, sentAt, stepIds, mailbox, email } = await booked({
    stopOnOpen: true,
    minGapSeconds: 0,
    maxGapSeconds: 0,
  });
  const told = await explain();
  expect(told).toMatchObject({
    email,
    status: "IN_PROGRESS",
    waitsFor: { stepId: stepIds[1], order: 2, type: "EMAIL" },
    until: slotAt.toISOString(),
    afterwards: [],
    next: { event: "MAIL", at: slotAt.toISOString(), isEarliest: false, stepId: stepIds[1], reason: null },
  });
  expect(told.sent).toMatchObject([
    {
      stepOrder: 1,
      state: "SENT",
      sentAt: sentAt.toISOString(),
      mailbox: mailbox.email,
      checks: { window: true },
      response: "250 OK",
      drawn: { by: "ONLY_VARIANT" },
    },
    { stepOrder: 2, state: "RESERVED", slotAt: slotAt.toISOString(), drawn: null },
  ]);
  const until = formatInstant(sentAt.getTime() + 3 * DAY_MS);
  expect(ruleOf(told, "STEP_DELAY")).toMatchObject({ value: 3, unit: "DAYS", since: sentAt.toISOString(), until });
  expect(ruleOf(told, "BOOKED_SLOT")).toMatchObject({ slotAt: slotAt.toISOString(), mailboxId: mailbox._id });
  expect(told.couldStop.map(({ code }: { code: string }) => code)).toEqual(
    expect.arrayContaining(["STOP_ON_REPLY", "STOP_ON_OPEN", "BOUNCE_GUARD"]),
  );
});

test.each<[Partial<Campaign>, string, object]>([
  [{ status: "DRAFT" }, "CAMPAIGN_DRAFT", {}],
  [{ status: "PAUSED", pauseReason: "BOUNCE_GUARD" }, "CAMPAIGN_PAUSED", { reason: "BOUNCE_GUARD" }],
  [{ status: "ARCHIVED" }, "CAMPAIGN_ARCHIVED", {}],
])("the explanation of a recipient predicts no email for a campaign that is %j", async (campaign, code, values) => {
  const told = await (await standing({}, campaign)).explain();
  expect(told.next).toBeNull();
  expect(ruleOf(told, code)).toMatchObject(values);
});

test("the explanation of a recipient in a scheduled campaign predicts the start of the campaign", async () => {
  const startAt = formatInstant(Date.now() + DAY_MS);
  const { explain } = await standing({ startAt }, { status: "SCHEDULED" });
  expect(await explain()).toMatchObject({
    next: { event: "CAMPAIGN_STARTED", at: startAt },
    rules: [{ code: "CAMPAIGN_SCHEDULED", values: { startAt } }],
  });
});

test("the explanation of a recipient that waits for admission predicts an email at the campaign's start, and admission half an hour earlier", async () => {
  const { explain } = await standing({ windows: ALWAYS, startAt: formatInstant(Date.now() + DAY_MS) });
  const told = await explain();
  const [admitted, mail] = [told.next, ...told.afterwards];
  expect([admitted.event, mail.event, mail.isEarliest]).toEqual(["ADMITTED", "MAIL", true]);
  expect(Date.parse(mail.at) - Date.parse(admitted.at)).toBe(30 * MINUTE_MS);
  expect(ruleOf(told, "BEFORE_START")).toMatchObject({ until: mail.at });
  expect(ruleOf(told, "WAITS_FOR_ADMISSION")).toEqual({ ahead: 0 });
});

test("the explanation shows how much of each daily limit is used, and predicts a slot after the limit resets", async () => {
  const today = new Date().toISOString().slice(0, 10);
  const tomorrow = Date.parse(`${today}T00:00:00.000Z`) + DAY_MS;
  const day = await standing({ windows: ALWAYS, maxNewLeadsPerDay: 2 });
  await day.CampaignDay.insert({
    _id: `${day.campaignId}:${today}`,
    campaignId: day.campaignId,
    day: today,
    total: 2,
    newLeads: 2,
  });
  const held = await day.explain();
  expect(ruleOf(held, "NEW_LEAD_LIMIT")).toEqual({ used: 2, limit: 2, until: formatInstant(tomorrow) });
  expect(held.afterwards[0].at).toBe(formatInstant(tomorrow));

  const full = await standing({ windows: ALWAYS });
  await full.setMailbox({ dailySendLimit: 50 });
  await full.MailboxDay.insert({
    _id: `${full.mailbox._id}:${today}`,
    mailboxId: full.mailbox._id,
    day: today,
    sent: 50,
    sentBy: {},
  });
  expect(ruleOf(await full.explain(), "MAILBOX_DAILY_LIMIT")).toEqual({
    used: 50,
    limit: 50,
    until: formatInstant(tomorrow),
  });

  const ours = await standing({ windows: ALWAYS, perMailboxDailyLimit: 30 });
  const sentBy = { [ours.campaignId]: 30 };
  await ours.MailboxDay.insert({
    _id: `${ours.mailbox._id}:${today}`,
    mailboxId: ours.mailbox._id,
    day: today,
    sent: 30,
    sentBy,
  });
  expect(ruleOf(await ours.explain(), "MAILBOX_CAMPAIGN_LIMIT")).toEqual({
    used: 30,
    limit: 30,
    until: formatInstant(tomorrow),
  });
});

test("the explanation predicts that a booking moves when a lowered limit or a closed window no longer allows the slot", async () => {
  const slotAt = new Date(Date.now() + 60_000);
  const at = await booked({}, slotAt);
  const day = slotAt.toISOString().slice(0, 10);
  await at.MailboxDay.insert({ _id: `${at.mailbox._id}:${day}`, mailboxId: at.mailbox._id, day, sent: 50, sentBy: {} });
  const told = await at.explain();
  expect(ruleOf(told, "SLOT_LOST")).toEqual({ because: "DAY" });
  expect(Date.parse(told.next.at)).toBeGreaterThanOrEqual(Date.parse(`${day}T00:00:00.000Z`) + DAY_MS);

  const closed = await booked({ customHolidays: [day] }, slotAt);
  const moved = await closed.explain();
  expect(ruleOf(moved, "SLOT_LOST")).toEqual({ because: "WINDOW" });
  expect(ruleOf(moved, "HOLIDAY")).toMatchObject({ date: day });
});

test("the explanation names a resting or lost mailbox, a risky address and a blocked domain, each with the consequence", async () => {
  const until = new Date(Date.now() + DAY_MS);
  const cooling = await booked();
  await cooling.setMailbox({ status: "COOLING_DOWN", statusReason: "550", retryAt: until });
  const told = await cooling.explain();
  expect(ruleOf(told, "MAILBOX_RESTING_UNTIL")).toMatchObject({
    status: "COOLING_DOWN",
    reason: "550",
    until: until.toISOString(),
  });
  expect(told.next).toMatchObject({ event: "MAIL", isEarliest: true, at: until.toISOString() });

  const resting = await booked();
  await resting.setMailbox({ status: "PAUSED" });
  expect(await resting.explain()).toMatchObject({
    next: null,
    rules: expect.arrayContaining([expect.objectContaining({ code: "MAILBOX_RESTING" })]),
  });

  const risky = await booked();
  await scoped(risky.workspaceId).Lead.updateOne({ email: risky.email }, { $set: { verificationStatus: "RISKY" } });
  expect((await risky.explain()).next).toMatchObject({ event: "ENDED", reason: "INVALID_ADDRESS" });

  const lost = await booked({ mailboxFailover: "REASSIGN", mailboxFailoverAfterHours: 5 });
  await lost.set({ status: "PAUSED", pauseReason: "MAILBOX_DISCONNECTED", admittedAt: null });
  expect((await lost.explain()).next).toBeNull();

  const shut = await booked();
  await shut.rest.post("/block-list", { value: shut.email.split("@")[1] });
  const blocked = await shut.explain();
  expect(blocked.next).toMatchObject({ event: "ENDED", reason: "BLOCK_LISTED", at: shut.slotAt.toISOString() });
});

test("the explanation names the mailbox's workday, a full throttle and a missing mailbox, each by its own rule", async () => {
  const noon = new Date(Date.now() + DAY_MS);
  const day = ((noon.getUTCDay() + 6) % 7) + 1;
  const late = await standing({ windows: ALWAYS });
  await late.setMailbox({ workday: { timezone: "UTC", days: [day], from: "12:00", to: "13:00" } });
  const opens = `${noon.toISOString().slice(0, 10)}T12:00:00.000Z`;
  expect(ruleOf(await late.explain(), "MAILBOX_WORKDAY")).toMatchObject({
    until: opens,
    zone: "UTC",
    days: [String(day)],
  });

  const held = await standing({ windows: ALWAYS, recipientDomainHourlyLimit: 1 });
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const domain = held.email.split("@")[1] ?? "";
  for (const start of [hour, hour + HOUR_MS]) {
    const scope = `RECIPIENT_DOMAIN:${domain}`;
    const count = {
      _id: `${held.workspaceId}:${scope}:${start}`,
      scope,
      kind: "RECIPIENT_DOMAIN",
      count: 1,
      until: new Date(start + HOUR_MS),
    };
    await scoped(held.workspaceId).ThrottleCount.insert(count);
  }
  const free = formatInstant(hour + 2 * HOUR_MS);
  const told = await held.explain();
  expect(ruleOf(told, "THROTTLE_RECIPIENT_DOMAIN")).toEqual({ limit: 1, scope: domain, until: free });
  expect(told.afterwards[0]).toMatchObject({ event: "MAIL", at: free });

  const none = await standing({ mailboxIds: [] });
  expect(await none.explain()).toMatchObject({
    next: null,
    rules: [{ code: "WAITS_FOR_ADMISSION" }, { code: "NO_MAILBOX" }],
  });
  const alike = await standing({ providerMatching: "STRICT" });
  await scoped(alike.workspaceId).Lead.updateOne({ email: alike.email }, { $set: { emailProvider: "PROVIDERA" } });
  expect(ruleOf(await alike.explain(), "WAITING_FOR_PROVIDER_MATCH")).toEqual({ provider: "PROVIDERA" });
});

test("the explanation names a paused or ended recipient and the end of the campaign's schedule", async () => {
  const until = new Date(Date.now() + DAY_MS);
  const away = await booked();
  await away.set({ status: "PAUSED", pauseReason: "OUT_OF_OFFICE", pausedUntil: until, nextSendAt: until });
  const told = await away.explain();
  expect(told).toMatchObject({ next: { event: "RESUMED", at: until.toISOString() }, afterwards: [{ event: "MAIL" }] });
  expect(ruleOf(told, "RECIPIENT_PAUSED_UNTIL")).toEqual({ reason: "OUT_OF_OFFICE", until: until.toISOString() });

  const over = await booked({ endAt: formatInstant(Date.now() + HOUR_MS) });
  expect((await over.explain()).next).toMatchObject({ event: "ENDED", reason: "SCHEDULE_ENDED" });

  const replied = await booked();
  await replied.set({ status: "REPLIED", stopReason: "REPLIED", nextStepId: null, nextSendAt: null });
  expect(await replied.explain()).toMatchObject({
    next: null,
    waitsFor: null,
    couldStop: [],
    rules: [{ code: "ENDED", values: { stopReason: "REPLIED" } }],
  });
});

test("the explanation of a recipient of another campaign or workspace is not found, and a key without the scope is refused", async () => {
  const one = await standing();
  const two = await standing();
  expect(await one.rest.get(`${one.path}/recipients/${two.recipientId}/explain`)).toMatchObject({
    status: 404,
    body: { code: "RECIPIENT_NOT_FOUND" },
  });
  const { rest } = await world.workspace();
  expect((await rest.get(`${one.path}/recipients/${one.recipientId}/explain`)).status).toBe(404);
  const blind = await workspace.withScopes("leads:read");
  expect((await blind.get(`${one.path}/recipients/${one.recipientId}/explain`)).status).toBe(403);
});

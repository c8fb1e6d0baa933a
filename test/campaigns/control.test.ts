import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { startWorld, type World } from "../support/world.ts";
import { readyCampaign, storedMailbox } from "./campaign-parts.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const FAR = "2999-01-01T00:00:00Z";

async function ready(emails?: string[]) {
  const { rest, workspaceId } = await world.workspace();
  const campaign = await readyCampaign(rest, workspaceId, emails);
  const act = (action: string) => rest.post(`${campaign.path}/control`, { action });
  const openGates = () => scoped(workspaceId).Gate.count({ ownerId: campaign.campaignId, isOpen: true });
  const nudges = async () => (await scoped(workspaceId).OutboxRow.find({ kind: "CAMPAIGN" })).length;
  const settings = (patch: object) => rest.patch(`${campaign.path}/settings`, patch);
  const codes = async () =>
    (await rest.get(`${campaign.path}/validate`)).body.errors.map(({ code }: { code: string }) => code);
  return { rest, workspaceId, ...campaign, act, openGates, nudges, settings, codes };
}

test("a launch of a valid campaign makes it active, opens its gates, signals its feeder and returns the launch card", async () => {
  const { act, openGates, nudges } = await ready();
  const launched = await act("launch");
  expect(launched).toMatchObject({
    status: 200,
    body: {
      launched: true,
      waitingFor: [{ code: "ENGINE_UNREACHABLE", message: expect.stringMatching(/Temporal server does not answer/) }],
      validation: {
        valid: true,
        errors: [],
        summary: { recipients: 1, steps: 1, variants: 1, mailboxes: 1, dailyCapacity: 30 },
      },
      campaign: { status: "ACTIVE", launchedAt: expect.any(String), pauseReason: null },
    },
  });
  const { firstSendAt, expectedFinishAt } = launched.body.validation.summary;
  expect(Date.parse(expectedFinishAt)).toBeGreaterThanOrEqual(Date.parse(firstSendAt));
  expect([await openGates(), await nudges()]).toEqual([16, 1]);
});

test("a launch, pause or resume with an outdated version changes nothing, and is refused with the current version", async () => {
  const { rest, path, openGates, settings } = await ready();
  const at = (action: string, expectedVersion: number) => rest.post(`${path}/control`, { action, expectedVersion });
  const { version } = (await rest.get(`${path}/validate`)).body.summary;
  expect(version).toBe((await rest.get(path)).body.version);
  await settings({ dailyLimit: 5 });
  const conflict = (currentVersion: number) => ({
    status: 409,
    body: { code: "VERSION_CONFLICT", details: { currentVersion } },
  });
  expect(await at("launch", version)).toMatchObject(conflict(version + 1));
  expect([await openGates(), (await rest.get(path)).body.status]).toEqual([0, "DRAFT"]);
  expect((await at("launch", version + 1)).body).toMatchObject({
    launched: true,
    validation: { summary: { open: 1 } },
  });
  expect(await at("pause", version)).toMatchObject(conflict(version + 2));
  expect(await openGates()).toBe(16);
  expect(await at("pause", version + 2)).toMatchObject({ status: 200, body: { status: "PAUSED" } });
  expect(await at("resume", version)).toMatchObject(conflict(version + 3));
  expect(await openGates()).toBe(0);
  expect(await at("resume", version + 3)).toMatchObject({ status: 200, body: { status: "ACTIVE" } });
});

test("the launch card counts open recipients, forecasts within the campaign's limits and end date, and warns if the end date cuts sending short", async () => {
  const emails = Array.from({ length: 12 }, (_, index) => `person${index}@example.test`);
  const { rest, workspaceId, path, campaignId, settings } = await ready(emails);
  const card = async () => (await rest.get(`${path}/validate`)).body;
  const startAt = new Date("2998-06-04T00:00:00Z"); // a Monday
  const windows = [{ days: [1, 2, 3, 4, 5], from: "09:00", to: "17:00" }];
  await settings({
    windows,
    startAt: startAt.toISOString(),
    maxNewLeadsPerDay: 2,
    minGapSeconds: 600,
    maxGapSeconds: 600,
  });
  expect((await card()).summary).toMatchObject({
    recipients: 12,
    open: 12,
    dailyCapacity: 30,
    firstSendAt: "2998-06-04T09:00:00.000Z",
    expectedFinishAt: "2998-06-11T09:10:00.000Z",
  });
  const { Recipient } = scoped(workspaceId);
  for (const email of emails.slice(0, 4))
    await Recipient.updateOne({ campaignId, email }, { $set: { status: "REPLIED" } });
  await Recipient.updateOne({ campaignId, email: emails[4] }, { $set: { status: "PAUSED", pauseReason: "MANUAL" } });
  expect((await card()).summary).toMatchObject({
    recipients: 12,
    open: 8,
    expectedFinishAt: "2998-06-07T09:00:00.000Z",
  });
  await settings({ endAt: "2998-06-06T12:00:00Z" });
  const late = await card();
  expect(late.summary).toMatchObject({ expectedFinishAt: "2998-06-06T09:10:00.000Z" });
  expect(late.warnings).toContainEqual(expect.objectContaining({ code: "CAPACITY_LOW" }));
});

test("the launch card shows times within windows in the recipients' zones, on the mailbox's workdays and outside the recipients' holidays", async () => {
  const { rest, workspaceId, path, campaignId, mailbox, settings } = await ready([
    "ada@example.test",
    "bob@example.test",
  ]);
  const { Lead, Mailbox, Recipient } = scoped(workspaceId);
  const summary = async () => (await rest.get(`${path}/validate`)).body.summary;
  const windows = [{ days: [1, 2, 3, 4, 5, 6, 7], from: "09:00", to: "10:00" }];
  await settings({ windows, timezone: "Europe/Berlin", startAt: "2998-12-24T00:00:00Z", useRecipientTimezone: true });
  await Recipient.updateOne({ campaignId, email: "ada@example.test" }, { $set: { timezone: "America/New_York" } });
  await Recipient.updateOne({ campaignId, email: "bob@example.test" }, { $set: { timezone: "Asia/Tokyo" } });
  expect(await summary()).toMatchObject({
    firstSendAt: "2998-12-24T00:00:00.000Z",
    expectedFinishAt: "2998-12-24T14:00:00.000Z",
  });
  const workday = { timezone: "UTC", days: [1, 2, 3, 4, 5, 6, 7], from: "12:00", to: "18:00" };
  await Mailbox.updateOne({ _id: mailbox._id }, { $set: { workday } });
  expect(await summary()).toMatchObject({ firstSendAt: "2998-12-24T14:00:00.000Z", expectedFinishAt: null });
  await Mailbox.updateOne({ _id: mailbox._id }, { $set: { workday: null } });
  await Lead.updateMany({}, { $set: { country: "US" } });
  await settings({ startAt: `${new Date().getUTCFullYear() + 1}-12-25T00:00:00Z`, skipHolidays: true });
  const day = (instant: string) => instant.slice(5, 10);
  expect(day((await summary()).firstSendAt)).not.toBe("12-25");
  await settings({ skipHolidays: false });
  expect(day((await summary()).firstSendAt)).toBe("12-25");
});

test("a campaign that is not valid is not launched, and every reason is reported", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { body } = await rest.post("/campaigns", { name: "Spring" });
  const path = `/campaigns/${body.id}`;
  await rest.put(`${path}/sequence`, {
    action: "replaceSteps",
    steps: [
      { subject: "", body: "" },
      { threadMode: "NEW_THREAD", body: "2" },
    ],
  });
  await rest.patch(`${path}/settings`, { windows: [], launchBlockers: ["NO_POSTAL_ADDRESS"] });
  const answer = await rest.post(`${path}/control`, { action: "launch" });
  expect(answer).toMatchObject({ status: 200, body: { launched: false, campaign: { status: "DRAFT", version: 3 } } });
  const codes = answer.body.validation.errors.map(({ code }: { code: string }) => code).sort();
  const content = ["FIRST_STEP_NO_SUBJECT", "NEW_THREAD_NO_SUBJECT", "STEP_EMPTY_BODY"];
  expect(codes).toEqual([...content, "BLOCKED_BY_POLICY", "NO_MAILBOX", "NO_RECIPIENTS", "NO_SCHEDULE_WINDOW"].sort());
  expect(await scoped(workspaceId).Gate.count({ ownerId: body.id, isOpen: true })).toBe(0);
});

test("two launches at once have one effect, and a launch of an active campaign changes nothing", async () => {
  const { act, nudges } = await ready();
  const both = await Promise.all([act("launch"), act("launch")]);
  expect(both.map(({ status, body }) => [status, body.launched, body.campaign.status])).toEqual([
    [200, true, "ACTIVE"],
    [200, true, "ACTIVE"],
  ]);
  const again = await act("launch");
  expect(again.body).toMatchObject({ launched: true, campaign: { version: both[0]?.body.campaign.version } });
  expect(await nudges()).toBe(1);
});

test("in whatever order concurrent launches, pauses and resumes arrive, gates and status agree", async () => {
  const { rest, workspaceId, path, campaignId, act, openGates } = await ready();
  await act("launch");
  const answers = await Promise.all(["pause", "resume", "launch", "pause", "resume", "pause"].map(act));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const { body } = await rest.get(path);
  expect(await openGates()).toBe(body.status === "ACTIVE" ? 16 : 0);
  const [stored, gates] = [
    await scoped(workspaceId).Campaign.get(campaignId),
    await scoped(workspaceId).Gate.find({ ownerId: campaignId }),
  ];
  expect(new Set(gates.map(({ fence }) => fence))).toEqual(new Set([stored?.fence]));
});

test("a pause closes every gate, a second pause changes nothing, and a resume opens the gates again", async () => {
  const { rest, path, act, openGates } = await ready();
  await act("launch");
  const paused = await act("pause");
  expect(paused).toMatchObject({ status: 200, body: { status: "PAUSED", pauseReason: "MANUAL" } });
  expect(await openGates()).toBe(0);
  expect((await act("pause")).body.version).toBe(paused.body.version);
  expect((await rest.get(path)).body.sendingStatus).toMatchObject({ code: "PAUSED", breakdown: { PAUSED: 1 } });
  expect(await act("resume")).toMatchObject({ status: 200, body: { status: "ACTIVE", pauseReason: null } });
  expect(await openGates()).toBe(16);
  expect(await act("resume")).toMatchObject({ status: 200, body: { status: "ACTIVE" } });
});

test("launching with a start in the future schedules the campaign, and no email can be sent before that start", async () => {
  const { act, openGates, settings } = await ready();
  await settings({ startAt: FAR });
  expect((await act("launch")).body).toMatchObject({
    launched: true,
    campaign: { status: "SCHEDULED", launchedAt: null },
  });
  expect(await openGates()).toBe(0);
  expect((await act("launch")).body).toMatchObject({ launched: true, campaign: { status: "SCHEDULED" } });
  expect((await act("pause")).body.status).toBe("PAUSED");
  expect((await act("resume")).body.status).toBe("SCHEDULED");
});

test("an action that the current status does not allow is refused with the status and the action", async () => {
  const { workspaceId, campaignId, act } = await ready();
  for (const action of ["pause", "resume"]) {
    expect(await act(action)).toMatchObject({
      status: 409,
      body: { code: "INVALID_STATE_TRANSITION", details: { from: "DRAFT", action } },
    });
  }
  await scoped(workspaceId).Campaign.updateOne({ _id: campaignId }, { $set: { status: "ARCHIVED" } });
  for (const action of ["launch", "pause", "resume"]) {
    expect(await act(action)).toMatchObject({ status: 409, body: { details: { from: "ARCHIVED", action } } });
  }
});

test("a campaign that has become invalid is not resumed", async () => {
  const { act, settings } = await ready();
  await act("launch");
  await act("pause");
  await settings({ endAt: "2020-01-01T00:00:00Z" });
  const refused = await act("resume");
  expect(refused).toMatchObject({
    status: 422,
    body: {
      code: "CAMPAIGN_NOT_VALID",
      details: { validation: { valid: false, errors: [{ code: "END_DATE_PAST" }] } },
    },
  });
});

test("like a launch, a resume is refused for a blocking warning, and when the campaign has no open recipient", async () => {
  const { workspaceId, campaignId, act, settings } = await ready();
  await act("launch");
  await act("pause");
  await settings({ launchBlockers: ["DNS_NOT_VERIFIED"] });
  const errorsOf = async () => (await act("resume")).body.details?.validation.errors;
  expect(await errorsOf()).toMatchObject([{ code: "BLOCKED_BY_POLICY", details: { warnings: ["DNS_NOT_VERIFIED"] } }]);
  await settings({ launchBlockers: [] });
  await scoped(workspaceId).Recipient.updateMany({ campaignId }, { $set: { status: "UNSUBSCRIBED" } });
  expect(await errorsOf()).toMatchObject([{ code: "NO_RECIPIENTS" }]);
  await settings({ autoRefreshAudience: true });
  expect((await act("resume")).body.status).toBe("ACTIVE");
});

test("resuming by hand after a guard has paused a campaign overrides that guard for a day", async () => {
  const { workspaceId, campaignId, act } = await ready();
  const { Campaign } = scoped(workspaceId);
  await act("launch");
  await Campaign.updateOne({ _id: campaignId }, { $set: { status: "PAUSED", pauseReason: "BOUNCE_GUARD" } });
  await act("resume");
  const until = (await Campaign.get(campaignId))?.guardOverrideUntil?.getTime() ?? 0;
  expect(until).toBeGreaterThan(Date.now() + 86_000_000);
});

test("a campaign fails validation while no mailbox can send or while its workspace is suspended", async () => {
  const { workspaceId, mailbox, codes, settings } = await ready();
  await scoped(workspaceId).Mailbox.updateOne({ _id: mailbox._id }, { $set: { status: "SENDING_ERROR" } });
  expect(await codes()).toEqual(["ALL_MAILBOXES_UNHEALTHY"]);
  const tagged = await storedMailbox(workspaceId, { tags: ["cold"] });
  await settings({ mailboxTags: ["cold"] });
  expect(await codes()).toEqual([]);
  expect(tagged.status).toBe("CONNECTED");
  await Workspace.updateOne({ _id: workspaceId }, { $set: { isSuspended: true } });
  expect(await codes()).toEqual(["BLOCKED_BY_POLICY"]);
});

test("a campaign that is paused by hand while the kill switch is on stays paused when sending is resumed", async () => {
  const { rest, workspaceId } = await world.workspace();
  const [held, paused] = [await readyCampaign(rest, workspaceId), await readyCampaign(rest, workspaceId)];
  for (const { path } of [held, paused])
    expect((await rest.post(`${path}/control`, { action: "launch" })).body.launched).toBe(true);
  expect((await rest.post("/workspace", { action: "pauseSending" })).status).toBe(200);
  const answer = await rest.post(`${paused.path}/control`, { action: "pause" });
  expect(answer).toMatchObject({ status: 200, body: { status: "PAUSED", pauseReason: "MANUAL" } });
  expect((await rest.post("/workspace", { action: "resumeSending" })).status).toBe(200);
  const statuses = await Promise.all([held, paused].map(async ({ path }) => (await rest.get(path)).body.status));
  expect(statuses).toEqual(["ACTIVE", "PAUSED"]);
});

test("warnings name leads that lack a variable, unverified addresses and content that looks like spam, and stop nothing", async () => {
  const { rest, path } = await ready(["ada@example.test", "grace@example.test"]);
  await rest.put(`${path}/sequence`, {
    action: "replaceSteps",
    steps: [{ subject: "Hi {{firstName}}", body: "Click here: https://x.test" }],
  });
  const { body } = await rest.get(`${path}/validate`);
  expect(body).toMatchObject({ valid: true, errors: [] });
  const warnings = Object.fromEntries(
    body.warnings.map(({ code, details }: { code: string; details: object }) => [code, details]),
  );
  expect(warnings).toMatchObject({
    MISSING_VARIABLES: { count: 2, sample: [{ names: ["firstName"] }, { names: ["firstName"] }] },
    UNVERIFIED_RECIPIENTS: { count: 2 },
    LINKS_IN_FIRST_EMAIL: {},
    SPAM_WORDS: { words: ["click here"] },
    NO_POSTAL_ADDRESS: {},
    MAILBOX_NOT_WARM: {},
  });
});

test("warnings name mailboxes whose DNS or tracking domain is not verified, and a setting makes them block a launch", async () => {
  const { rest, workspaceId, path, mailbox, settings, act } = await ready();
  await settings({ trackClicks: true, launchBlockers: ["DNS_NOT_VERIFIED"] });
  const found = async () => {
    const { body } = await rest.get(`${path}/validate`);
    return Object.fromEntries(
      body.warnings.map(({ code, details }: { code: string; details: object }) => [code, details]),
    );
  };
  const ours = { count: 1, mailboxIds: [mailbox._id] };
  expect(await found()).toMatchObject({
    DNS_NOT_VERIFIED: ours,
    TRACKING_DOMAIN_UNVERIFIED: ours,
    MAILBOX_NOT_WARM: ours,
  });
  expect((await act("launch")).body).toMatchObject({
    launched: false,
    validation: { errors: [{ code: "BLOCKED_BY_POLICY", details: { warnings: ["DNS_NOT_VERIFIED"] } }] },
  });
  const checks = { mx: "PASS", spf: "PASS", dkim: "UNKNOWN", dmarc: "WARN" } as const;
  const domain = { domain: "t.sender.test", expectedCname: "c", checkedAt: new Date(), error: null, failedChecks: 0 };
  await scoped(workspaceId).Mailbox.updateOne(
    { _id: mailbox._id },
    {
      $set: {
        verification: { status: "VERIFIED", checks, checkedAt: new Date() },
        trackingDomain: { ...domain, status: "VERIFIED" },
      },
    },
  );
  expect(Object.keys(await found())).not.toEqual(expect.arrayContaining(["DNS_NOT_VERIFIED"]));
  expect(await found()).not.toHaveProperty("TRACKING_DOMAIN_UNVERIFIED");
  await scoped(workspaceId).Mailbox.updateOne({ _id: mailbox._id }, { $set: { trackingDomain: null } });
  for (const wish of [
    { trackOpens: true },
    { stopOnOpen: true },
    { stopOnClick: true },
    { conversionDomains: ["shop.test"] },
  ]) {
    await settings({ trackClicks: false, ...wish });
    expect(await found()).toMatchObject({ TRACKING_DOMAIN_UNVERIFIED: ours });
    await settings({ trackOpens: null, stopOnOpen: null, stopOnClick: null, conversionDomains: null });
    expect(await found()).not.toHaveProperty("TRACKING_DOMAIN_UNVERIFIED");
  }
  await settings({ trackOpens: true });
  const shared = { ...domain, domain: `track.${mailbox.email.split("@")[1]}`, status: "VERIFIED" };
  await Workspace.updateOne({ _id: workspaceId }, { $set: { trackingDomain: shared } });
  expect(await found()).not.toHaveProperty("TRACKING_DOMAIN_UNVERIFIED");
  expect((await act("launch")).body.launched).toBe(true);
});

test("before a launch, a warning names recipients whose domain has been blocked since they were added", async () => {
  const { rest, path } = await ready(["ada@mail.blocked.test", "bob@example.test"]);
  await rest.post("/block-list", { value: "blocked.test" });
  const { body } = await rest.get(`${path}/validate`);
  expect(body.warnings).toContainEqual(
    expect.objectContaining({
      code: "SUPPRESSED_RECIPIENTS",
      details: expect.objectContaining({ count: 1, sample: ["ada@mail.blocked.test"] }),
    }),
  );
});

test("a credential without the launch scope launches nothing, and a call without an action does nothing", async () => {
  const { path, rest, workspaceId } = await ready();
  const reader = await world.workspace("campaigns:read", "campaigns:write");
  expect(await reader.rest.post(`${path}/control`, { action: "launch" })).toMatchObject({
    status: 403,
    body: { code: "INSUFFICIENT_SCOPE" },
  });
  expect(await rest.post(`${path}/control`, {})).toMatchObject({ status: 400 });
  expect(await scoped(workspaceId).Campaign.count({ status: "DRAFT" })).toBe(1);
});

import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { MockActivityEnvironment } from "@temporalio/testing";
import { campaignActivities } from "../../activities/campaigns/feeder.ts";
import { leadProviders } from "../../activities/campaigns/lead-providers.ts";
import { createRecords } from "../../connectors/net/records.ts";
import { NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import type { CampaignStatus, PauseReason } from "../../domain/states.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { createLog } from "../../runtime/log.ts";
import { validateCampaign } from "../../store/campaigns/validation.ts";
import { startWorld, type World } from "../support/world.ts";
import { readyCampaign } from "./campaign-parts.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const FAR = "2999-01-01T00:00:00Z";
const PAST = "2020-01-01T00:00:00Z";

async function ready(settings: object = {}) {
  const { rest, workspaceId } = await world.workspace();
  const { path, campaignId } = await readyCampaign(rest, workspaceId);
  await rest.patch(`${path}/settings`, settings);
  const { Campaign, Gate } = scoped(workspaceId);
  const isOfArchive = (action: string) => action === "archive" || action === "unarchive";
  const act = (action: string) => rest.post(`${path}/${isOfArchive(action) ? "archive" : "control"}`, { action });
  /** Sets the status as if the campaign had come to it by itself. */
  const put = (status: CampaignStatus, pauseReason: PauseReason | null = null) =>
    Campaign.updateOne({ _id: campaignId }, { $set: { status, pauseReason } });
  const stored = async () => (await rest.get(path)).body;
  const openGates = () => Gate.count({ ownerId: campaignId, isOpen: true });
  const log = createLog("silent");
  const findProviders = leadProviders({ egress: createRecords(), providers: NO_PROVIDERS, log });
  const { standingOf } = campaignActivities({ validate: validateCampaign, findProviders, log });
  const look = () => new MockActivityEnvironment().run(standingOf, { v: 1 as const, workspaceId, campaignId });
  return { rest, workspaceId, path, campaignId, act, put, stored, openGates, look };
}

/** The status that each action leads to from each status (rules/states 2.1); null: refused. */
const MOVES: Record<string, Record<CampaignStatus, CampaignStatus | null>> = {
  launch: {
    DRAFT: "ACTIVE",
    SCHEDULED: "ACTIVE",
    ACTIVE: "ACTIVE",
    PAUSED: "ACTIVE",
    COMPLETED: "ACTIVE",
    ARCHIVED: null,
  },
  pause: { DRAFT: null, SCHEDULED: "PAUSED", ACTIVE: "PAUSED", PAUSED: "PAUSED", COMPLETED: null, ARCHIVED: null },
  resume: { DRAFT: null, SCHEDULED: "SCHEDULED", ACTIVE: "ACTIVE", PAUSED: "ACTIVE", COMPLETED: null, ARCHIVED: null },
  complete: {
    DRAFT: null,
    SCHEDULED: "COMPLETED",
    ACTIVE: "COMPLETED",
    PAUSED: "COMPLETED",
    COMPLETED: "COMPLETED",
    ARCHIVED: null,
  },
  archive: {
    DRAFT: "ARCHIVED",
    SCHEDULED: "ARCHIVED",
    ACTIVE: "ARCHIVED",
    PAUSED: "ARCHIVED",
    COMPLETED: "ARCHIVED",
    ARCHIVED: "ARCHIVED",
  },
  unarchive: { DRAFT: null, SCHEDULED: null, ACTIVE: null, PAUSED: "PAUSED", COMPLETED: null, ARCHIVED: "PAUSED" },
};

test.each(Object.entries(MOVES))(
  "%s changes each status for which the action is allowed, and is refused in any other status",
  async (action, moves) => {
    const { act, put, stored, openGates } = await ready();
    for (const [from, to] of Object.entries(moves)) {
      await put(from as CampaignStatus); // `from` is one of the keys of a Record of statuses
      const { version } = await stored();
      const answer = await act(action);
      const refusal = { status: 409, body: { code: "INVALID_STATE_TRANSITION", details: { from, action } } };
      expect(answer).toMatchObject(to === null ? refusal : { status: 200 });
      expect(await stored()).toMatchObject({
        status: to ?? from,
        version: (to ?? from) === from ? version : version + 1,
      });
      if (to !== null && to !== from) expect(await openGates()).toBe(to === "ACTIVE" ? 16 : 0);
    }
  },
);

test("launching with a start in the future schedules a draft or a paused campaign, and no other", async () => {
  const { act, put, stored } = await ready({ startAt: FAR });
  for (const from of ["DRAFT", "PAUSED"] as const) {
    await put(from);
    await act("launch");
    expect((await stored()).status).toBe("SCHEDULED");
  }
  await put("COMPLETED");
  expect(await act("launch")).toMatchObject({
    status: 409,
    body: { details: { from: "COMPLETED", action: "launch" } },
  });
  expect((await stored()).status).toBe("COMPLETED");
});

test("a call of the archive endpoint without an action archives the campaign", async () => {
  const { rest, path, act, stored } = await ready();
  await act("launch");
  expect(await rest.post(`${path}/archive`, {})).toMatchObject({ status: 200, body: { status: "ARCHIVED" } });
  expect(await act("unarchive")).toMatchObject({
    status: 200,
    body: { status: "PAUSED", pauseReason: "UNARCHIVED", archivedAt: null },
  });
  expect((await stored()).status).toBe("PAUSED");
});

test("an archived campaign refuses every edit, and after unarchiving is paused with unchanged recipients", async () => {
  const { rest, path, act } = await ready();
  await act("launch");
  const archived = await act("archive");
  expect(archived.body).toMatchObject({ status: "ARCHIVED", pauseReason: null, archivedAt: expect.any(String) });
  expect((await act("archive")).body).toEqual(archived.body);
  const edits = [
    await rest.patch(path, { name: "Other" }),
    await rest.patch(`${path}/settings`, { dailyLimit: 1 }),
    await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: [] }),
    await rest.post(`${path}/recipients`, { action: "addManual", emails: ["new@example.test"] }),
  ];
  for (const edit of edits) expect(edit).toMatchObject({ status: 409, body: { code: "INVALID_STATE_TRANSITION" } });
  expect((await act("unarchive")).body).toMatchObject({
    status: "PAUSED",
    pauseReason: "UNARCHIVED",
    archivedAt: null,
  });
  expect((await rest.get(`${path}/recipients/stats`)).body.byStatus).toMatchObject({ PENDING: 1 });
  expect((await act("resume")).body).toMatchObject({ status: "ACTIVE", pauseReason: null });
});

test("a scheduled campaign is validated again at its start, and then becomes active or is paused with the reasons", async () => {
  const good = await ready({ startAt: FAR });
  await good.act("launch");
  expect(await good.look()).toMatchObject({ status: "WAITING" });
  const startAt = new Date(Date.now() + DAY_MS).toISOString();
  await good.rest.patch(`${good.path}/settings`, { startAt });
  expect(await good.look()).toMatchObject({ status: "WAITING", wakeAt: Date.parse(startAt) });
  await good.rest.patch(`${good.path}/settings`, { startAt: PAST });
  expect(await good.look()).toMatchObject({ status: "ACTIVE" });
  expect(await good.stored()).toMatchObject({ status: "ACTIVE", launchedAt: expect.any(String) });
  expect(await good.openGates()).toBe(16);

  const bad = await ready({ startAt: FAR });
  await bad.act("launch");
  await bad.rest.patch(`${bad.path}/settings`, { startAt: PAST, mailboxIds: [] });
  expect(await bad.look()).toMatchObject({ status: "WAITING" });
  expect(await bad.stored()).toMatchObject({ status: "PAUSED", pauseReason: "LAUNCH_INVALID", launchedAt: null });
  expect(await bad.openGates()).toBe(0);
  const [event] = await scoped(bad.workspaceId).ActivityEvent.find(
    { type: "STATUS_CHANGED" },
    { sort: { _id: -1 }, limit: 1 },
  );
  expect(event?.data).toMatchObject({ to: "PAUSED", because: { errors: ["NO_MAILBOX"] } });
});

test("an active campaign is completed at its end, and a completed campaign reopens when a recipient is added", async () => {
  const { rest, path, campaignId, workspaceId, act, look, stored, put } = await ready();
  await act("launch");
  await rest.patch(`${path}/settings`, { endAt: PAST });
  expect(await look()).toMatchObject({ status: "ENDED" });
  expect(await stored()).toMatchObject({
    status: "COMPLETED",
    completedReason: "SCHEDULE_ENDED",
    completedAt: expect.any(String),
  });
  await rest.post(`${path}/recipients`, { action: "addManual", emails: ["late@example.test"] });
  expect((await stored()).status).toBe("COMPLETED");

  await rest.patch(`${path}/settings`, { endAt: null });
  await put("COMPLETED");
  await scoped(workspaceId).Campaign.updateOne({ _id: campaignId }, { $set: { completedReason: "FINISHED" } });
  await rest.post(`${path}/recipients`, { action: "addManual", emails: ["later@example.test"] });
  expect(await stored()).toMatchObject({ status: "ACTIVE", completedReason: null, completedAt: null });
});

test("every change of status that a caller requests leaves one entry in the audit log, refused ones too", async () => {
  const { act, workspaceId, campaignId } = await ready();
  for (const action of ["resume", "launch", "pause", "resume", "complete", "archive", "unarchive"]) await act(action);
  const entries = await scoped(workspaceId).AuditEntry.find({}, { sort: { seq: 1 } });
  const told = entries.filter(({ action }) => action.startsWith("campaigns."));
  expect(told.map(({ action, outcome, code, target }) => [action, outcome, code, target])).toEqual([
    ["campaigns.resume", "FAILED", "INVALID_STATE_TRANSITION", { campaignId }],
    ...["launch", "pause", "resume", "complete", "archive", "unarchive"].map((verb) => [
      `campaigns.${verb}`,
      "DONE",
      null,
      { campaignId },
    ]),
  ]);
});

test("the type of a campaign cannot change after the draft, and a one-off campaign has one step", async () => {
  const { rest, path, act } = await ready();
  expect((await rest.patch(path, { type: "ONE_OFF" })).body.type).toBe("ONE_OFF");
  const two = [
    { subject: "1", body: "1" },
    { subject: "", body: "2" },
  ];
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: two });
  const refused = await act("launch");
  expect(refused.body).toMatchObject({
    launched: false,
    validation: { errors: [{ code: "ONE_OFF_STEP_COUNT", details: { steps: 2 } }] },
  });
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: two.slice(0, 1) });
  expect((await act("launch")).body.launched).toBe(true);
  expect(await rest.patch(path, { type: "SEQUENCE" })).toMatchObject({
    status: 409,
    body: { code: "INVALID_STATE_TRANSITION" },
  });
  expect(await rest.patch(path, { type: "ONE_OFF", name: "Same type" })).toMatchObject({ status: 200 });
});

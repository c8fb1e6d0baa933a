import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { planWarmupRound } from "../../store/warmup/plan-round.ts";
import { refreshWarmup } from "../../store/warmup/refresh.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** A workspace with mailboxes of these addresses. */
async function workspaceWith(...emails: string[]): Promise<{
  workspaceId: string;
  rest: Rest;
  ids: string[];
  withScopes(...scopes: ("warmup:read" | "warmup:write")[]): Promise<Rest>;
}> {
  const { workspaceId, rest, withScopes } = await world.workspace();
  const ids: string[] = [];
  for (const email of emails) ids.push(await mailbox(workspaceId, email));
  return { workspaceId, rest, ids, withScopes };
}

async function mailbox(workspaceId: string, email: string, more: object = {}): Promise<string> {
  const _id = newId("mbx");
  const server = { host: "mail.a.test", port: 465, security: "SSL_TLS" as const };
  const login = { username: email, sealedPassword: { v: 1 } } as object;
  await scoped(workspaceId).Mailbox.insert({ _id, email, name: null, smtp: server, imap: server, ...login, ...more });
  return _id;
}

const manage = (rest: Rest, body: object) => rest.post("/warmup/manage", body);
const statusOf = async (rest: Rest, mailboxId: string) =>
  (await rest.get(`/warmup/enrolments/${mailboxId}`)).body.status;

test("starting a warmup enrols the mailbox with the preset COLD and the shared pool", async () => {
  const { rest, ids } = await workspaceWith("ann@a.test");
  const [mailboxId = ""] = ids;
  expect((await rest.get(`/warmup/enrolments/${mailboxId}`)).status).toBe(404);
  const { status, body } = await manage(rest, { action: "start", mailboxId });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id: mailboxId,
    mailboxId,
    email: "ann@a.test",
    status: "ACTIVE",
    statusReason: null,
    preset: "COLD",
    dayNumber: 1,
    config: {
      start: 3,
      increment: 1,
      max: 20,
      replyRate: 0.3,
      weekdaysOnly: false,
      spamRescueRate: 1,
      importantRate: 0.2,
      folder: "Warmup",
      language: "en",
    },
    healthBand: "HEALTHY",
    reputationScore: null,
    pools: [{ type: "SHARED", share: 1 }],
    pausedAt: null,
    warnings: [],
    last7Days: { sent: 0, received: 0, replied: 0, inSpam: 0, rescued: 0, bounced: 0 },
  });
  expect((await rest.get(`/warmup/enrolments/${mailboxId}`)).body).toEqual(body);
  expect((await rest.get("/warmup/enrolments")).body).toMatchObject({ total: 1, items: [{ mailboxId }] });
});

test("a warmup keeps its ramp over a pause and begins anew after a stop, and impossible transitions are refused", async () => {
  const { workspaceId, rest, ids } = await workspaceWith("ann@a.test");
  const [mailboxId = ""] = ids;
  expect((await manage(rest, { action: "pause", mailboxId })).body.code).toBe("ENROLMENT_NOT_FOUND");
  await manage(rest, { action: "start", mailboxId });
  await scoped(workspaceId).WarmupEnrolment.updateOne({ _id: mailboxId }, { $set: { dayNumber: 9 } });
  expect((await manage(rest, { action: "start", mailboxId })).body).toMatchObject({ status: "ACTIVE", dayNumber: 9 });
  const paused = (await manage(rest, { action: "pause", mailboxId })).body;
  expect(paused.status).toBe("PAUSED");
  expect(paused.pausedAt).not.toBeNull();
  expect((await manage(rest, { action: "reconnect", mailboxId })).body).toMatchObject({
    code: "INVALID_STATE_TRANSITION",
    details: { from: "PAUSED", action: "reconnect" },
  });
  expect((await manage(rest, { action: "start", mailboxId })).body).toMatchObject({
    status: "ACTIVE",
    dayNumber: 9,
    pausedAt: null,
  });
  expect((await manage(rest, { action: "stop", mailboxId })).body.status).toBe("STOPPED");
  expect((await manage(rest, { action: "stop", mailboxId })).status).toBe(200);
  expect((await manage(rest, { action: "pause", mailboxId })).status).toBe(409);
  expect((await manage(rest, { action: "start", mailboxId })).body).toMatchObject({ status: "ACTIVE", dayNumber: 1 });
  expect((await manage(rest, { action: "remove", mailboxId })).body).toEqual({ mailboxId, deleted: true });
  expect((await manage(rest, { action: "remove", mailboxId })).body.code).toBe("ENROLMENT_NOT_FOUND");
});

test("the warmup of a mailbox that cannot log in does not start, and reconnect continues the warmup of a reconnected mailbox", async () => {
  const { workspaceId, rest } = await workspaceWith();
  const lost = await mailbox(workspaceId, "lost@a.test", { status: "RECONNECT_REQUIRED" });
  expect((await manage(rest, { action: "start", mailboxId: lost })).body).toMatchObject({
    code: "INVALID_STATE_TRANSITION",
    details: { from: "RECONNECT_REQUIRED", action: "start" },
  });
  await scoped(workspaceId).Mailbox.updateOne({ _id: lost }, { $set: { status: "CONNECTED" } });
  await manage(rest, { action: "start", mailboxId: lost });
  await scoped(workspaceId).WarmupEnrolment.updateOne(
    { _id: lost },
    { $set: { status: "RECONNECT_REQUIRED", dayNumber: 5 } },
  );
  expect((await manage(rest, { action: "start", mailboxId: lost })).status).toBe(409);
  expect((await manage(rest, { action: "reconnect", mailboxId: lost })).body).toMatchObject({
    status: "ACTIVE",
    dayNumber: 5,
  });
});

test("the warmup of a mailbox that moves to its provider's API continues, and one that waited for that begins again", async () => {
  const { workspaceId, rest, ids } = await workspaceWith("moves@a.test");
  const [mailboxId = ""] = ids;
  await manage(rest, { action: "start", mailboxId });
  const { Mailbox, WarmupEnrolment } = scoped(workspaceId);
  await Mailbox.updateOne({ _id: mailboxId }, { $set: { transport: "GMAIL_API" } });
  await refreshWarmup(workspaceId, mailboxId);
  expect(await WarmupEnrolment.get(mailboxId)).toMatchObject({ status: "ACTIVE", statusReason: null });
  // As an earlier version stored it
  const waiting = { status: "RECONNECT_REQUIRED", statusReason: "TRANSPORT" } as const;
  await WarmupEnrolment.updateOne({ _id: mailboxId }, { $set: waiting });
  await refreshWarmup(workspaceId, mailboxId);
  expect(await WarmupEnrolment.get(mailboxId)).toMatchObject({ status: "ACTIVE", statusReason: null });
});

test("a preset changes only the ramp, a ramp with own values is CUSTOM, and values out of range are refused", async () => {
  const { rest, ids } = await workspaceWith("ann@a.test");
  const [mailboxId = ""] = ids;
  await manage(rest, { action: "start", mailboxId, preset: "WARM", config: { language: "de" } });
  const warm = (await rest.get(`/warmup/enrolments/${mailboxId}`)).body;
  expect([warm.preset, warm.config.start, warm.config.language]).toEqual(["WARM", 10, "de"]);
  const aggressive = (await manage(rest, { action: "applyPreset", mailboxId, preset: "AGGRESSIVE" })).body;
  expect(aggressive).toMatchObject({
    preset: "AGGRESSIVE",
    config: { start: 15, increment: 4, max: 50, replyRate: 0.35, language: "de" },
  });
  const mixed = (await manage(rest, { action: "start", mailboxId, preset: "AGGRESSIVE", config: { start: 20 } })).body;
  expect(mixed).toMatchObject({ preset: "CUSTOM", config: { start: 20, increment: 4, max: 50 } });
  const own = (
    await manage(rest, { action: "applyPreset", mailboxId, preset: "CUSTOM", customConfig: { start: 2, max: 7 } })
  ).body;
  expect(own).toMatchObject({ preset: "CUSTOM", config: { start: 2, increment: 4, max: 7 } });
  expect((await manage(rest, { action: "configure", mailboxId, config: { folder: "" } })).body).toMatchObject({
    preset: "CUSTOM",
    config: { folder: "", start: 2 },
  });
  const wrong = [
    { start: 0 },
    { start: 21 },
    { increment: 11 },
    { max: 101 },
    { replyRate: 0.61 },
    { spamRescueRate: 1.1 },
    { importantRate: -1 },
    { folder: "a/b" },
    { folder: "a\r\nb" },
    { language: "xx" },
    { colour: 1 },
  ];
  for (const config of wrong) {
    const { status, body } = await manage(rest, { action: "configure", mailboxId, config });
    expect([config, status, body.code]).toEqual([config, 400, "VALIDATION_FAILED"]);
    expect(body.details.issues[0].path).toMatch(/^config/);
  }
  expect((await rest.get(`/warmup/enrolments/${mailboxId}`)).body.config).toMatchObject({
    start: 2,
    max: 7,
    folder: "",
  });
});

test("a warmup action on several mailboxes reports a result for each, and names unknown mailboxes", async () => {
  const { rest, ids } = await workspaceWith("ann@a.test", "bob@b.test", "cat@c.test");
  const [ann = "", bob = "", cat = ""] = ids;
  const onboard = {
    mailboxIds: [ann, bob, "mbx_unknown"],
    preset: "AGGRESSIVE",
    pools: [{ type: "SHARED", share: 0.5 }],
  };
  const onboarded = (await manage(rest, { action: "onboard", onboard })).body;
  expect(onboarded).toMatchObject({
    matched: 2,
    changed: 2,
    notFound: ["mbx_unknown"],
    items: [
      { id: ann, ok: true },
      { id: bob, ok: true },
    ],
  });
  expect((await rest.get(`/warmup/enrolments/${ann}`)).body).toMatchObject({
    preset: "AGGRESSIVE",
    pools: [{ type: "SHARED", share: 0.5 }],
  });
  await manage(rest, { action: "stop", mailboxId: bob });
  const paused = (await manage(rest, { action: "bulkAction", bulkAction: "pause", mailboxIds: [ann, bob, cat] })).body;
  expect(paused).toMatchObject({ matched: 2, changed: 1, notFound: [cat] });
  expect(paused.items).toEqual([
    { id: ann, ok: true, error: null, dailyLimit: 0 },
    {
      id: bob,
      ok: false,
      dailyLimit: null,
      error: { code: "INVALID_STATE_TRANSITION", message: expect.stringContaining("STOPPED") },
    },
  ]);
  await manage(rest, { action: "bulkAction", bulkAction: "apply-config", mailboxIds: [ann, bob], config: { max: 9 } });
  expect((await rest.get(`/warmup/enrolments/${bob}`)).body.config.max).toBe(9);
  expect(
    (await manage(rest, { action: "bulkAction", bulkAction: "remove", mailboxIds: [ann, bob] })).body.changed,
  ).toBe(2);
  expect((await rest.get("/warmup/enrolments")).body.total).toBe(0);
  expect((await manage(rest, { action: "start" })).body.details.issues[0]).toMatchObject({
    path: "mailboxId",
    code: "REQUIRED",
  });
});

test("the warmup list can be filtered by status, searched by name and address, sorted and paged", async () => {
  const { rest, ids } = await workspaceWith("ann@a.test", "bob@b.test", "cat@c.test");
  for (const mailboxId of ids) await manage(rest, { action: "start", mailboxId });
  await manage(rest, { action: "pause", mailboxId: ids[1] });
  const emails = async (query: string) =>
    (await rest.get(`/warmup/enrolments?${query}`)).body.items.map(({ email }: { email: string }) => email);
  expect(await emails("status=PAUSED")).toEqual(["bob@b.test"]);
  expect(await emails("status=PAUSED,ACTIVE&sort=email")).toEqual(["ann@a.test", "bob@b.test", "cat@c.test"]);
  expect(await emails("search=B.TE")).toEqual(["bob@b.test"]);
  expect(await emails("search=.*")).toEqual([]);
  expect(await emails("sort=-email&pageSize=2&page=2")).toEqual(["ann@a.test"]);
  expect((await rest.get("/warmup/enrolments?status=SLEEPING")).status).toBe(400);
});

test("a private pool contains only the workspace's own mailboxes, pool shares add up to at most 1, and deleting a pool ends participation", async () => {
  const { rest, ids } = await workspaceWith("ann@a.test", "bob@b.test");
  const other = await workspaceWith("eve@x.test");
  const [ann = "", bob = ""] = ids;
  const pools = (body: object) => rest.post("/warmup/pools", body);
  await manage(rest, { action: "start", mailboxId: ann });
  expect((await pools({ action: "createPrivate", name: "Ours", mailboxIds: [ann, ...other.ids] })).body.code).toBe(
    "MAILBOX_NOT_FOUND",
  );
  const pool = (await pools({ action: "createPrivate", name: "Ours", mailboxIds: [ann, bob, ann] })).body;
  expect(pool).toEqual({ id: expect.stringMatching(/^wpl_/), name: "Ours", mailboxIds: [ann, bob] });
  expect((await pools({ action: "createPrivate", name: "Ours", mailboxIds: [ann] })).status).toBe(409);
  const shares = (list: object[]) => pools({ action: "setParticipation", mailboxId: ann, pools: list });
  expect(
    (
      await shares([
        { type: "SHARED", share: 0.5 },
        { type: pool.id, share: 0.5 },
      ])
    ).body.pools,
  ).toHaveLength(2);
  expect(
    (
      await shares([
        { type: "SHARED", share: 0.34 },
        { type: pool.id, share: 0.34 },
        { type: "wpl_x", share: 0.34 },
      ])
    ).body.details.issues[0].code,
  ).toBe("SUM_TOO_LARGE");
  expect((await shares([{ type: "SHARED", share: 0 }])).status).toBe(400);
  expect(
    (
      await shares([
        { type: "SHARED", share: 0.1 },
        { type: "SHARED", share: 0.1 },
      ])
    ).status,
  ).toBe(400);
  expect((await shares([{ type: "wpl_unknown", share: 0.1 }])).body.code).toBe("POOL_NOT_FOUND");
  expect((await pools({ action: "overview" })).body).toEqual({
    pools: [
      { type: "SHARED", name: "Shared", mailboxes: 1 },
      { type: pool.id, name: "Ours", mailboxes: 1 },
    ],
    participation: [
      {
        mailboxId: ann,
        pools: [
          { type: "SHARED", share: 0.5 },
          { type: pool.id, share: 0.5 },
        ],
      },
    ],
  });
  expect((await other.rest.post("/warmup/pools", { action: "deletePrivate", poolId: pool.id })).body.code).toBe(
    "POOL_NOT_FOUND",
  );
  expect((await pools({ action: "deletePrivate", poolId: pool.id })).body).toEqual({ id: pool.id, deleted: true });
  expect((await rest.get(`/warmup/enrolments/${ann}`)).body.pools).toEqual([{ type: "SHARED", share: 0.5 }]);
  expect((await pools({ action: "listPrivate" })).body).toEqual([]);
});

test("the warmup of another workspace's mailbox is not found by any view or action", async () => {
  const { rest, ids } = await workspaceWith("ann@a.test");
  const [mailboxId = ""] = ids;
  await manage(rest, { action: "start", mailboxId });
  const { rest: stranger } = await world.workspace();
  for (const view of ["", "/heatmap", "/reputation", "/bounces"]) {
    expect((await stranger.get(`/warmup/enrolments/${mailboxId}${view}`)).body.code).toBe("ENROLMENT_NOT_FOUND");
  }
  for (const action of ["start", "pause", "stop", "reconnect", "remove", "markImportant", "unspam"]) {
    expect([action, (await manage(stranger, { action, mailboxId })).status]).toEqual([action, 404]);
  }
  expect(await statusOf(rest, mailboxId)).toBe("ACTIVE");
});

test("reading warmups requires warmup:read and changing them warmup:write, and pool actions require the matching scope", async () => {
  const { withScopes, ids } = await workspaceWith("ann@a.test");
  const [reader, writer] = [await withScopes("warmup:read"), await withScopes("warmup:write")];
  expect((await manage(reader, { action: "start", mailboxId: ids[0] })).body).toMatchObject({
    code: "INSUFFICIENT_SCOPE",
    details: { requiredScope: "warmup:write" },
  });
  expect((await manage(writer, { action: "start", mailboxId: ids[0] })).status).toBe(200);
  expect((await writer.get("/warmup/enrolments")).status).toBe(403);
  expect((await reader.post("/warmup/pools", { action: "overview" })).status).toBe(200);
  expect((await reader.post("/warmup/pools", { action: "createPrivate", name: "x", mailboxIds: ids })).status).toBe(
    403,
  );
  expect((await writer.post("/warmup/pools", { action: "overview" })).status).toBe(403);
});

test("heatmap and reputation return every requested day, and a number of days out of range is refused", async () => {
  const { workspaceId, rest, ids } = await workspaceWith("ann@a.test");
  const [mailboxId = ""] = ids;
  await manage(rest, { action: "start", mailboxId });
  const view = (path: string) => rest.get(`/warmup/enrolments/${mailboxId}/${path}`);
  const today = new Date().toISOString().slice(0, 10);
  await scoped(workspaceId).WarmupDay.insert({
    _id: `${mailboxId}:${today}`,
    mailboxId,
    date: today,
    sent: 4,
    replied: 1,
    engaged: 3,
    inSpam: 2,
    rescued: 2,
  });
  const heatmap = (await view("heatmap")).body;
  expect(heatmap).toHaveLength(14);
  expect(heatmap.at(-1)).toEqual({ date: today, sent: 4, replied: 1, engaged: 3, inSpam: 2, rescued: 2 });
  expect(heatmap[0]).toMatchObject({ sent: 0, rescued: 0 });
  expect((await view("heatmap?days=90")).body).toHaveLength(90);
  expect((await view("reputation")).body).toHaveLength(30);
  expect((await view("reputation?days=180")).body.every(({ score }: { score: number | null }) => score === null)).toBe(
    true,
  );
  for (const path of ["heatmap?days=0", "heatmap?days=91", "reputation?days=181", "reputation?days=x"])
    expect((await view(path)).status).toBe(400);
  expect((await view("bounces")).body).toEqual({ hard: 0, soft: 0, total: 0, lastBounceAt: null, lastBounce: null });
});

test("starting the warmup of a mailbox that was connected by consent warns about the provider's terms", async () => {
  const { workspaceId, rest } = await workspaceWith();
  const mailboxId = await mailbox(workspaceId, "ann@a.test", { grantId: "grt_1" });
  const { body } = await manage(rest, { action: "start", mailboxId });
  expect(body).toMatchObject({ status: "ACTIVE", warnings: [{ code: "PROVIDER_TERMS" }] });
});

test("starting a warmup returns the day's target before the plan is made, and a warmup that is not active has no target", async () => {
  const { workspaceId, rest, ids } = await workspaceWith("ann@a.test", "bob@b.test", "cat@c.test");
  const [ann = "", bob = "", cat = ""] = ids;
  const limitOf = async (id: string) => (await rest.get(`/warmup/enrolments/${id}`)).body.dailyLimit;
  expect((await manage(rest, { action: "start", mailboxId: ann })).body).toMatchObject({
    dailyLimit: 3,
    planStatus: "PENDING",
  });
  const onboard = { mailboxIds: [bob, cat], preset: "AGGRESSIVE", config: { start: 12 } };
  const items = (await manage(rest, { action: "onboard", onboard })).body.items;
  expect(items.map(({ dailyLimit }: { dailyLimit: number }) => dailyLimit)).toEqual([12, 12]);
  // A mailbox that allows fewer, and one that sends campaigns too
  await rest.post("/mailboxes/manage", { action: "updateSettings", mailboxId: bob, patch: { warmupDailyLimit: 7 } });
  const today = new Date().toISOString().slice(0, 10);
  const taken = [{ at: new Date(), sendId: "snd_1", campaignId: "cmp_1" }];
  await scoped(workspaceId).MailboxDay.insert({
    _id: `${cat}:${today}`,
    mailboxId: cat,
    day: today,
    taken,
  } as object as never);
  expect([await limitOf(bob), await limitOf(cat)]).toEqual([7, 5]);
  await planWarmupRound("WAITING", () => {});
  for (const id of ids) {
    const stored = await scoped(workspaceId).WarmupEnrolment.get(id);
    expect((await rest.get(`/warmup/enrolments/${id}`)).body).toMatchObject({
      dailyLimit: stored?.dailyLimit,
      planStatus: "PLANNED",
    });
  }
  expect((await manage(rest, { action: "configure", mailboxId: ann, config: { start: 4 } })).body).toMatchObject({
    dailyLimit: 4,
    planStatus: "PENDING",
  });
  for (const action of ["pause", "start", "stop"]) {
    expect((await manage(rest, { action, mailboxId: ann })).body).toMatchObject({
      dailyLimit: action === "start" ? 4 : 0,
    });
  }
  expect(
    (await manage(rest, { action: "bulkAction", bulkAction: "stop", mailboxIds: [bob] })).body.items,
  ).toMatchObject([{ dailyLimit: 0 }]);
  expect(
    (await rest.get("/warmup/enrolments?status=STOPPED")).body.items.map(
      ({ dailyLimit }: { dailyLimit: number }) => dailyLimit,
    ),
  ).toEqual([0, 0]);
});

test("rescuing or marking the emails of a stopped warmup is refused, for one mailbox and for several", async () => {
  const { rest, ids } = await workspaceWith("ann@a.test", "bob@b.test");
  const [ann = "", bob = ""] = ids;
  for (const mailboxId of ids) await manage(rest, { action: "start", mailboxId });
  await manage(rest, { action: "stop", mailboxId: ann });
  for (const action of ["unspam", "markImportant"]) {
    expect(await manage(rest, { action, mailboxId: ann })).toMatchObject({
      status: 409,
      body: { code: "INVALID_STATE_TRANSITION", details: { from: "STOPPED", action } },
    });
    expect((await manage(rest, { action, mailboxIds: [ann, bob] })).body).toMatchObject({
      matched: 2,
      changed: 1,
      items: [
        { id: ann, ok: false, error: { code: "INVALID_STATE_TRANSITION" } },
        { id: bob, ok: true },
      ],
    });
  }
  await manage(rest, { action: "pause", mailboxId: bob });
  expect((await manage(rest, { action: "unspam", mailboxId: bob })).status).toBe(200);
});

test("a bulk start of warmups uses the given configuration", async () => {
  const { rest, ids } = await workspaceWith("ann@a.test");
  const started = { action: "bulkAction", bulkAction: "start", mailboxIds: ids, config: { start: 6 } };
  expect((await manage(rest, started)).body.items).toMatchObject([{ ok: true, dailyLimit: 6 }]);
});

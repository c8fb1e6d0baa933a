import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { writtenTo } from "../analytics/reported.ts";
import { hourGoesOn } from "../fakes/wait.ts";
import { answerOf, startInbox } from "../inbox/inbox-parts.ts";
import { startWorld, type World } from "../support/world.ts";
import { busyWorkspace } from "./home-setup.ts";

let world: World;
let busy: Awaited<ReturnType<typeof busyWorkspace>>;
beforeAll(async () => {
  world = await startWorld();
  busy = await busyWorkspace(world);
});
afterAll(() => world.close());

test("home shows in one read what needs a person, what is sent today, and a stuck campaign before a draft", async () => {
  const { rest, broken, threadId, campaignId, draftId } = busy;
  const { status, body } = await rest.get("/home");
  expect(status).toBe(200);
  expect(body).toMatchObject({
    partial: [],
    replies: { total: 1, items: [{ id: threadId, subject: "A question" }] },
    approvals: { total: 1 },
    mailboxes: { total: 1, items: [{ id: broken._id, email: broken.email, condition: "DOWN" }] },
    today: { sent: 7, limit: 40, campaigns: { sent: 0, replied: 0, positiveReplies: 0 } },
    campaigns: [
      { id: campaignId, status: "ACTIVE", sendingStatus: { code: "MAILBOXES_UNHEALTHY" }, partial: false },
      { id: draftId, status: "DRAFT", metrics: { recipients: 0 } },
    ],
  });
  expect(body.today.hours.map(({ hour }: { hour: number }) => hour)).toEqual(Array.from({ length: 24 }, (_, n) => n));
});

test("home counts the emails and replies of today by hour, and those of yesterday up to the present hour", async () => {
  await hourGoesOn(20_000);
  const now = Date.now();
  // A zone in which it is some minutes past noon
  const ahead = 12 - new Date(now).getUTCHours();
  const timezone = ahead === 0 ? "UTC" : `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
  const midnight = Math.floor((now + ahead * HOUR_MS) / DAY_MS) * DAY_MS - ahead * HOUR_MS;
  const today = (hour: number) => new Date(midnight + hour * HOUR_MS);
  const yesterday = (hour: number) => new Date(midnight - DAY_MS + hour * HOUR_MS);
  const inbox = await startInbox(world);
  await inbox.rest.post("/workspace", { action: "update", patch: { timezone } });
  const ada = await writtenTo(inbox, "ada@b.test", today(9));
  await writtenTo(inbox, "bob@b.test", today(9.5));
  const cyd = await writtenTo(inbox, "cyd@b.test", yesterday(8));
  await writtenTo(inbox, "dan@b.test", yesterday(12.75));
  await writtenTo(inbox, "eve@b.test", yesterday(13));
  const fay = await writtenTo(inbox, "fay@b.test", yesterday(14));
  for (const [person, receivedAt] of [
    [ada, today(11)],
    [cyd, yesterday(10)],
    [fay, yesterday(20)],
  ] as const)
    await inbox.arrive(answerOf(person, "Tell me more."), { receivedAt });
  const { body } = await inbox.rest.get("/home");
  expect(body.today).toMatchObject({
    date: new Date(midnight + ahead * HOUR_MS).toISOString().slice(0, 10),
    hour: 12,
    timezone,
    campaigns: { sent: 2, replied: 1 },
    yesterday: { sent: 2, replied: 1 },
  });
  const counted = body.today.hours.flatMap(({ hour, sent, replied }: Record<string, number>) =>
    sent === 0 && replied === 0 ? [] : [[hour, sent, replied]],
  );
  expect(counted).toEqual([
    [9, 2, 0],
    [11, 0, 1],
  ]);
});

test("the checklist of home shows which steps to the first email are done", async () => {
  const { rest, workspaceId } = await world.workspace();
  const steps = async () => {
    const { body } = await rest.get("/home");
    return Object.fromEntries(
      body.checklist.map(({ step, isDone }: { step: string; isDone: boolean }) => [step, isDone]),
    );
  };
  const none = { POSTAL_ADDRESS: false, MAILBOX: false, DNS: false, LEADS: false, CAMPAIGN: false, LAUNCH: false };
  expect(await steps()).toEqual(none);
  await rest.post("/workspace", { action: "update", patch: { postalAddress: "Acme Ltd\n1 Main Street" } });
  await rest.post("/leads", { email: "ada@example.test" });
  const { body: campaign } = await rest.post("/campaigns", { name: "Spring" });
  expect(await steps()).toEqual({ ...none, POSTAL_ADDRESS: true, LEADS: true });
  await rest.post(`/campaigns/${campaign.id}/recipients`, { action: "addManual", emails: ["ada@example.test"] });
  await scoped(workspaceId).Campaign.updateMany({}, { $set: { launchedAt: new Date() } });
  expect(await steps()).toEqual({ ...none, POSTAL_ADDRESS: true, LEADS: true, CAMPAIGN: true, LAUNCH: true });
});

test.each([
  [["campaigns:read"], ["campaigns"], ["CAMPAIGN", "LAUNCH"]],
  [["inbox:read"], ["approvals", "replies"], []],
  [["mailboxes:read"], ["mailboxes"], ["MAILBOX", "DNS"]],
  [
    ["mailboxes:read", "analytics:read"],
    ["mailboxes", "today"],
    ["MAILBOX", "DNS"],
  ],
  [["analytics:read"], [], []],
  [["webhooks:read"], [], []],
] as const)("a credential with %p gets only the parts that it may read", async (scopes, parts, steps) => {
  const { body } = await (await busy.withScopes(...scopes)).get("/home");
  const { checklist, partial, ...others } = body;
  expect(Object.keys(others).sort()).toEqual(parts);
  expect(checklist.map(({ step }: { step: string }) => step)).toEqual(steps);
  expect(partial).toEqual([]);
});

test("home shows nothing of another workspace", async () => {
  const { rest } = await world.workspace();
  expect((await rest.get("/home")).body).toMatchObject({
    replies: { total: 0, items: [] },
    approvals: { total: 0 },
    mailboxes: { total: 0, items: [] },
    today: { sent: 0, limit: 0 },
    campaigns: [],
  });
});

import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
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

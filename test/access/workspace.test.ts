import { expect, test } from "@jest/globals";
import { verifyChain } from "../../store/audit-chain.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import type { Rest } from "../support/rest.ts";
import { deeds, useSetup, world } from "./workspace-setup.ts";

useSetup();

const update = (rest: Rest, patch: object) => rest.post("/workspace", { action: "update", patch });

test("a key with workspace:read gets the name, postal address, time zone, defaults and limits of its workspace", async () => {
  const { rest, workspaceId } = await world.workspace("workspace:read");
  expect(await rest.get("/workspace")).toMatchObject({
    status: 200,
    body: {
      id: workspaceId,
      postalAddress: null,
      timezone: "UTC",
      defaults: { currency: "USD" },
      limits: {
        customFields: 200,
        leadLists: 1_000,
        blockListEntries: 50_000,
        mailboxes: 10_000,
        webhooks: 50,
        members: 1_000,
      },
      isSendingPaused: false,
    },
  });
  expect(await update(rest, { name: "Ours" })).toMatchObject({
    status: 403,
    body: { details: { requiredScope: "workspace:write" } },
  });
  expect(await deeds(workspaceId)).toContain(
    "workspace.update, workspace.delete, workspace.pauseSending, workspace.resumeSending DENIED",
  );
});

test("a postal address ends the launch warning and appears in later emails, and fields that a patch does not name stay unchanged", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { path } = await readyCampaign(rest, workspaceId);
  const warnings = async () =>
    (await rest.get(`${path}/validate`)).body.warnings.map(({ code }: { code: string }) => code);
  const mail = async () => (await rest.post(`${path}/sequence/preview`, {})).body.text;
  expect(await warnings()).toContain("NO_POSTAL_ADDRESS");
  expect(await update(rest, { postalAddress: "  Ours Ltd\n1 Main Street " })).toMatchObject({
    status: 200,
    body: { postalAddress: "Ours Ltd\n1 Main Street", timezone: "UTC" },
  });
  expect(await warnings()).not.toContain("NO_POSTAL_ADDRESS");
  expect(await mail()).toContain("1 Main Street");
  await update(rest, { name: "Ours", timezone: "Europe/Berlin", defaults: { currency: "EUR" } });
  expect((await rest.get("/workspace")).body).toMatchObject({
    name: "Ours",
    postalAddress: "Ours Ltd\n1 Main Street",
    timezone: "Europe/Berlin",
    defaults: { currency: "EUR" },
  });
  const lead = await rest.post("/leads", { email: "ada@people.test" });
  expect((await rest.post("/deals", { leadId: lead.body.id, name: "Deal", amountCents: 100 })).body.currency).toBe(
    "EUR",
  );
  await update(rest, { postalAddress: null });
  expect(await mail()).not.toContain("1 Main Street");
  const another = await world.workspace();
  expect((await another.rest.get("/workspace")).body).toMatchObject({
    postalAddress: null,
    timezone: "UTC",
    honeypotLink: false,
    acceptSuggestedFrom: null,
  });
});

test.each([
  ["name", " ", "TOO_SMALL"],
  ["postalAddress", "\n", "TOO_SMALL"],
  ["timezone", "Mars/Base", "UNKNOWN_TIMEZONE"],
  ["defaults", { currency: "XXY" }, "UNKNOWN_CURRENCY"],
  ["honeypotLink", "yes", "INVALID_TYPE"],
  ["acceptSuggestedFrom", 0.4, "TOO_SMALL"],
  ["acceptSuggestedFrom", 1.1, "TOO_BIG"],
  ["ownerEmail", "eve@people.test", "UNKNOWN_FIELD"],
  ["isSuspended", true, "UNKNOWN_FIELD"],
])("a wrong %s changes nothing", async (field, value, code) => {
  const { rest } = await world.workspace();
  const before = (await rest.get("/workspace")).body;
  const answer = await update(rest, { [field]: value, ...(field !== "timezone" && { timezone: "Asia/Tokyo" }) });
  expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED", details: { issues: [{ code }] } } });
  expect(answer.body.details.issues[0].path).toMatch(new RegExp(`^patch\\.${field}`));
  expect((await rest.get("/workspace")).body).toEqual(before);
});

test("the kill switch pauses campaigns and refuses sending calls, and switching it off resumes only the campaigns that it paused", async () => {
  const { rest, workspaceId } = await world.workspace();
  const [running, stopped] = [
    await readyCampaign(rest, workspaceId),
    await readyCampaign(rest, workspaceId, ["bob@example.test"]),
  ];
  const control = (path: string, action: string) => rest.post(`${path}/control`, { action });
  const state = async (path: string) => {
    const { status, pauseReason } = (await rest.get(path)).body;
    return [status, pauseReason];
  };
  await control(running.path, "launch");
  await control(stopped.path, "launch");
  await control(stopped.path, "pause");
  const key = { "Idempotency-Key": "stop-all" };
  const off = await rest.post("/workspace", { action: "pauseSending" }, key);
  expect(off).toMatchObject({ status: 200, body: { isSendingPaused: true } });
  expect(await rest.post("/workspace", { action: "pauseSending" }, key)).toMatchObject({ body: off.body });
  expect([await state(running.path), await state(stopped.path)]).toEqual([
    ["PAUSED", "WORKSPACE_SUSPENDED"],
    ["PAUSED", "MANUAL"],
  ]);
  expect(await control(stopped.path, "resume")).toMatchObject({ status: 422, body: { code: "CAMPAIGN_NOT_VALID" } });
  expect((await rest.post("/workspace", { action: "resumeSending" })).body.isSendingPaused).toBe(false);
  expect([await state(running.path), await state(stopped.path)]).toEqual([
    ["ACTIVE", null],
    ["PAUSED", "MANUAL"],
  ]);
  expect((await deeds(workspaceId)).filter((deed) => deed.startsWith("workspace"))).toEqual([
    "workspace.pauseSending DONE",
    "workspace.resumeSending DONE",
  ]);
  expect(await verifyChain(workspaceId)).toMatchObject({ brokenAt: null });
});

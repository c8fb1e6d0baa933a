import { randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { monthOf } from "../../domain/credits.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { Prospect } from "../../models/lead-search/prospect.ts";
import { scoped } from "../../models/scoped.ts";
import { grantByOperator } from "../../operations/billing/grant-credits.ts";
import { verifyChain } from "../../store/audit-chain.ts";
import { grantCredits } from "../../store/credits.ts";
import { deleteOldProspects } from "../../store/evidence/old-records.ts";
import { agentOf } from "../support/mcp.ts";
import { importRows } from "./data.ts";
import { ledgerOf } from "./ledger.ts";
import { grant, ids, nobody, reveal, useSetup, workspace, world } from "./reveal-setup.ts";

useSetup();

const remaining = async () => (await workspace.rest.get("/credits")).body.creditsRemaining;

test("a reveal costs one credit for each new value and nothing when repeated, and later searches show the value", async () => {
  await grant(5);
  const first = await reveal(ids[0]);
  expect(first).toMatchObject({
    status: 200,
    body: { charged: { email: true, phone: false }, creditsUsed: 1, creditsRemaining: 4 },
  });
  expect(first.body.prospect).toMatchObject({
    id: ids[0],
    emailStatus: "revealed",
    phone: null,
    phoneStatus: "not_revealed",
  });
  expect(first.body.prospect.email).toMatch(/@a\.example$/);
  expect((await reveal(ids[0])).body).toMatchObject({
    charged: { email: false, phone: false },
    creditsUsed: 0,
    creditsRemaining: 4,
  });
  expect((await reveal(ids[0], ["PHONE", "EMAIL"])).body).toMatchObject({
    charged: { email: false, phone: true },
    creditsRemaining: 3,
  });
  const { body } = await workspace.rest.post("/lead-search/browse", { filters: {}, pageSize: 200 });
  expect(body.items.find(({ id }: { id: string }) => id === ids[0])).toMatchObject({
    email: first.body.prospect.email,
    phoneStatus: "revealed",
  });
  expect(await ledgerOf(workspace.workspaceId)).toMatchObject({ sum: 3, balance: 3, reveals: 2, isWhole: true });
});

test("a prospect that a retention deleted is revealed again without a second charge", async () => {
  await grant(1);
  const { email } = (await reveal(ids[0])).body.prospect;
  expect(await deleteOldProspects(workspace.workspaceId, new Date(Date.now() + HOUR_MS), 10)).toBe(1);
  expect((await reveal(ids[0])).body).toMatchObject({
    prospect: { email, emailStatus: "revealed" },
    charged: { email: false, phone: false },
    creditsUsed: 0,
    creditsRemaining: 0,
  });
  expect((await reveal(ids[0], ["PHONE"])).body.code).toBe("CREDITS_EXHAUSTED");
  expect(await ledgerOf(workspace.workspaceId)).toMatchObject({ reveals: 1, isWhole: true });
});

test("a value that does not exist costs nothing and is reported as not_found with null", async () => {
  await grant(1);
  const { body } = await reveal(nobody, ["EMAIL", "PHONE"]);
  expect(body).toMatchObject({ creditsUsed: 0, creditsRemaining: 1, charged: { email: false, phone: false } });
  expect(body.prospect).toMatchObject({ email: null, emailStatus: "not_found", phone: null, phoneStatus: "not_found" });
  expect(await ledgerOf(workspace.workspaceId)).toMatchObject({ entries: 1, reveals: 0 });
});

test("a value reported as not found can be revealed once a later import adds the value", async () => {
  await grant(1);
  await importRows([{ id: "late", name: "Late Comer", domain: "l.example" }]);
  const { body } = await workspace.rest.post("/lead-search/browse", { filters: { companyDomains: ["l.example"] } });
  const { id } = body.items[0];
  expect((await reveal(id)).body.prospect.emailStatus).toBe("not_found");
  await importRows([{ id: "late", name: "Late Comer", domain: "l.example", email: "late@l.example" }]);
  expect((await reveal(id)).body).toMatchObject({
    creditsUsed: 1,
    prospect: { email: "late@l.example", emailStatus: "revealed" },
  });
});

test("without enough credits for all requested values nothing is revealed and nothing is charged", async () => {
  expect(await reveal(ids[0])).toMatchObject({
    status: 422,
    body: { code: "CREDITS_EXHAUSTED", details: { creditsRemaining: 0 } },
  });
  await grant(1);
  expect(await reveal(ids[0], ["EMAIL", "PHONE"])).toMatchObject({ status: 422, body: { code: "CREDITS_EXHAUSTED" } });
  expect(await remaining()).toBe(1);
  const known = await scoped(workspace.workspaceId).KnownProspect.find({});
  expect(known.filter(({ email, phone }) => email !== null || phone !== null)).toEqual([]);
  expect((await reveal(ids[0])).body.creditsRemaining).toBe(0);
});

test("a reveal repeated with one idempotency key, even concurrently, is charged once and answered again", async () => {
  await grant(5);
  const key = randomUUID();
  const again = () => workspace.rest.post("/lead-search/reveal", { prospectId: ids[2] }, { "Idempotency-Key": key });
  const answers = await Promise.all([again(), again(), again()]);
  expect(answers.some(({ status }) => status === 200)).toBe(true);
  expect(await again()).toMatchObject({ status: 200, body: { creditsUsed: 1, creditsRemaining: 4 } });
  expect(await ledgerOf(workspace.workspaceId)).toMatchObject({ reveals: 1, balance: 4 });
});

test("revealed values, lists and saved searches of one workspace are not visible to another", async () => {
  await grant(2);
  await reveal(ids[0]);
  const { body: list } = await workspace.rest.post("/lead-search/lists", { name: "Mine" });
  await workspace.rest.post(`/lead-search/lists/${list.id}/items`, { prospectIds: [ids[0]] });
  const { body: saved } = await workspace.rest.post("/lead-search/saved-searches", {
    name: "Mine",
    filters: { titles: ["CTO"] },
  });
  const { rest: other } = await world.workspace();
  const { body } = await other.post("/lead-search/browse", { filters: {}, pageSize: 200 });
  expect(body.items.filter(({ email }: { email: string | null }) => email !== null)).toEqual([]);
  const { body: own } = await other.post("/lead-search/lists", { name: "Own" });
  const calls = [
    other.get(`/lead-search/lists/${list.id}/items`),
    other.post(`/lead-search/lists/${list.id}/items`, { prospectIds: [ids[0]] }),
    other.post(`/lead-search/lists/${list.id}/items/remove`, { prospectIds: [ids[0]] }),
    other.post(`/lead-search/lists/${list.id}/copy`, { toListId: own.id }),
    other.post(`/lead-search/lists/${own.id}/copy`, { toListId: list.id }),
    other.post(`/lead-search/lists/${list.id}/leads`, { leadListId: "lst_1" }),
    other.post("/lead-search/reveal/list", { listId: list.id }),
    other.get(`/lead-search/saved-searches/${saved.id}`),
    other.delete(`/lead-search/saved-searches/${saved.id}`),
    other.post(`/lead-search/lists/${own.id}/add-search`, { savedSearchId: saved.id }),
  ];
  for (const { status } of await Promise.all(calls)) expect(status).toBe(404);
  expect((await other.get("/credits/entries")).body).toMatchObject({ total: 0 });
});

test("revealing an unknown person answers 404 and costs nothing", async () => {
  await grant(1);
  expect(await reveal("prs_unknown")).toMatchObject({ status: 404, body: { code: "PROSPECT_NOT_FOUND" } });
  expect(await remaining()).toBe(1);
});

test("a person removed from the data set keeps revealed values, and other values can no longer be revealed", async () => {
  await grant(2);
  await importRows([{ id: "gone", name: "Gone Soon", domain: "g.example", email: "gone@g.example", phone: "1" }]);
  const { body } = await workspace.rest.post("/lead-search/browse", { filters: { companyDomains: ["g.example"] } });
  const { id } = body.items[0];
  await reveal(id);
  await Prospect.collection.deleteOne({ companyDomain: "g.example" });
  expect((await reveal(id)).body).toMatchObject({ creditsUsed: 0, prospect: { email: "gone@g.example" } });
  expect(await reveal(id, ["PHONE"])).toMatchObject({ status: 404 });
  expect(await remaining()).toBe(1);
});

test("monthly credits are added once a month, are spent before granted ones, and expire at the end of the month", async () => {
  const { settings } = world.services;
  settings.creditsPerMonth = 2;
  try {
    expect((await workspace.rest.get("/credits")).body).toMatchObject({
      creditsRemaining: 2,
      monthly: 2,
      granted: 0,
      perMonth: 2,
      used: 0,
    });
    await grantCredits(workspace.workspaceId, { amount: 3, reason: "bonus", actor: "test", key: "one" }, 2);
    await grantCredits(workspace.workspaceId, { amount: 3, reason: "bonus", actor: "test", key: "one" }, 2);
    await reveal(ids[0]);
    expect((await workspace.rest.get("/credits")).body).toMatchObject({
      creditsRemaining: 4,
      monthly: 1,
      granted: 3,
      used: 1,
    });
    expect((await workspace.rest.get("/account")).body.creditsRemaining).toBe(4);
    const { CreditBalance, CreditEntry } = scoped(workspace.workspaceId);
    await CreditBalance.updateOne({ _id: workspace.workspaceId }, { $set: { month: "2020-01" } });
    await CreditEntry.updateOne({ kind: "MONTHLY" }, { $set: { key: "monthly:2020-01" } });
    expect(await remaining()).toBe(5);
    await reveal(ids[1]);
    const { body } = await workspace.rest.get("/credits/entries?sort=createdAt");
    expect(body.items.map(({ kind, amount, balance }: Record<string, unknown>) => [kind, amount, balance])).toEqual([
      ["MONTHLY", 2, 2],
      ["GRANT", 3, 5],
      ["REVEAL", -1, 4],
      ["EXPIRED", -1, 3],
      ["MONTHLY", 2, 5],
      ["REVEAL", -1, 4],
    ]);
    expect(body.items[5]).toMatchObject({ subjectId: ids[1], detail: "EMAIL" });
    expect((await workspace.rest.get("/credits")).body.byDay).toMatchObject([{ used: 2 }]);
    expect((await scoped(workspace.workspaceId).CreditBalance.get(workspace.workspaceId))?.month).toBe(
      monthOf(new Date()),
    );
  } finally {
    settings.creditsPerMonth = 0;
  }
});

test("an account without counted credits shows null instead of zero credits", async () => {
  expect((await workspace.rest.get("/account")).body.creditsRemaining).toBeNull();
  await grant(1);
  expect((await workspace.rest.get("/account")).body.creditsRemaining).toBe(1);
});

test("an operator's grant and each reveal are in the audit log, without revealed values", async () => {
  await grantByOperator(workspace.workspaceId, { amount: 2, reason: "trial" }, 0);
  await reveal(ids[0]);
  const { body } = await workspace.rest.get("/audit-log");
  const actions = body.items.map(({ action }: { action: string }) => action);
  expect(actions).toEqual(expect.arrayContaining(["credits.grant", "leadSearch.reveal"]));
  expect(JSON.stringify(body)).not.toContain("@a.example");
  expect(await verifyChain(workspace.workspaceId)).toMatchObject({ brokenAt: null });
  await expect(grantByOperator("wsp_none", { amount: 2, reason: "trial" }, 0)).rejects.toThrow("no workspace");
});

test("an operator's credit grant is made once for each value of once, even when two start at the same moment", async () => {
  const { workspaceId, rest } = workspace;
  const give = (once: string) => grantByOperator(workspaceId, { amount: 2, reason: "trial", once }, 0);
  const both = await Promise.all([give("spring"), give("spring")]);
  expect(both.map(({ isNew }) => isNew).sort()).toEqual([false, true]);
  expect(await give("spring")).toEqual({ balance: 2, isNew: false });
  expect(await give("autumn")).toEqual({ balance: 4, isNew: true });
  const { items } = (await rest.get("/audit-log")).body;
  expect(items.filter(({ action }: { action: string }) => action === "credits.grant")).toHaveLength(2);
});

test("an agent reveals with the tool like a caller of the API, and sees the remaining credits", async () => {
  await grant(1);
  const agent = await agentOf(world, workspace.key);
  const answer = await agent.call("lead_search_reveal", { prospectId: ids[4] });
  expect(answer.body).toMatchObject({ creditsUsed: 1, creditsRemaining: 0, prospect: { emailStatus: "revealed" } });
  expect(await agent.call("lead_search_reveal", { prospectId: ids[5] })).toMatchObject({
    isError: true,
    body: { code: "CREDITS_EXHAUSTED" },
  });
  expect((await agent.call("account_get")).body.creditsRemaining).toBe(0);
  await agent.close();
});

import { expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { ledgerOf } from "./ledger.ts";
import { grant, ids, reveal, useSetup, workspace } from "./reveal-setup.ts";

useSetup();

test("fifty simultaneous reveals of one person cost one credit", async () => {
  await grant(10);
  const answers = await Promise.all(Array.from({ length: 50 }, () => reveal(ids[1])));
  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
  expect(answers.filter(({ body }) => body.creditsUsed === 1)).toHaveLength(1);
  expect(await ledgerOf(workspace.workspaceId)).toMatchObject({ sum: 9, balance: 9, reveals: 1, isWhole: true });
}, 60_000);

test("with credits for thirty, thirty of fifty simultaneous reveals of different people succeed and cost thirty credits", async () => {
  await grant(30);
  const answers = await Promise.all(ids.slice(0, 50).map((id) => reveal(id)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
  expect(answers.filter(({ body }) => body.code === "CREDITS_EXHAUSTED")).toHaveLength(20);
  const known = await scoped(workspace.workspaceId).KnownProspect.count({ emailStatus: "revealed" });
  expect([known, await ledgerOf(workspace.workspaceId)]).toMatchObject([
    30,
    { sum: 0, balance: 0, reveals: 30, isWhole: true },
  ]);
}, 60_000);

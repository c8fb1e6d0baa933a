import { expect, test } from "@jest/globals";
import { ledgerOf } from "./ledger.ts";
import { grant, provider, reveal, revealAgain, reveals, useSetup, workspace } from "./provider-setup.ts";

useSetup();

test("with credits for ten, ten of thirty simultaneous reveals succeed, the others get CREDITS_EXHAUSTED, and no credit stays held", async () => {
  await grant(10);
  const people = Array.from({ length: 30 }, (_, n) => `p${n * 4}`);
  const answers = await Promise.all(people.map((id) => revealAgain(id)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  expect(answers.filter(({ body }) => body.code === "CREDITS_EXHAUSTED")).toHaveLength(20);
  expect(await ledgerOf(workspace.workspaceId)).toMatchObject({ balance: 0, held: 0, reveals: 10, isWhole: true });
}, 90_000);

test("a reveal from a provider that hangs fails with 503 and charges nothing", async () => {
  await grant(5);
  provider.fault(({ path }) => path === "reveal");
  expect(await reveal("p0")).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
  provider.fault(() => false);
  expect((await reveal("p0")).body).toMatchObject({ creditsUsed: 1, creditsRemaining: 4 });
  expect(new Set(reveals().map(({ key }) => key)).size).toBe(1);
  expect(await ledgerOf(workspace.workspaceId)).toMatchObject({ balance: 4, held: 0, isWhole: true });
}, 90_000);

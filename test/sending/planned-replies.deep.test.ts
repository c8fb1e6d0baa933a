import { expect, test } from "@jest/globals";
import { newKey } from "../inbox/replying-world.ts";
import { inboxOf, refusal } from "./permit-parts.ts";
import { useSetup, world } from "./planned-replies-setup.ts";

useSetup();

test("a credential's daily budget holds under 50 replies at once; a repeat counts once and a refused reply not at all", async () => {
  const { agent, thread, schedule, waiting, rest } = await inboxOf(world);
  const by = await agent({ dailySendBudget: 7 });
  const threads = await Promise.all(Array.from({ length: 50 }, (_, index) => thread(`p${index}@people.test`)));
  await rest.post("/block-list", { value: "blocked@people.test" });
  expect(await schedule(by, await thread("blocked@people.test"))).toMatchObject(refusal(422, "RECIPIENT_SUPPRESSED"));
  const [first = "", ...others] = threads;
  const idempotencyKey = newKey();
  for (const _ of [1, 2, 3]) expect((await schedule(by, first, { idempotencyKey })).status).toBe(201);
  const answers = await Promise.all(others.map((threadId) => schedule(by, threadId)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(6);
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused).toHaveLength(43);
  for (const answer of refused)
    expect(answer).toMatchObject(refusal(422, "SEND_BUDGET_EXCEEDED", { left: expect.any(Number), asked: 1 }));
  expect(await waiting()).toBe(7);
  const plan = await schedule(by, first, { planOnly: true });
  expect(plan.body.plan).toMatchObject({ budget: { limit: 7, left: 0 }, effect: { cost: 1 } });
  expect((await schedule(rest, others[48] ?? "")).status).toBe(201);
}, 60_000);

import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { EFFECTS } from "../../domain/access/policy.ts";
import { verifyApiKey } from "../../operations/access/api-keys.ts";
import { storedMailbox } from "../campaigns/campaign-parts.ts";
import { examplesIn, isAway } from "../doors/example-world.ts";
import { startWorld, type World } from "../support/world.ts";
import { byRest, toolByKey } from "./flood-doors.ts";
import { generatedCalls } from "./flood-inputs.ts";
import { causedIn, changedIn, futureOf, mayDiffer, stateOf } from "./flood-state.ts";
import { all, CALLS, DOORS, evergreen, makeWhatExamplesName, REFUSALS } from "./flood-world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

test.each(DOORS)(
  "through %s, every example has no effect for a credential under NONE, needs a token or an approval under PLAN or APPROVAL, and has its effect under DIRECT",
  async (_name, door, planned) => {
    const started = await examplesIn(world);
    const { workspaceId, key } = started.workspace;
    const running = await evergreen(started, [started.mailboxId, (await storedMailbox(workspaceId))._id]);
    const ctx = { ...(await verifyApiKey(key, new Date())), services: world.services, ip: null, traceId: "flood" };
    const [none, plan, direct] = [door(started, all("NONE")), door(started, planned), door(started, all("DIRECT"))];
    const otherwise = byRest(started, all("DIRECT"));
    const caused = new Map<string, number>();
    let refused = 0;
    let state = await stateOf(workspaceId);
    let future = await futureOf(ctx);
    for (const [example, isRunning] of CALLS) {
      const title = `${example.title}${isRunning ? " (running)" : ""}`;
      const ids = isRunning ? running.ids : {};
      const before = state;
      let answer = await none(example, ids);
      const isRefused = REFUSALS.includes(answer?.body?.code);
      if (answer === null) {
        answer = await otherwise(example, ids);
        state = await stateOf(workspaceId);
      } else if (isRefused) {
        refused++;
        expect([title, await stateOf(workspaceId)]).toEqual([title, before]);
        const { effect } = answer.body.details;
        const asked = await plan(example, ids);
        const isAsked = asked?.body.code === "PLAN_REQUIRED" || asked?.body.approval?.status === "PENDING";
        // A call that a person would approve is tried first, and without its provider it cannot be
        if (!isAway(example)) expect([title, isAsked, asked?.body]).toEqual([title, true, asked?.body]);
        expect([title, (asked?.status ?? 0) < 300]).toEqual([title, asked?.body.approval !== undefined]);
        expect([title, await stateOf(workspaceId)]).toEqual([title, before]);
        // The same input has its effect where the policy allows it, so the refusals above were no 404 and no 422
        answer = (await direct(example, ids)) ?? answer;
        if (!isAway(example)) expect([title, answer.status < 300, answer.body]).toEqual([title, true, answer.body]);
        state = await stateOf(workspaceId);
        if (JSON.stringify(state) !== JSON.stringify(before)) caused.set(effect, (caused.get(effect) ?? 0) + 1);
      } else {
        // Its change may let the campaign add people by itself
        if (/lead/.test(example.at)) await running.refresh();
        state = await stateOf(workspaceId);
        expect([title, causedIn(before, state)]).toEqual([title, []]);
        if (mayDiffer(before, state)) expect([title, changedIn(future, await futureOf(ctx))]).toEqual([title, []]);
      }
      if (!isRunning && answer !== null) await started.learn(example.at, answer);
      if (/lead|approvals|campaigns$/.test(example.at)) {
        await running.refresh();
        state = await stateOf(workspaceId);
      }
      if (mayDiffer(before, state)) future = await futureOf(ctx);
    }
    expect(refused).toBeGreaterThan(40);
    expect([...caused.keys()].sort()).toEqual([...EFFECTS].sort());
  },
  120_000,
);

test("every writing verb of every tool, called with generated input, has no effect for a key under NONE", async () => {
  const started = await examplesIn(world);
  const { workspaceId, key, rest } = started.workspace;
  await makeWhatExamplesName(started);
  const running = await evergreen(started, [started.mailboxId]);
  const ctx = { ...(await verifyApiKey(key, new Date())), services: world.services, ip: null, traceId: "flood" };
  const none = toolByKey(started, all("NONE"));
  const seed = Date.now();
  let refused = 0;
  let state = await stateOf(workspaceId);
  let future = await futureOf(ctx);
  for (const { title, tool, args } of generatedCalls(seed)) {
    const before = state;
    const answer = await none(tool, started.fieldsOf({ at: "", title, body: args }, running.ids));
    state = await stateOf(workspaceId);
    const about = [title, `seed ${seed}`, answer.body.code];
    if (REFUSALS.includes(answer.body.code)) {
      refused++;
      expect([about, state]).toEqual([about, before]);
      continue;
    }
    expect([about, causedIn(before, state)]).toEqual([about, []]);
    if (!mayDiffer(before, state)) continue;
    expect([about, changedIn(future, await futureOf(ctx))]).toEqual([about, []]);
    // Resumes what the call stopped, so that the next call also meets a running campaign
    await rest.post(`${running.path}/archive`, { action: "unarchive" });
    await rest.post(`${running.path}/control`, { action: "launch" });
    state = await stateOf(workspaceId);
    future = await futureOf(ctx);
  }
  expect(refused).toBeGreaterThan(40);
}, 120_000);

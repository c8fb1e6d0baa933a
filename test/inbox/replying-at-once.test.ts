import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { verifyChain } from "../../store/audit-chain.ts";
import { inboxOf } from "../sending/permit-parts.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const AT_ONCE = 48;
/** Milliseconds in which all of them must be answered. */
const ANSWERED_MS = 60_000;

test(
  "simultaneous scheduled replies in a workspace, some in one thread, are all stored and answered",
  async () => {
    const inbox = await inboxOf(world);
    const threads = await Promise.all(
      Array.from({ length: AT_ONCE / 2 }, (_, n) => inbox.thread(`person${n}@people.test`)),
    );
    const [first = ""] = threads;
    const asked = [...threads, ...threads.map(() => first)];
    const answers = await Promise.all(asked.map((threadId) => inbox.schedule(inbox.rest, threadId)));
    expect(answers.map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(201));
    expect(await inbox.waiting()).toBe(AT_ONCE);
    expect((await verifyChain(inbox.workspaceId)).brokenAt).toBeNull();
  },
  ANSWERED_MS,
);

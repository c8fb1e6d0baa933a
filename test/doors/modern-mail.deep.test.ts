import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { until } from "../fakes/wait.ts";
import { newKey } from "../inbox/replying-world.ts";
import { type SendingWorld, startSendingWorld } from "../sending/sending-world.ts";
import { agrees, modernAgentOf, type Person } from "../support/modern.ts";

let sending: SendingWorld;
beforeAll(async () => {
  sending = await startSendingWorld();
}, 120_000);
afterAll(() => sending.close(), 60_000);

const STEPS = [{ subject: "A question", bodyText: "Shall we talk?", delay: { value: 0, unit: "MINUTES" } }];

test("of many answers to many questions about one launch, each person gets one email, and none before an answer", async () => {
  const path = await sending.campaign(["one@modern.test", "two@modern.test"], STEPS);
  const key = await sending.keyWithPolicy({ sends: "PLAN" });
  const launch = { campaignId: path.split("/").at(-1), action: "launch" };
  const mails = () => ["one@modern.test", "two@modern.test"].map((email) => sending.mailsTo(email).length);
  let asked = 0;
  const person: Person = () => {
    asked++;
    return asked === 1 ? { action: "decline" } : agrees;
  };
  const agents = await Promise.all(Array.from({ length: 5 }, () => modernAgentOf(sending.world, key, { person })));
  const [first] = agents;
  expect((await first?.call("campaign_control", { ...launch, idempotencyKey: newKey() }))?.isError).toBe(true);
  expect(mails()).toEqual([0, 0]);
  await Promise.all(agents.map((agent) => agent.call("campaign_control", { ...launch, idempotencyKey: newKey() })));
  await until(() => mails().every((count) => count > 0), { deadlineMs: 80_000, what: "both emails" });
  await sending.ended(path);
  expect(mails()).toEqual([1, 1]);
  await Promise.all(agents.map((agent) => agent.close()));
}, 180_000);

import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { silence } from "../fakes/smtp-answers.ts";
import { until } from "../fakes/wait.ts";
import { type KilledWorker, killedWorkerOf } from "../system/killed-worker.ts";
import { type AnsweringWorld, newKey, startAnsweringWorld } from "./replying-world.ts";

let answering: AnsweringWorld;
let worker: KilledWorker;

beforeAll(async () => {
  answering = await startAnsweringWorld({ isWorked: false });
  worker = await killedWorkerOf(answering.world, answering.sandbox.certificate.cert);
}, 60_000);
afterAll(async () => {
  await worker.kill();
  await answering.close();
});

test("when a worker is killed in the middle of two replies, the one whose transmission had begun is UNKNOWN, and the other is sent once", async () => {
  const { workspaceId, sandbox } = answering;
  const { Send } = scoped(workspaceId);
  const claimed = await answering.conversation("claimed@b.test", { at: "ann@a.test" });
  const begun = await answering.conversation("begun@b.test", { at: "bob@a.test" });
  const keys = { claimed: newKey(), begun: newKey() };
  sandbox.smtp.setRules((rcpt) => silence(rcpt.startsWith("begun") ? "DOT" : "RCPT", { kept: true }));
  worker.start();
  const waiting = [
    answering.answer(claimed, { idempotencyKey: keys.claimed }),
    answering.answer(begun, { idempotencyKey: keys.begun }),
  ];
  const phaseOf = async (sendKey: string) => (await Send.findOne({ sendKey }))?.phase;
  await until(
    async () => (await phaseOf(keys.claimed)) === "CLAIMED" && answering.mailsTo("begun@b.test").length === 1,
    {
      deadlineMs: 90_000,
      what: "both to be under way",
    },
  );
  expect(await phaseOf(keys.begun)).toBe("DATA");
  await worker.kill();
  sandbox.smtp.setRules(() => ({ act: "accept" }));
  // Their leases end now instead of in two minutes
  await Send.updateMany({ state: "SENDING" }, { $set: { leaseUntil: new Date(0) } });
  worker.start();
  const stateOf = async (sendKey: string) => (await Send.findOne({ sendKey }))?.state;
  await until(async () => (await stateOf(keys.claimed)) === "SENT" && (await stateOf(keys.begun)) === "UNKNOWN", {
    deadlineMs: 90_000,
    what: "both to be settled",
  });
  const said = (await Promise.all(waiting)).map(({ status, body }) => [
    status,
    ["SENT", "QUEUED", "UNKNOWN"].includes(body.status),
  ]);
  expect(said).toEqual([
    [200, true],
    [200, true],
  ]);
  const [first, second] = [
    await answering.answer(claimed, { idempotencyKey: keys.claimed }),
    await answering.answer(begun, { idempotencyKey: keys.begun }),
  ];
  expect([first.body, second.body]).toMatchObject([{ status: "SENT" }, { status: "UNKNOWN" }]);
  expect([answering.mailsTo("claimed@b.test").length, answering.mailsTo("begun@b.test").length]).toEqual([1, 1]);
}, 150_000);

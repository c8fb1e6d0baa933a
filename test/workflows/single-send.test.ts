import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Context } from "@temporalio/activity";
import type { DnsCheckIds } from "../../domain/mailboxes/dns-check.ts";
import type { SendIds, SingleOutcome } from "../../domain/workflow-contract.ts";
import { createEngine } from "../../temporal/engine.ts";
import { testSendRun } from "../../temporal/runs.ts";
import { verifyMailboxDns } from "../../workflows/dns.ts";
import { singleSend } from "../../workflows/single-send.ts";
import { type Environment, startEnvironment } from "./environment.ts";

let environment: Environment;
const probesRead: (string | null)[] = [];
const attempts = new Map<string, (attempt: number) => SingleOutcome>();

beforeAll(async () => {
  const sendOnce = async ({ sendId }: SendIds) => attempts.get(sendId)?.(Context.current().info.attempt);
  const checkMailboxDns = async () => {};
  const readProbe = async ({ probeId }: DnsCheckIds) => {
    probesRead.push(probeId);
    return false;
  };
  environment = await startEnvironment({ smtp: { sendOnce }, jobs: { checkMailboxDns }, imap: { readProbe } });
});

afterAll(() => environment.close());

test("a permanent refusal of a single email is returned as the result, and the run does not fail", async () => {
  const refused = { kind: "failed", reason: "HARD_BOUNCE", code: "5.1.1" } as const;
  expect(await run("snd_refused", () => refused)).toEqual(refused);
});

test("a single send is tried again after faults, and the caller gets the result of the last attempt", async () => {
  const sent = await run("snd_again", (attempt) => {
    if (attempt < 3) throw new Error("the server hung up before the mail");
    return { kind: "sent", messageId: `<${attempt}@example.com>` };
  });
  expect(sent).toEqual({ kind: "sent", messageId: "<3@example.com>" });
});

test("after three faults a single send ends, and the waiting caller gets 503", async () => {
  let tried = 0;
  attempts.set("snd_down", () => {
    tried++;
    throw new Error("the server is down");
  });
  const engine = createEngine(() => environment.client);
  const order = testSendRun({ v: 1, workspaceId: "wsp_1", sendId: "snd_down" }, "snd_down", {});
  const failing = engine.execute(order, 60_000);
  await expect(failing).rejects.toMatchObject({
    code: "SERVICE_UNAVAILABLE",
    message: "The work could not be finished: try again",
  });
  expect(tried).toBe(3);
});

test("a probe email that has to wait, for example for a provider's limit, is sent later and then read", async () => {
  let tried = 0;
  attempts.set("snd_probe", () =>
    ++tried < 3 ? { kind: "later", at: Date.now() + 60_000 } : { kind: "sent", messageId: "<1@example.com>" },
  );
  const ids = { v: 1 as const, workspaceId: "wsp_1", mailboxId: "mbx_1", probeId: "snd_probe" };
  await environment.client.workflow.execute(verifyMailboxDns, {
    workflowId: "dns-check/mbx_1/snd_probe",
    taskQueue: "engine",
    args: [ids],
  });
  expect({ tried, probesRead }).toEqual({ tried: 3, probesRead: ["snd_probe"] });
});

function run(sendId: string, attempt: (attempt: number) => SingleOutcome): Promise<SingleOutcome> {
  attempts.set(sendId, attempt);
  return environment.client.workflow.execute(singleSend, {
    workflowId: `single-send/${sendId}`,
    taskQueue: "engine",
    args: [{ v: 1, workspaceId: "wsp_1", sendId }],
  });
}

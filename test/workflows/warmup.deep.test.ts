import { expect, test } from "@jest/globals";
import { changedSignal, stopSignal } from "../../workflows/warmup.ts";
import { begun, environment, useSetup } from "./warmup-setup.ts";

useSetup();

test("a paused warmup still reads emails and closes its days, and sends again after a resume", async () => {
  const { run, mailbox } = await begun("mbx_paused");
  await environment.pass("2d");
  mailbox.status = "PAUSED";
  await run.signal(changedSignal);
  await environment.pass("1s");
  const before = { sent: mailbox.sent.length, read: mailbox.read.length };
  await environment.pass("5d");
  expect(mailbox.sent.length).toBe(before.sent);
  expect(mailbox.read.length).toBeGreaterThanOrEqual(before.read + 4);
  mailbox.status = "ACTIVE";
  await run.signal(changedSignal);
  await environment.pass("2d");
  expect(mailbox.sent.length).toBeGreaterThanOrEqual(before.sent + 1);
  await run.signal(stopSignal);
  expect(await run.result()).toBe("stopped");
});

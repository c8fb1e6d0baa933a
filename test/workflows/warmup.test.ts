import { expect, test } from "@jest/globals";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { changedSignal, dueSignal, planQuery, stopSignal } from "../../workflows/warmup.ts";
import { begun, environment, now, useSetup } from "./warmup-setup.ts";

useSetup();

/** Days of the longest course; a month by hand. */
const DAYS = 10;

test("over ten days a warmup sends each email at its hour and closes each day, without any extra activity calls", async () => {
  const { run, mailbox } = await begun("mbx_month", { reads: false });
  await environment.pass(`${DAYS}d`);
  expect(mailbox.sent.length).toBeGreaterThanOrEqual(DAYS - 1);
  expect(mailbox.closed.length).toBeGreaterThanOrEqual(DAYS - 1);
  const hours = new Set(mailbox.sent.map((at) => Math.floor((at % DAY_MS) / HOUR_MS)));
  expect([...hours]).toEqual([10]);
  // One look at the beginning; each turn's answer decides the next one
  expect(mailbox.looks).toBeLessThanOrEqual(1 + mailbox.sent.length + mailbox.closed.length);
  expect((await run.query(planQuery))?.target).toBe(2);
  await run.signal(stopSignal);
  expect(await run.result()).toBe("stopped");
});

test("the warmup of a lost mailbox makes no activity calls until the mailbox is connected again", async () => {
  const { run, mailbox } = await begun("mbx_lost");
  await environment.pass("1d");
  mailbox.status = "LOST";
  await run.signal(changedSignal);
  await environment.pass("1s");
  const { looks } = mailbox;
  const sent = mailbox.sent.length;
  await environment.pass("20d");
  expect(mailbox.looks).toBe(looks);
  mailbox.status = "ACTIVE";
  await run.signal(changedSignal);
  await environment.pass("2d");
  expect(mailbox.sent.length).toBeGreaterThan(sent);
  await run.signal(stopSignal);
  expect(await run.result()).toBe("stopped");
});

test("the treatment of a received warmup email runs once when due, without an extra check of the plan, and the warmup continues", async () => {
  const { run, mailbox } = await begun("mbx_told", { reads: false });
  await environment.pass("1d");
  const { read } = mailbox;
  // Midnight may come within these hours
  const others = () => mailbox.sent.length + mailbox.closed.length;
  const before = mailbox.looks - others();
  const sent = mailbox.sent.length;
  const at = (await now()) + HOUR_MS / 2;
  await run.signal(dueSignal, { at });
  await run.signal(dueSignal, { at: at + HOUR_MS });
  await environment.pass("2h");
  // To the minute: the clock of the test server also moves by the time that a busy machine takes
  expect(read.map((one) => Math.round((one - at) / MINUTE_MS))).toEqual([0]);
  expect(mailbox.looks - others() - before).toBe(1);
  await environment.pass("2d");
  expect(mailbox.sent.length).toBeGreaterThanOrEqual(sent + 1);
  await run.signal(stopSignal);
  expect(await run.result()).toBe("stopped");
});

test("a warmup whose activity fails nine times retries and still closes each day", async () => {
  const { run, mailbox } = await begun("mbx_faults");
  mailbox.failures = 9;
  await environment.pass("3d");
  expect(mailbox.failures).toBe(0);
  expect(mailbox.closed.length).toBeGreaterThanOrEqual(2);
  await run.signal(stopSignal);
  expect(await run.result()).toBe("stopped");
});

test("the run of a warmup whose status is STOPPED ends", async () => {
  const { run, mailbox } = await begun("mbx_gone");
  await environment.pass("1d");
  mailbox.status = "STOPPED";
  await run.signal(changedSignal);
  expect(await run.result()).toBe("ended");
});

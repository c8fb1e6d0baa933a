import { expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { campaignOf, MAILBOXES, mailsTo, NOW, rest, sandbox, useSetup, workspaceId } from "./sending-setup.ts";

useSetup();

test("after a pause is acknowledged no further email leaves, and a resume sends the rest once", async () => {
  const emails = Array.from({ length: 24 }, (_, index) => `pause${index}@people.test`);
  const path = await campaignOf(emails, [{ subject: "Paused", body: "<p>x</p>", delay: NOW }], {
    minGapSeconds: 1,
    maxGapSeconds: 1,
  });
  const ours = () => sandbox.ledger.filter(({ to }) => to.some((address) => address.startsWith("pause")));
  await rest.post(`${path}/control`, { action: "launch" });
  await until(() => ours().length >= 3, { ...MAIL_DEADLINE, what: "the first mails" });
  const paused = await rest.post(`${path}/control`, { action: "pause" });
  const answeredAt = Date.now();
  expect(paused).toMatchObject({ status: 200, body: { status: "PAUSED", pauseReason: "MANUAL" } });
  const atAnswer = ours().length;
  const { body: before } = await rest.get(`${path}/sends?state=SENT`);
  // Recipients that were due meanwhile have woken up and parked
  await until(() => Date.now() - answeredAt > 6_000, { ...MAIL_DEADLINE, what: "six seconds" });
  expect(ours().length - atAnswer).toBeLessThanOrEqual(MAILBOXES.length);
  expect(ours().filter(({ at }) => at > answeredAt + 5_000)).toEqual([]);
  expect(before.total).toBeGreaterThanOrEqual(atAnswer - MAILBOXES.length);
  expect(await rest.post(`${path}/control`, { action: "resume" })).toMatchObject({
    status: 200,
    body: { status: "ACTIVE" },
  });
  await until(async () => (await rest.get(path)).body.status === "COMPLETED", { deadlineMs: 90_000, what: "the rest" });
  expect(
    ours()
      .map(({ to }) => to[0])
      .sort(),
  ).toEqual([...emails].sort());
}, 180_000);

test("a held-out recipient gets no email, and each email of a step with several variants records the variants' shares", async () => {
  const variants = [
    { subject: "One", bodyText: "One", weight: 25 },
    { subject: "Two", bodyText: "Two", weight: 75 },
  ];
  const emails = Array.from({ length: 20 }, (_, index) => `arm${index}@people.test`);
  const path = await campaignOf(emails, [{ variants }], { holdOut: 0.2 });
  const [a = "", b = ""] = (await rest.get(`${path}/sequence`)).body.steps[0].variants.map(
    (each: { variantId: string }) => each.variantId,
  );
  const { heldOut, open } = (await rest.get(`${path}/validate`)).body.summary;
  expect(await rest.post(`${path}/control`, { action: "launch" })).toMatchObject({ body: { launched: true } });
  await until(async () => (await rest.get(path)).body.status === "COMPLETED", { ...MAIL_DEADLINE, what: "the end" });
  const { Recipient, Send } = scoped(workspaceId);
  const campaignId = path.split("/").at(-1) ?? "";
  const skipped = await Recipient.find({ campaignId, stopReason: "HOLD_OUT" });
  expect([skipped.length, open]).toEqual([heldOut, 20 - heldOut]);
  expect(skipped.flatMap(({ email }) => mailsTo(email))).toEqual([]);
  const sends = await Send.find({ campaignId });
  expect(sends).toHaveLength(open);
  for (const { variantShares } of sends) expect(variantShares).toEqual({ [a]: 0.25, [b]: 0.75 });
});

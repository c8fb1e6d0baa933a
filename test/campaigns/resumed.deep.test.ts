import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { countOverdue } from "../../store/recipients/overdue.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { type SendingWorld, startSendingWorld } from "../sending/sending-world.ts";
import { randomFrom } from "../system/killed-worker.ts";
import { mail } from "./campaign-parts.ts";

const PEOPLE = 90;
const ROUNDS = 3;

let sending: SendingWorld;
beforeAll(async () => {
  sending = await startSendingWorld();
});
afterAll(() => sending.close());

test("a campaign that is paused and resumed repeatedly while it sends writes to every recipient exactly once", async () => {
  const { rest, campaign, launch, workspaceId, mailsTo } = sending;
  const random = randomFrom(250);
  const emails = Array.from({ length: PEOPLE }, (_, index) => `plain${index}@people.test`);
  const path = await campaign(emails, [mail("one", "One"), mail("two", "Two")], { mode: "DEFAULT" });
  const control = async (action: string) => expect((await rest.post(`${path}/control`, { action })).status).toBe(200);
  /** Some emails go out, far fewer than there are: a campaign that has ended cannot be paused. */
  const someMails = () => {
    const enough = sending.sandbox.ledger.length + 1 + Math.floor(18 * random());
    return until(() => sending.sandbox.ledger.length >= enough, {
      ...MAIL_DEADLINE,
      what: "some mails",
      longestMs: 20,
    });
  };
  await launch(path);
  await someMails();
  await control("pause");
  for (let round = 0; round < ROUNDS; round++) {
    await sleep(1_500 * random());
    await control("resume");
    await someMails();
    await control("pause");
  }
  await control("resume");
  await until(async () => (await rest.get(path)).body.status === "COMPLETED", {
    deadlineMs: 180_000,
    what: "everybody to be written to",
  });
  const counts = new Set(emails.map((email) => mailsTo(email).length));
  expect([...counts]).toEqual([2]);
  expect(await scoped(workspaceId).Recipient.count({ stopReason: "SEQUENCE_FINISHED" })).toBe(PEOPLE);
  expect(await countOverdue(Date.now())).toBe(0);
}, 300_000);

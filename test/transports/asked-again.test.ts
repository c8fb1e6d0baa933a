import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { startEvidenceLook } from "../../activities/inbox/sent-evidence.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { createLog } from "../../runtime/log.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

test("a watch gets an email of unknown outcome once to ask about, and again when it ended before it asked", async () => {
  const { workspaceId } = await world.workspace();
  const { Send } = scoped(workspaceId);
  const unknownAt = new Date(Date.now() - 61_000);
  const send = await Send.store({ _id: newId("snd"), to: "ann@people.test", kind: "TEST", mailboxId: newId("mbx") });
  await Send.updateOne({ _id: send._id }, { $set: { state: "UNKNOWN", unknownAt } });
  let looks = 0;
  let told = 0;
  const tell = (_mailboxId: string, sends: { _id: string }[]) => {
    if (sends.some(({ _id }) => _id === send._id)) told++;
    return true;
  };
  // The email of a mailbox without a watch shows how many looks there were
  const other = await Send.store({ _id: newId("snd"), to: "bob@people.test", kind: "TEST", mailboxId: newId("mbx") });
  await Send.updateOne({ _id: other._id }, { $set: { state: "UNKNOWN", unknownAt } });
  const look = startEvidenceLook(
    (mailboxId, sends) => {
      if (sends.every(({ _id }) => _id !== other._id)) return tell(mailboxId, sends);
      looks++;
      return false;
    },
    50,
    createLog("silent"),
  );
  try {
    await until(() => looks >= 4, { ...MAIL_DEADLINE, what: "four looks" });
    expect(told).toBe(1);
    look.again([send]);
    await until(() => told === 2, { ...MAIL_DEADLINE, what: "the email to be handed over again" });
  } finally {
    look.stop();
  }
});

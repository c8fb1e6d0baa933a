import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { type ApiWorld, startApiWorld } from "./api-world.ts";

let here: ApiWorld;
beforeAll(async () => {
  here = await startApiWorld();
}, 120_000);
afterAll(() => here.close());

test("when Microsoft reports that a mailbox has sent too much today, the mailbox rests and no recipient counts as bounced", async () => {
  const { Mailbox, Recipient } = scoped(here.workspaceId);
  const mailboxId = here.mailboxes.GRAPH;
  const diagnostic =
    "550 5.1.90 Your message can't be sent because you've reached your daily limit for message recipients";
  here.graph.settings.transportLimit = (recipient) =>
    recipient === "limited@people.test" ? { status: "5.1.90", diagnostic } : null;
  const path = await here.launched(
    "GRAPH",
    ["limited@people.test"],
    [{ subject: "Hi", body: "<p>Hello</p>", delay: 0 }],
  );
  await until(async () => (await Mailbox.get(mailboxId))?.status === "COOLING_DOWN", {
    ...MAIL_DEADLINE,
    what: "the mailbox to rest",
  });
  const recipient = await Recipient.findOne({ campaignId: path.split("/").at(-1) ?? "" });
  expect(recipient?.bouncedAt).toBeNull();
  expect((await here.rest.get(`/mailboxes/${mailboxId}`)).body.status).toBe("COOLING_DOWN");
}, 120_000);

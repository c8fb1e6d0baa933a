import { randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { recordSingleSent } from "../../store/sending/record.ts";
import {
  contacted,
  listening,
  mailbox,
  newCampaign,
  newMailbox,
  recipientNow,
  sendNow,
  workspaceId,
  world,
} from "./listening.ts";
import { deliveryReport, mail, take, takeSent } from "./reading.ts";

listening();

const newKey = () => `0102018b5c3c0a4f-${randomUUID()}-000000`;

/** A person whose mail the relay took with that answer. */
async function relayed(email: string, answer: string) {
  const person = await contacted(email, await newCampaign(), { send: { state: "SENDING", attemptId: "one" } });
  await recordSingleSent(person.send, "one", answer, null);
  return person;
}

test.each([
  ["in brackets with a domain", (key: string) => `<${key}@eu-west-1.amazonses.com>`],
  ["in capitals", (key: string) => `<${key.toUpperCase()}@EMAIL.amazonses.com>`],
  ["bare", (key: string) => key],
])("a reply that names the relay's message id %s is attributed to our email", async (_, formOf) => {
  const key = newKey();
  const person = await relayed("bob@b.test", `250 Ok ${key}`);
  await take(mail({ From: "someone@else.test", "In-Reply-To": formOf(key) }, "Yes, please."));
  expect(await recipientNow(person)).toMatchObject({ status: "REPLIED" });
});

test("a bounce that names only the relay's message id is attributed to our email", async () => {
  const key = newKey();
  const person = await relayed("bob@b.test", `250 Ok <${key}>`);
  const returned = Buffer.from(`Message-ID: <${key}@eu-west-1.amazonses.com>\r\nSubject: x\r\n\r\n`);
  const block = { address: "bob@b.test", status: "5.1.1", diagnostic: "550 5.1.1 user unknown" };
  await take(deliveryReport([block], [returned]));
  expect(await recipientNow(person)).toMatchObject({ status: "BOUNCED" });
});

test("a copy in Sent reveals the relay's full Message-ID, which the next email of the thread references", async () => {
  const key = newKey();
  const person = await relayed("bob@b.test", `250 Ok ${key}`);
  const theirs = `<${key}@eu-west-1.amazonses.com>`;
  await takeSent(mail({ From: mailbox.email, To: "bob@b.test", "Message-ID": theirs }));
  expect((await sendNow(person))?.messageIds).toContain(theirs);
  expect((await recipientNow(person))?.thread?.ids).toEqual([theirs]);
});

test("a relay's message id is not matched to emails of another mailbox or workspace", async () => {
  const key = newKey();
  const person = await relayed("bob@b.test", `250 Ok ${key}`);
  const reply = mail({ From: "someone@else.test", "In-Reply-To": `<${key}@relay.test>` }, "Yes, please.");
  const beside = await newMailbox(`amy-${randomUUID()}@a.test`, 1);
  expect(await take(reply, { mailbox: beside }).catch(() => null)).toBeNull();
  const { workspaceId: elsewhere } = await world.workspace();
  const theirs = { ...mailbox, workspaceId: elsewhere };
  await take(reply, { mailbox: theirs }).catch(() => null);
  expect(await recipientNow(person)).toMatchObject({ status: "IN_PROGRESS" });
  expect(await scoped(elsewhere).Message.count({ recipientId: person.recipient._id })).toBe(0);
});

test("an id that a relay repeats in every answer is stored only for the first email", async () => {
  const constant = "250 Ok session-0000000000000001";
  const [first, second] = [await relayed("bob@b.test", constant), await relayed("eve@b.test", constant)];
  expect(await sendNow(first)).toMatchObject({ relayIds: ["session-0000000000000001"] });
  expect(await sendNow(second)).toMatchObject({ state: "SENT", relayIds: [] });
});

test("our own Message-ID in the server's answer is not stored as a relay id", async () => {
  const _id = newId("snd");
  const send = {
    _id,
    kind: "REPLY",
    to: "bob@b.test",
    mailboxId: mailbox._id,
    state: "SENDING",
    attemptId: "one",
  } as const;
  const stored = await scoped(workspaceId).Send.insert({
    ...send,
    messageId: "<ours@a.test>",
    messageIds: ["<ours@a.test>"],
  });
  await recordSingleSent(stored, "one", "250 Ok <ours@a.test>", null);
  expect(await scoped(workspaceId).Send.get(_id)).toMatchObject({ messageIds: ["<ours@a.test>"], relayIds: [] });
});

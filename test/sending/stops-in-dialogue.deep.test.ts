import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { signToken } from "../../domain/access/tokens.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { suspend } from "../../operations/abuse/suspend.ts";
import { coolDown } from "../../store/mailboxes/faults.ts";
import { until } from "../fakes/wait.ts";
import { listened } from "../inbox/mailbox-in.ts";
import { type Dialogues, type Held, startDialogues, type Where } from "./dialogue.ts";

let dialogues: Dialogues;
beforeAll(async () => {
  dialogues = await startDialogues();
});
afterAll(() => dialogues.close());

/** A way to stop an email; what it returns is checked where it is an HTTP response. */
type Stop = (held: Held) => Promise<unknown>;

const control =
  (action: string): Stop =>
  ({ rest, campaignId }) =>
    rest.post(`/campaigns/${campaignId}/control`, { action });
const recipients =
  (action: string): Stop =>
  ({ rest, campaignId, recipientId }) =>
    rest.post(`/campaigns/${campaignId}/recipients`, { action, recipientIds: [recipientId] });
const domainOf = (address: string) => address.slice(address.indexOf("@") + 1);

/** Every way to stop an email (rules/sending 7.1), through the door that callers use. */
const STOPS: Record<string, Stop> = {
  pause: control("pause"),
  complete: control("complete"),
  archive: ({ rest, campaignId }) => rest.post(`/campaigns/${campaignId}/archive`, {}),
  "the kill switch": ({ rest }) => rest.post("/workspace", { action: "pauseSending" }),
  "a suspension by the operator": ({ workspaceId }) => suspend(workspaceId, "Many bounces"),
  suppress: ({ rest, leadId }) => rest.post("/leads/suppress", { action: "suppress", ids: [leadId] }),
  bulkRemove: recipients("bulkRemove"),
  pauseRecipients: recipients("pauseRecipients"),
  "blocking the address": ({ rest, to }) => rest.post("/block-list", { value: to }),
  "blocking the domain": ({ rest, to }) => rest.post("/block-list", { value: domainOf(to) }),
  "blocking a parent of the domain": ({ rest, to }) =>
    rest.post("/block-list", { value: domainOf(to).split(".").slice(1).join(".") }),
  "the one-click unsubscription": async (held) =>
    fetch(`${dialogues.world.baseUrl}/u/${signToken(dialogues.world.services.signing, "u", (await held.send())._id)}`, {
      method: "POST",
    }),
  "a reply": replyOf,
  "deleting the lead": ({ rest, leadId }) => rest.post("/leads/manage", { action: "delete", leadId }),
  "pausing the mailbox": ({ rest, mailboxId }) => rest.post("/mailboxes/manage", { action: "pause", mailboxId }),
  "disconnecting the mailbox": ({ rest, mailboxId }) => rest.post(`/mailboxes/${mailboxId}/disconnect`, {}),
  "deleting the mailbox": ({ rest, mailboxId }) =>
    rest.post(`/mailboxes/${mailboxId}/disconnect`, { action: "delete" }),
  "the cooling down of the mailbox": ({ workspaceId, mailboxId }) => coolDown(workspaceId, mailboxId, "550"),
};

/** They stop every email of a workspace, so each gets one of its own. */
const ENDS_ALL = ["the kill switch", "a suspension by the operator"];

test.each<Where>(["RCPT", "DATA"])(
  "after any stop while the server stalls at %s, no email enters DATA, and its slot is freed",
  async (where) => {
    const outcomes = await Promise.all(
      Object.entries(STOPS).map(async ([name, stop]) => [name, await stopped(where, name, stop)]),
    );
    const expected = {
      answered: true,
      content: 0,
      state: "RELEASED",
      slotAt: null,
      day: null,
      sentToday: 0,
      takenToday: 0,
    };
    expect(Object.fromEntries(outcomes)).toEqual(
      Object.fromEntries(Object.keys(STOPS).map((name) => [name, expected])),
    );
  },
);

/** Stops one email in the middle of its dialogue, lets the server continue, and returns the outcome. */
async function stopped(where: Where, name: string, stop: Stop) {
  const held = await dialogues.held(where, ENDS_ALL.includes(name) ? await dialogues.world.workspace() : undefined);
  expect(await held.send()).toMatchObject({ state: "SENDING", phase: "CLAIMED" });
  const answer = await stop(held);
  const status = typeof answer === "object" && answer !== null && "status" in answer ? answer.status : null;
  const answered = typeof status !== "number" || status === 200 || status === 201;
  held.letGo();
  await until(async () => (await held.send()).state !== "SENDING", {
    deadlineMs: 60_000,
    what: `the end of the dialogue after ${name}`,
  });
  // A completed campaign ends its recipients one after the other after the call has answered, and the place in the day
  // is freed last
  const isFreed = async () => {
    const { state, day } = await held.send();
    return state !== "RESERVED" && day === null;
  };
  await until(isFreed, {
    deadlineMs: 60_000,
    what: `the slot to be given back after ${name}`,
  });
  const { state, slotAt, day } = await held.send();
  const days = await scoped(held.workspaceId).MailboxDay.find({ mailboxId: held.mailboxId });
  return {
    answered,
    content: contentsTo(held.to),
    state,
    slotAt,
    day,
    sentToday: days.reduce((sum, { sent }) => sum + sent, 0),
    takenToday: days.reduce((sum, { taken }) => sum + taken.length, 0),
  };
}

test("an email that nothing stops is sent once the stalled server continues, at MAIL, RCPT or DATA", async () => {
  for (const where of ["MAIL", "RCPT", "DATA"] as const) {
    const held = await dialogues.held(where);
    held.letGo();
    await until(async () => (await held.send()).state === "SENT", { deadlineMs: 60_000, what: "the mail" });
    expect(contentsTo(held.to)).toBe(1);
  }
});

function contentsTo(address: string): number {
  return dialogues.smtp.attempts.filter(({ stage, to }) => stage === "CONTENT" && to.includes(address)).length;
}

/** A reply of the person to an earlier mail arrives by IMAP; it stops the recipient once it has been read. */
async function replyOf(held: Held): Promise<void> {
  const { workspaceId, mailboxId, campaignId, recipientId, leadId, to } = held;
  const messageId = `<${randomUUID()}@a.test>`;
  const earlier = {
    campaignId,
    recipientId,
    leadId,
    mailboxId,
    to,
    stepId: "stp_earlier",
    messageId,
    messageIds: [messageId],
  };
  await scoped(workspaceId).Send.insert({
    _id: newId("snd"),
    kind: "CAMPAIGN",
    ...earlier,
    state: "SENT",
    sentAt: new Date(),
  });
  await listened(workspaceId, mailboxId);
  const lines = [
    `From: ${held.to}`,
    `To: ${held.from}`,
    "Subject: Re: about it",
    `Message-ID: <${randomUUID()}@people.test>`,
    `In-Reply-To: ${messageId}`,
    `Date: ${new Date().toUTCString()}`,
    "",
    "Yes, let us talk.",
  ];
  dialogues.imap.deliver(lines.join("\r\n"));
  const { Recipient } = scoped(held.workspaceId);
  const hasReplied = async () => (await Recipient.get(held.recipientId))?.status === "REPLIED";
  await until(hasReplied, { deadlineMs: 60_000, what: "the reply to be read" });
}

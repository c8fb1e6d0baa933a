import { expect, test } from "@jest/globals";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { until } from "../fakes/wait.ts";
import {
  contacted,
  listening,
  mailbox,
  newCampaign,
  quickMailbox,
  recipientNow,
  sendNow,
  watch,
  webhooks,
} from "./listening.ts";

listening();

const UNKNOWN = { state: "UNKNOWN", sentAt: null } as const;
const UNSENT = {
  status: "PENDING",
  sentCount: 0,
  currentStepId: null,
  nextStepId: "stp_one",
  thread: null,
  lastSentAt: null,
} as const;

test("a copy in the provider's folder proves that an email of unknown outcome was sent, at the time of the copy; a draft proves nothing", async () => {
  // The last one is in a folder that is searched only among "all mail"
  const folders = [
    { path: "INBOX" },
    { path: "Sent", flags: ["\\Sent"] },
    { path: "Junk", flags: ["\\Junk"] },
    { path: "All", flags: ["\\All"] },
  ];
  const quick = await quickMailbox({ folders });
  const campaignId = await newCampaign();
  const unknownAt = new Date(Date.now() - 2 * MINUTE_MS);
  const persons = [];
  for (const email of ["bob@b.test", "eve@b.test", "meg@b.test"]) {
    persons.push(
      await contacted(email, campaignId, { send: { ...UNKNOWN, unknownAt, claimedAt: unknownAt }, recipient: UNSENT }),
    );
  }
  const [bob, eve, meg] = persons;
  if (bob === undefined || eve === undefined || meg === undefined) throw new Error("Three were written to");
  const copyAt = new Date(Math.floor(unknownAt.getTime() / 1_000) * 1_000);
  const copy = (id: string | null) => `From: ${mailbox.email}\r\nMessage-ID: ${id}\r\n\r\nHello\r\n`;
  quick.deliver(mailbox.email, copy(bob.send.messageId), "Sent", { date: copyAt });
  quick.deliver(mailbox.email, copy(eve.send.messageId), "All", { date: copyAt });
  quick.deliver(mailbox.email, copy(meg.send.messageId), "Sent", { date: copyAt, flags: ["\\Draft"] });
  await watch(mailbox, { limits: { lookMs: 50 } });
  const found = async () => (await sendNow(bob))?.state === "SENT" && (await sendNow(eve))?.state === "SENT";
  await until(found, { deadlineMs: 30_000, what: "both copies to be found" });
  expect(await sendNow(bob)).toMatchObject({ sentAt: copyAt, evidence: "sent copy" });
  expect(await recipientNow(bob)).toMatchObject({ status: "IN_PROGRESS", sentCount: 1, currentStepId: "stp_one" });
  expect(await sendNow(meg)).toMatchObject({ state: "UNKNOWN", sentAt: null });
  expect(await webhooks("SENT")).toHaveLength(2);
  const looks = () =>
    quick.commands.filter(
      (command) => command.includes(`"${meg.send.messageId}"`) || command.includes(` ${meg.send.messageId}`),
    ).length;
  // The last folder is searched for the last email only after the other two were found
  await until(() => looks() >= 2, { deadlineMs: 30_000, what: "both folders to be searched for the draft" });
  expect(looks()).toBe(2);
});

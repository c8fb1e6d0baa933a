import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { type ApiWorld, startApiWorld } from "./api-world.ts";

const EMAIL = "ann@a.test";
const OWN = { sendAsEmail: EMAIL, displayName: "Ann", isPrimary: true, isDefault: true };
const RENAMED = { ...OWN, sendAsEmail: "ann.new@a.test" };
const ALIAS = { ...OWN, isPrimary: false, isDefault: false };
const STEP = { subject: "A talk", body: "<p>Hello</p>", delay: 0 };

let here: ApiWorld;
beforeAll(async () => {
  here = await startApiWorld();
}, 120_000);
afterAll(() => here.close());
beforeEach(() => {
  here.gmail.mailbox(EMAIL).sendAs = [OWN];
});

const mailboxAt = () => `/mailboxes/${here.mailboxes.GMAIL_API}`;
const shown = async () => (await here.rest.get(mailboxAt())).body;
const arrived = (to: string) => here.sent("GMAIL_API").filter((mail) => mail.to.includes(to));
const asked = () => here.gmail.asked.filter(({ method }) => method === "settings.sendAs.list").length;

test.each([
  ["is no address of the account", [RENAMED]],
  ["is an alias that nobody has confirmed", [RENAMED, { ...ALIAS, verificationStatus: "pending" as const }]],
])(
  "while the sender address %s, nothing is sent, and the mailbox says where to add it",
  async (why, sendAs) => {
    const to = `one-${why.length}@people.test`;
    here.gmail.mailbox(EMAIL).sendAs = [...sendAs];
    // As if the account had been asked more than a day ago
    const longAgo = { senderCheckedAt: new Date(Date.now() - 2 * DAY_MS) };
    await scoped(here.workspaceId).Mailbox.updateOne({ _id: here.mailboxes.GMAIL_API }, { $set: longAgo });
    const path = await here.launched("GMAIL_API", [to], [STEP]);
    await until(async () => (await shown()).status === "SENDING_ERROR", {
      ...MAIL_DEADLINE,
      what: "the mailbox to wait",
    });
    expect(await shown()).toMatchObject({
      statusReason: "SENDER_NOT_ACCEPTED",
      failedTries: 0,
      lastError: { code: "SENDER_NOT_ACCEPTED", message: expect.stringMatching(/Send mail as/) },
    });
    expect(arrived(to)).toEqual([]);
    expect(here.drafts("GMAIL_API")).toBe(0);

    here.gmail.mailbox(EMAIL).sendAs = [RENAMED, ALIAS];
    await here.rest.post("/mailboxes/manage", { action: "resume", mailboxId: here.mailboxes.GMAIL_API });
    await until(() => arrived(to).length === 1, { ...MAIL_DEADLINE, what: "the email of the resumed mailbox" });
    expect(arrived(to)[0]?.from).toBe(EMAIL);
    await until(async () => (await here.statusOf(path, to)) === "COMPLETED", {
      ...MAIL_DEADLINE,
      what: "the recipient to be completed",
    });
    await until(async () => (await shown()).lastError === null, { ...MAIL_DEADLINE, what: "the error to be gone" });
  },
  120_000,
);

test("the account's addresses are asked for once a day, not for every email", async () => {
  const people = ["a", "b", "c"].map((name) => `${name}-daily@people.test`);
  const before = asked();
  await here.launched("GMAIL_API", people, [STEP]);
  await until(() => people.every((to) => arrived(to).length === 1), { ...MAIL_DEADLINE, what: "three emails" });
  expect(asked() - before).toBeLessThanOrEqual(1);
});

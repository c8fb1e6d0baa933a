import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "@jest/globals";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { answerWith } from "../fakes/gmail/faults.ts";
import { badGateway } from "../fakes/gmail/refusals.ts";
import type { FakeGmail } from "../fakes/gmail/server.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { type ApiWorld, startApiWorld } from "./api-world.ts";

const ANN = "ann@a.test";
/** Milliseconds: several polls of a mailbox without notices. */
const QUIET_MS = 2_000;
let here: ApiWorld;
afterEach(() => here.close());

const incoming = (subject: string) =>
  Buffer.from(
    `From: bob@b.test\r\nTo: ${ANN}\r\nMessage-ID: <${subject}@b.test>\r\nDate: ${new Date().toUTCString()}\r\nSubject: ${subject}\r\n\r\nHello\r\n`,
  );
const receive = (subject: string) => here.gmail.mailbox(ANN).receive(incoming(subject));
const isRead = (subject: string) =>
  until(
    async () => {
      const mailboxId = here.mailboxes.GMAIL_API;
      return (await scoped(here.workspaceId).Message.find({ mailboxId, subject })).length === 1;
    },
    { ...MAIL_DEADLINE, what: `${subject} to be read` },
  );
const cursor = () => scoped(here.workspaceId).MailboxCursor.get(`${here.mailboxes.GMAIL_API}:gmail`);
const looks = () => here.gmail.asked.filter(({ method }) => method === "history.list").length;

/** Gmail was asked for notices, one came, and the mailbox is now polled rarely. */
async function noticesCome(): Promise<void> {
  const isWatched = async () => ((await cursor())?.watchedUntil ?? null) !== null;
  await until(isWatched, { ...MAIL_DEADLINE, what: "Gmail to be asked for notices" });
  receive("first");
  await isRead("first");
  const isQuiet = async () => {
    const before = looks();
    await sleep(QUIET_MS);
    return looks() === before;
  };
  await until(isQuiet, { ...MAIL_DEADLINE, what: "the mailbox to be polled rarely" });
}

test("a notice leads to reading although the next poll is an hour away", async () => {
  const watching = { apiPollMs: 500, noticedPollMs: HOUR_MS, watchMs: HOUR_MS, noticesMs: 200 };
  here = await startApiWorld({ isNoticed: true, watching });
  await noticesCome();
  const { watchedAs, watchedUntil } = (await cursor()) ?? {};
  expect(watchedAs).toBe(ANN);
  expect(watchedUntil?.getTime()).toBeGreaterThan(Date.now() + 6 * DAY_MS);
  const before = looks();
  receive("second");
  await isRead("second");
  expect(looks()).toBe(before + 1);
  expect(here.gmail.asked.filter(({ method }) => method === "watch")).toHaveLength(1);
}, 120_000);

test("an email whose notice was lost is read by the next poll, and then the mailbox is polled as if no notices came", async () => {
  const watching = { apiPollMs: 500, noticedPollMs: 6_000, watchMs: HOUR_MS, noticesMs: 200 };
  here = await startApiWorld({ isNoticed: true, watching });
  await noticesCome();
  here.gmail.settings.notices.lost = Number.POSITIVE_INFINITY;
  receive("lost");
  await isRead("lost");
  await until(async () => (await cursor())?.noticedAt === null, { ...MAIL_DEADLINE, what: "notices to be mistrusted" });
  receive("lost too");
  await isRead("lost too");
  here.gmail.settings.notices.lost = 0;
  // Gmail drops a notice that follows another within a second
  await sleep(QUIET_MS);
  receive("noticed");
  await isRead("noticed");
  await until(async () => (await cursor())?.noticedAt !== null, { ...MAIL_DEADLINE, what: "notices to be trusted" });
}, 120_000);

test("a mailbox is polled while Gmail refuses to give notices", async () => {
  const prepare = (gmail: FakeGmail) => void gmail.fault("watch", answerWith(badGateway), { times: 9 });
  here = await startApiWorld({ isNoticed: true, watching: { noticedPollMs: HOUR_MS }, prepare });
  receive("polled");
  await isRead("polled");
  expect((await cursor())?.watchedUntil).toBeNull();
}, 120_000);

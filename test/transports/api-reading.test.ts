import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import type { MailboxCursor } from "../../models/inbox/mailbox-cursor.ts";
import { scoped } from "../../models/scoped.ts";
import { answerLate, answerWith } from "../fakes/gmail/faults.ts";
import { badGateway } from "../fakes/gmail/refusals.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { APIS, type Api, type ApiWorld, replyTo, startApiWorld } from "./api-world.ts";

let here: ApiWorld;
beforeAll(async () => {
  here = await startApiWorld();
}, 120_000);
afterAll(() => here.close());

const OWNER: Readonly<Record<Api, string>> = { GMAIL_API: "ann@a.test", GRAPH: "gina@a.test" };

const incoming = (api: Api, subject: string) =>
  Buffer.from(
    `From: bob@b.test\r\nTo: ${OWNER[api]}\r\nMessage-ID: <${subject}-${api}@b.test>\r\nDate: ${new Date().toUTCString()}\r\nSubject: ${subject}\r\n\r\nHello\r\n`,
  );

const messages = (api: Api, subject: string) =>
  scoped(here.workspaceId).Message.find({ mailboxId: here.mailboxes[api], subject });

const isRead = (api: Api, subject: string) =>
  until(async () => (await messages(api, subject)).length > 0, { ...MAIL_DEADLINE, what: `${subject} to be read` });

test.each(APIS)("an email that arrives over %s is read once, with its folder", async (api) => {
  if (api === "GMAIL_API") here.gmail.mailbox(OWNER[api]).receive(incoming(api, "spam"), { labelIds: ["SPAM"] });
  else await here.graph.arrive(OWNER[api], incoming(api, "spam"));
  await isRead(api, "spam");
  if (api === "GMAIL_API") here.gmail.mailbox(OWNER[api]).receive(incoming(api, "next"));
  else await here.graph.arrive(OWNER[api], incoming(api, "next"));
  await isRead(api, "next");
  expect(await messages(api, "spam")).toMatchObject([{ folder: api === "GMAIL_API" ? "Junk" : "INBOX" }]);
  expect(await messages(api, "next")).toMatchObject([{ folder: "INBOX", direction: "INBOUND" }]);
});

test("an email that Gmail cannot return for a while does not hold up later emails, and is read once when it can", async () => {
  const mailbox = here.gmail.mailbox(OWNER.GMAIL_API);
  const { id } = mailbox.receive(incoming("GMAIL_API", "broken"));
  const lift = here.gmail.fault("messages.get", answerWith(badGateway), { id, times: Number.POSITIVE_INFINITY });
  mailbox.receive(incoming("GMAIL_API", "behind"));
  await isRead("GMAIL_API", "behind");
  expect(await messages("GMAIL_API", "broken")).toEqual([]);
  lift();
  await isRead("GMAIL_API", "broken");
  mailbox.receive(incoming("GMAIL_API", "last"));
  await isRead("GMAIL_API", "last");
  for (const subject of ["broken", "behind", "last"]) expect(await messages("GMAIL_API", subject)).toHaveLength(1);
}, 120_000);

test("a reply that arrives while older emails are listed stops its sender", async () => {
  const to = "while@people.test";
  const steps = [
    { subject: "A talk", body: "<p>Hello</p>", delay: 0 },
    { subject: "", body: "<p>Still there?</p>", delay: 1 },
  ];
  const path = await here.launched("GMAIL_API", [to], steps);
  const sent = () => here.gmail.sent.find((mail) => mail.to.includes(to));
  await until(() => sent() !== undefined, { ...MAIL_DEADLINE, what: "the email" });
  const asked = () => here.gmail.asked.filter(({ method }) => method === "messages.list").length;
  const before = asked();
  here.gmail.fault("messages.list", answerLate(3_000));
  const _id = `${here.mailboxes.GMAIL_API}:gmail`;
  await scoped(here.workspaceId).MailboxCursor.updateOne({ _id }, { $set: { history: { next: 0, last: 0 } } });
  await until(() => asked() > before, { ...MAIL_DEADLINE, what: "older emails to be listed" });
  here.gmail.mailbox(OWNER.GMAIL_API).receive(replyTo(sent()?.raw ?? Buffer.from(""), OWNER.GMAIL_API, to));
  await until(async () => (await here.statusOf(path, to)) === "REPLIED", { ...MAIL_DEADLINE, what: "the reply" });
}, 120_000);

test("after Gmail has forgotten its history, and Graph its changes, what arrived meanwhile is read once", async () => {
  here.gmail.mailbox(OWNER.GMAIL_API).receive(incoming("GMAIL_API", "gap"));
  here.gmail.mailbox(OWNER.GMAIL_API).forgetHistory();
  await here.graph.arrive(OWNER.GRAPH, incoming("GRAPH", "gap"));
  here.graph.expireDelta();
  for (const api of APIS) await isRead(api, "gap");
  for (const api of APIS) expect(await messages(api, "gap")).toHaveLength(1);
}, 120_000);

test.each(APIS)(
  "an email that the list of changes of %s omits is read by the daily count, which records it",
  async (api) => {
    const halfAnHourAgo = Date.now() - HOUR_MS / 2;
    if (api === "GMAIL_API") {
      const mailbox = here.gmail.mailbox(OWNER[api]);
      mailbox.receive(incoming(api, "omitted"), { at: halfAnHourAgo });
      mailbox.history.pop();
    } else {
      // With ids that stay, what was moved away and back shows only as removed
      const mailbox = here.graph.mailbox(OWNER[api]);
      const item = await here.graph.arrive(OWNER[api], incoming(api, "omitted"));
      mailbox.move(item, mailbox.idOf("drafts"));
      mailbox.move(item, mailbox.idOf("inbox"));
      item.receivedAt = new Date(halfAnHourAgo);
    }
    const behind = incoming(api, "after the omitted");
    if (api === "GMAIL_API") here.gmail.mailbox(OWNER[api]).receive(behind);
    else await here.graph.arrive(OWNER[api], behind);
    await isRead(api, "after the omitted");
    expect(await messages(api, "omitted")).toEqual([]);
    const _id = `${here.mailboxes[api]}:${api === "GMAIL_API" ? "gmail" : "graph/inbox"}`;
    const { MailboxCursor } = scoped(here.workspaceId);
    const counted = { at: new Date(Date.now() - 2 * DAY_MS), missed: 0 };
    await MailboxCursor.updateOne({ _id }, { $set: { counted } });
    await isRead(api, "omitted");
    const hasCounted = async () => ((await MailboxCursor.get(_id))?.counted?.missed ?? 0) === 1;
    await until(hasCounted, { ...MAIL_DEADLINE, what: "the count" });
    expect(await messages(api, "omitted")).toMatchObject([{ folder: "INBOX", direction: "INBOUND" }]);
  },
  120_000,
);

const GMAIL_CURSOR = () => `${here.mailboxes.GMAIL_API}:gmail`;
const troubled = async () => (await scoped(here.workspaceId).MailboxCursor.get(GMAIL_CURSOR()))?.troubled ?? [];
const setCursor = (fields: Partial<MailboxCursor>) =>
  scoped(here.workspaceId).MailboxCursor.updateOne({ _id: GMAIL_CURSOR() }, { $set: fields });
const isSkipped = (id: string) =>
  until(async () => (await troubled()).some((one) => one.id === id && one.skippedAt !== null), {
    ...MAIL_DEADLINE,
    what: "the email to be skipped",
  });
const lastError = async () => (await scoped(here.workspaceId).Mailbox.get(here.mailboxes.GMAIL_API))?.lastError;

test("an email that Gmail cannot return for an hour is skipped, the mailbox says so, and the daily count tries again", async () => {
  const mailbox = here.gmail.mailbox(OWNER.GMAIL_API);
  const halfAnHourAgo = Date.now() - HOUR_MS / 2;
  const { id } = mailbox.receive(incoming("GMAIL_API", "stuck"), { at: halfAnHourAgo });
  const lift = here.gmail.fault("messages.get", answerWith(badGateway), { id, times: Number.POSITIVE_INFINITY });
  const hasFailed = async () => (await troubled()).some((one) => one.id === id && one.failures === 1);
  await until(hasFailed, { ...MAIL_DEADLINE, what: "the first failure" });
  expect(await lastError()).toBeNull();
  const since = new Date(Date.now() - 2 * HOUR_MS);
  await setCursor({ troubled: [{ id, kills: 0, failures: 2, since, skippedAt: null }] });
  await isSkipped(id);
  expect(await lastError()).toMatchObject({ code: "EMAIL_UNREADABLE" });
  lift();
  mailbox.receive(incoming("GMAIL_API", "behind the stuck"));
  await isRead("GMAIL_API", "behind the stuck");
  expect(await messages("GMAIL_API", "stuck")).toEqual([]);
  const yesterday = new Date(Date.now() - 2 * DAY_MS);
  await setCursor({
    counted: { at: yesterday, missed: 0 },
    troubled: [{ id, kills: 0, failures: 3, since, skippedAt: new Date() }],
  });
  await isRead("GMAIL_API", "stuck");
  await until(async () => (await troubled()).length === 0, { ...MAIL_DEADLINE, what: "no email to be skipped" });
}, 120_000);

test("an email is marked while it is read, and one that has ended three processes is not read again", async () => {
  const mailbox = here.gmail.mailbox(OWNER.GMAIL_API);
  const { id } = mailbox.receive(incoming("GMAIL_API", "lethal"));
  here.gmail.fault("messages.get", answerLate(2_000), { id });
  const isMarked = async () => (await troubled()).some((one) => one.id === id && one.kills === 1);
  await until(isMarked, { ...MAIL_DEADLINE, what: "the mark" });
  await isRead("GMAIL_API", "lethal");
  await until(async () => (await troubled()).length === 0, { ...MAIL_DEADLINE, what: "the mark to go" });
  // As if three processes had died while they read the next one
  const { id: next } = mailbox.receive(incoming("GMAIL_API", "lethal indeed"));
  const lift = here.gmail.fault("messages.get", answerWith(badGateway), { id: next, times: Number.POSITIVE_INFINITY });
  const hasFailed = async () => (await troubled()).some((one) => one.id === next && one.failures === 1);
  await until(hasFailed, { ...MAIL_DEADLINE, what: "the first failure" });
  await setCursor({ troubled: [{ id: next, kills: 3, failures: 0, since: new Date(), skippedAt: null }] });
  lift();
  await isSkipped(next);
  mailbox.receive(incoming("GMAIL_API", "behind the lethal"));
  await isRead("GMAIL_API", "behind the lethal");
  expect(await messages("GMAIL_API", "lethal indeed")).toEqual([]);
}, 120_000);

test("a mailbox whose permission is missing says so and asks to be connected again", async () => {
  const { Mailbox } = scoped(here.workspaceId);
  const mailbox = here.gmail.mailbox(OWNER.GMAIL_API);
  const scopes = mailbox.scopes.splice(0);
  const lastError = async () => (await Mailbox.get(here.mailboxes.GMAIL_API))?.lastError ?? null;
  await until(async () => (await lastError())?.code === "PERMISSION_MISSING", { ...MAIL_DEADLINE, what: "the error" });
  expect((await Mailbox.get(here.mailboxes.GMAIL_API))?.status).toBe("RECONNECT_REQUIRED");
  mailbox.scopes.push(...scopes);
});

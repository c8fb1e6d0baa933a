import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DAY_MS, SECOND_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { answerLate, answerWith } from "../fakes/gmail/faults.ts";
import { retryAfter } from "../fakes/gmail/refusals.ts";
import { refuse } from "../fakes/graph/faults.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { APIS, type Api, type ApiWorld, startApiWorld } from "./api-world.ts";

let here: ApiWorld;
beforeAll(async () => {
  here = await startApiWorld();
}, 120_000);
afterAll(() => here.close());

const OWNER: Readonly<Record<Api, string>> = { GMAIL_API: "ann@a.test", GRAPH: "gina@a.test" };
const WAIT_S = 8;
const STEPS = [{ subject: "A talk", body: "<p>Hello</p>", delay: 0 }];

/** The next request of this kind is refused, and all of the mailbox have to wait. Returns whether it was. */
function refuseOnce(api: Api, request: "read" | "create"): () => boolean {
  let refusedAt = Number.POSITIVE_INFINITY;
  if (api === "GMAIL_API") {
    const refusal = () => {
      refusedAt = Date.now();
      return retryAfter(new Date(refusedAt + WAIT_S * SECOND_MS));
    };
    here.gmail.fault(request === "read" ? "messages.get" : "drafts.create", answerWith(refusal));
    return () => refusedAt <= Date.now();
  }
  const before = here.graph.asked.length;
  here.graph.fault({
    on: request === "read" ? "get" : "create",
    answer: refuse("ApplicationThrottled", { retryAfter: WAIT_S }),
  });
  return () => here.graph.asked.slice(before).some(({ status }) => status === 429);
}

const mailTo = (api: Api, subject: string, at: Date) =>
  Buffer.from(
    `From: bob@b.test\r\nTo: ${OWNER[api]}\r\nMessage-ID: <${subject}-${api}@b.test>\r\nDate: ${at.toUTCString()}\r\nSubject: ${subject}\r\n\r\nHello\r\n`,
  );

const askedOf = (api: Api) => (api === "GMAIL_API" ? here.gmail.asked : here.graph.asked).length;
const arrived = (api: Api, to: string) => here.sent(api).filter((mail) => mail.to.includes(to));

/** After a refusal nothing asks the provider again, until shortly before the mailbox need no longer wait. */
async function staysUnasked(api: Api, isRefused: () => boolean): Promise<void> {
  await until(isRefused, { ...MAIL_DEADLINE, what: "the refusal" });
  const [before, end] = [askedOf(api), Date.now() + (WAIT_S - 2) * SECOND_MS];
  while (Date.now() < end) {
    expect(askedOf(api)).toBe(before);
    await sleep(100);
  }
}

async function isSentOnce(api: Api, to: string): Promise<void> {
  await hasNotSlowedDown(api);
  await until(async () => (await here.sendTo(to))?.state === "SENT", { ...MAIL_DEADLINE, what: `the email to ${to}` });
  expect(arrived(api, to)).toHaveLength(1);
  await hasNotSlowedDown(api);
}

async function hasNotSlowedDown(api: Api): Promise<void> {
  const { rateRefusals, status } = (await scoped(here.workspaceId).Mailbox.get(here.mailboxes[api])) ?? {};
  expect({ rateRefusals, status }).toEqual({ rateRefusals: 0, status: "CONNECTED" });
}

test.each(APIS)(
  "when %s refuses a read for some seconds, the mailbox asks nothing until then, and no email is lost",
  async (api) => {
    const isRefused = refuseOnce(api, "read");
    const raw = mailTo(api, "limited", new Date());
    if (api === "GMAIL_API") here.gmail.mailbox(OWNER[api]).receive(raw);
    else await here.graph.arrive(OWNER[api], raw);
    await until(isRefused, { ...MAIL_DEADLINE, what: "the refusal" });
    const to = `after-read-${api.toLowerCase()}@people.test`;
    await Promise.all([staysUnasked(api, isRefused), here.launched(api, [to], STEPS)]);
    await isSentOnce(api, to);
    const read = () => scoped(here.workspaceId).Message.find({ mailboxId: here.mailboxes[api], subject: "limited" });
    await until(async () => (await read()).length > 0, { ...MAIL_DEADLINE, what: "the email to be read" });
    expect(await read()).toHaveLength(1);
  },
  120_000,
);

test("when Gmail refuses a read of older emails for some seconds, all of them are filed after that", async () => {
  const { Message, MailboxCursor } = scoped(here.workspaceId);
  const [mailboxId, mailbox] = [here.mailboxes.GMAIL_API, here.gmail.mailbox(OWNER.GMAIL_API)];
  const looks = () => here.gmail.asked.filter(({ method }) => method === "getProfile").length;
  const before = looks();
  // As at the first look: what is there before the id of the history is known is not in the history
  here.gmail.fault("getProfile", answerLate(2_000));
  await MailboxCursor.deleteOne({ _id: `${mailboxId}:gmail` });
  await until(() => looks() > before, { ...MAIL_DEADLINE, what: "the first look" });
  const [at, subjects] = [Date.now() - 2 * DAY_MS, ["old-1", "old-2", "old-3"]];
  for (const subject of subjects)
    mailbox.receive(mailTo("GMAIL_API", subject, new Date(at)), { at, labelIds: ["INBOX"] });
  const isRefused = refuseOnce("GMAIL_API", "read");
  await until(isRefused, { ...MAIL_DEADLINE, what: "the refusal" });
  const isEnded = async () => (await MailboxCursor.get(`${mailboxId}:gmail`))?.history === null;
  await until(isEnded, { ...MAIL_DEADLINE, what: "the older emails" });
  const filed = (await Message.find({ mailboxId })).map(({ subject }) => subject ?? "");
  expect(filed.filter((subject) => subject.startsWith("old-")).toSorted()).toEqual(subjects);
}, 120_000);

test.each(APIS)(
  "when %s refuses a draft for some seconds, the email leaves once after that, and the mailbox does not slow down",
  async (api) => {
    const to = `after-draft-${api.toLowerCase()}@people.test`;
    const isRefused = refuseOnce(api, "create");
    await here.launched(api, [to], STEPS);
    await staysUnasked(api, isRefused);
    expect(arrived(api, to)).toEqual([]);
    await isSentOnce(api, to);
    await until(() => here.drafts(api) === 0, { ...MAIL_DEADLINE, what: "the sent draft to be gone" });
  },
  120_000,
);

import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { answerWith, loseAnswer } from "../fakes/gmail/faults.ts";
import { unavailable, userRateLimitExceeded } from "../fakes/gmail/refusals.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { APIS, type Api, type ApiWorld, startApiWorld } from "./api-world.ts";

let here: ApiWorld;
beforeAll(async () => {
  here = await startApiWorld({ watching: { leftDraftMs: 1_500 } });
}, 120_000);
afterAll(() => here.close());

const STEPS = [{ subject: "Left", body: "<p>Hello</p>", delay: 0 }];
const nameOf = (api: Api) => api.toLowerCase();
const leftTo = (api: Api, to: string) => here.sent(api).filter((mail) => mail.to.includes(to)).length;

/** Puts an email among the drafts, as the mailbox's owner or a process that died would have. Returns the draft's id. */
async function putDraft(api: Api, raw: Buffer): Promise<string> {
  if (api === "GMAIL_API") return here.gmail.mailbox("ann@a.test").createDraft(raw, undefined);
  return (await here.graph.mailbox("gina@a.test").add({ folder: "drafts", isDraft: true, raw })).immutableId;
}

/** A reply that the mailbox has sent, or was to send. */
function reply(
  api: Api,
  mailRef: string,
  state: "SENDING" | "SENT" | "UNKNOWN" | "FAILED",
  draftId: string | null = null,
) {
  const { Send } = scoped(here.workspaceId);
  const [mailboxId, _id] = [here.mailboxes[api], newId("snd")];
  const draft = draftId === null ? null : { transport: api, draftId, threadId: "", historyId: "" };
  const unknownAt = new Date(0);
  return Send.insert({
    _id,
    kind: "REPLY",
    sendKey: mailRef,
    to: "bob@b.test",
    mailboxId,
    mailRef,
    state,
    unknownAt,
    draft,
  });
}

function draft(subject: string, mailRef: string | null): Buffer {
  const mark = mailRef === null ? [] : [`X-Mail-Ref: ${mailRef}`];
  return Buffer.from(`${["To: bob@b.test", `Subject: ${subject}`, ...mark].join("\r\n")}\r\n\r\nHello\r\n`);
}

function subjects(api: Api): string[] {
  if (api === "GMAIL_API") {
    const mailbox = here.gmail.mailbox("ann@a.test");
    return [...mailbox.drafts.keys()].map((id) => mailbox.draft(id).subject);
  }
  const mailbox = here.graph.mailbox("gina@a.test");
  return mailbox.in(mailbox.idOf("drafts")).map(({ parsed }) => parsed.subject ?? "");
}

async function isSwept(api: Api): Promise<void> {
  const lists = () =>
    api === "GMAIL_API"
      ? here.gmail.asked.filter(({ method }) => method === "drafts.list").length
      : here.graph.asked.filter(({ route, path }) => route === "list" && path.includes("drafts")).length;
  const before = lists();
  // A draft that is new now is looked at once it is old enough
  await until(() => lists() > before + 3, { ...MAIL_DEADLINE, what: "the drafts to be listed" });
}

test.each(APIS)(
  "a draft over %s that was made without an answer is deleted, and its email waits",
  async (api) => {
    const to = `unanswered-${nameOf(api)}@people.test`;
    if (api === "GMAIL_API") here.gmail.fault("drafts.create", loseAnswer("after the effect"));
    else here.graph.fault({ on: "create", answer: "lost", after: true });
    await here.launched(api, [to], STEPS);
    await until(() => here.drafts(api) > 0, { ...MAIL_DEADLINE, what: "the draft", longestMs: 25 });
    await until(() => here.drafts(api) === 0, { ...MAIL_DEADLINE, what: "the draft to be deleted" });
    expect(leftTo(api, to)).toBe(0);
    expect(await here.sendTo(to)).toMatchObject({ state: "RESERVED" });
  },
  120_000,
);

test("a draft at Gmail of a refused email that could not be deleted at once is deleted later", async () => {
  const to = "refused@people.test";
  const isLifted = here.gmail.fault("drafts.delete", answerWith(unavailable), { times: Number.POSITIVE_INFINITY });
  here.gmail.fault(
    "drafts.send",
    answerWith(() => userRateLimitExceeded()),
  );
  await here.launched("GMAIL_API", [to], STEPS);
  await until(async () => (await here.sendTo(to))?.failure?.reason !== undefined, {
    ...MAIL_DEADLINE,
    what: "the refusal",
  });
  expect(here.drafts("GMAIL_API")).toBe(1);
  isLifted();
  await until(() => here.drafts("GMAIL_API") === 0, { ...MAIL_DEADLINE, what: "the draft to be deleted" });
  expect(leftTo("GMAIL_API", to)).toBe(0);
}, 120_000);

test.each(APIS)(
  "drafts over %s of a person, of another service and of an email of unknown outcome stay, and its earlier attempt's is deleted",
  async (api) => {
    const { Send } = scoped(here.workspaceId);
    const mark = (letter: string) => `${nameOf(api).replaceAll("_", "")}${letter.repeat(20)}`.slice(0, 20);
    const { _id } = await reply(api, mark("u"), "UNKNOWN");
    const [written, foreign, open, taken] = ["Written by a person", "Foreign mark", "Unknown", "On its way"];
    await putDraft(api, draft(written, null));
    await putDraft(api, draft(foreign, "bbbbbbbbbbbbbbbbbbbb"));
    await putDraft(api, draft(open, mark("u")));
    await reply(api, mark("t"), "SENT", await putDraft(api, draft(taken, mark("t"))));
    const [asked, sending] = ["Asked to send", "Being sent"];
    await reply(api, mark("v"), "UNKNOWN", await putDraft(api, draft(asked, mark("v"))));
    await putDraft(api, draft("Of an earlier attempt", mark("v")));
    await reply(api, mark("w"), "SENDING");
    await putDraft(api, draft(sending, mark("w")));
    await isSwept(api);
    expect(subjects(api)).toEqual([written, foreign, open, taken, asked, sending]);
    await Send.updateOne({ _id }, { $set: { state: "FAILED" } });
    await until(() => here.drafts(api) === 5, { ...MAIL_DEADLINE, what: "our draft to be deleted" });
    expect(subjects(api)).toEqual([written, foreign, taken, asked, sending]);
  },
  120_000,
);

test("a draft at Graph that a person has edited stays, although it has our mark", async () => {
  const mailRef = "cccccccccccccccccccc";
  await reply("GRAPH", mailRef, "FAILED");
  const subject = "Edited by a person";
  await putDraft("GRAPH", draft(subject, mailRef));
  for (const item of here.graph.mailbox("gina@a.test").items.values())
    if (item.parsed.subject === subject) item.createdAt = new Date(Date.now() - HOUR_MS);
  await isSwept("GRAPH");
  expect(subjects("GRAPH")).toContain(subject);
}, 120_000);

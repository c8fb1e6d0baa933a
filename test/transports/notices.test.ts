import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "@jest/globals";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { answerWith } from "../fakes/gmail/faults.ts";
import { badGateway } from "../fakes/gmail/refusals.ts";
import { refuse } from "../fakes/graph/faults.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { ADDRESSES, APIS, type Api, type ApiWorld, startApiWorld } from "./api-world.ts";

/** Milliseconds: several polls of a mailbox without notices. */
const QUIET_MS = 2_000;
let here: ApiWorld;
afterEach(() => here.close());

function receive(api: Api, subject: string): void {
  const to = ADDRESSES[api];
  const raw = `From: bob@b.test\r\nTo: ${to}\r\nMessage-ID: <${subject}@b.test>\r\nDate: ${new Date().toUTCString()}\r\nSubject: ${subject}\r\n\r\nHello\r\n`;
  if (api === "GRAPH") void here.graph.arrive(to, raw);
  else here.gmail.mailbox(to).receive(Buffer.from(raw));
}
const isRead = (api: Api, subject: string) =>
  until(
    async () => {
      const mailboxId = here.mailboxes[api];
      return (await scoped(here.workspaceId).Message.find({ mailboxId, subject })).length === 1;
    },
    { ...MAIL_DEADLINE, what: `${subject} to be read` },
  );
const cursor = (api: Api) =>
  scoped(here.workspaceId).MailboxCursor.get(`${here.mailboxes[api]}:${api === "GRAPH" ? "graph/inbox" : "gmail"}`);
/** How often the mailbox was looked into. Each look at Graph reads the changes of four folders. */
const looks = (api: Api) =>
  api === "GRAPH"
    ? Math.ceil(here.graph.asked.filter(({ route }) => route === "delta").length / 4)
    : here.gmail.asked.filter(({ method }) => method === "history.list").length;
const requests = (api: Api) =>
  api === "GRAPH"
    ? here.graph.asked.filter(({ route }) => route === "subscriptions").map(({ method }) => method)
    : here.gmail.asked.filter(({ method }) => method === "watch").map(() => "POST");
const isAsked = (api: Api) =>
  until(async () => ((await cursor(api))?.watchedUntil ?? null) !== null, {
    ...MAIL_DEADLINE,
    what: "the provider to be asked for notices",
  });

/** The provider was asked for notices, one came, and the mailbox is now polled rarely. */
async function noticesCome(api: Api): Promise<void> {
  await isAsked(api);
  receive(api, "first");
  await isRead(api, "first");
  const isQuiet = async () => {
    const before = looks(api);
    await sleep(QUIET_MS);
    return looks(api) === before;
  };
  await until(isQuiet, { ...MAIL_DEADLINE, what: "the mailbox to be polled rarely" });
}

describe.each(APIS)("notices over %s", (api) => {
  test("a notice leads to reading although the next poll is an hour away", async () => {
    const watching = { apiPollMs: 500, noticedPollMs: HOUR_MS, watchMs: HOUR_MS, noticesMs: 200 };
    here = await startApiWorld({ isNoticed: true, watching });
    await noticesCome(api);
    const { watchedAs, watchedUntil } = (await cursor(api)) ?? {};
    expect(watchedAs).toMatch(api === "GRAPH" ? /^graph:[0-9a-f]{64}$/ : /^ann@a\.test$/);
    const leastMs = api === "GRAPH" ? 59 * HOUR_MS : 6 * DAY_MS;
    expect(watchedUntil?.getTime()).toBeGreaterThan(Date.now() + leastMs);
    const before = looks(api);
    receive(api, "second");
    await isRead(api, "second");
    expect(looks(api)).toBe(before + 1);
    expect(requests(api)).toEqual(["POST"]);
  }, 120_000);

  test("an email whose notice was lost is read by the next poll, and then the mailbox is polled as if no notices came", async () => {
    const watching = { apiPollMs: 500, noticedPollMs: 6_000, watchMs: HOUR_MS, noticesMs: 200 };
    here = await startApiWorld({ isNoticed: true, watching });
    await noticesCome(api);
    here.gmail.settings.notices.lost = Number.POSITIVE_INFINITY;
    here.graph.settings.notices.missing = true;
    receive(api, "lost");
    await isRead(api, "lost");
    const isMistrusted = async () => (await cursor(api))?.noticedAt === null;
    await until(isMistrusted, { ...MAIL_DEADLINE, what: "notices to be mistrusted" });
    receive(api, "lost too");
    await isRead(api, "lost too");
    here.gmail.settings.notices.lost = 0;
    here.graph.settings.notices.missing = false;
    // Gmail drops a notice that follows another within a second
    await sleep(QUIET_MS);
    receive(api, "noticed");
    await isRead(api, "noticed");
    const isTrusted = async () => (await cursor(api))?.noticedAt !== null;
    await until(isTrusted, { ...MAIL_DEADLINE, what: "notices to be trusted" });
  }, 120_000);

  test("a mailbox is polled while its provider refuses to give notices", async () => {
    here = await startApiWorld({
      isNoticed: true,
      watching: { noticedPollMs: HOUR_MS },
      prepare(gmail, graph) {
        gmail.fault("watch", answerWith(badGateway), { times: 9 });
        const answer = refuse("ExtensionError", { message: "Operation: Create; Exception: [Status Code: Forbidden]" });
        graph.fault({ on: "subscriptions", answer, standing: true });
      },
    });
    receive(api, "polled");
    await isRead(api, "polled");
    expect((await cursor(api))?.watchedUntil ?? null).toBeNull();
  }, 120_000);
});

test.each([
  ["missed", ["POST"]],
  ["reauthorizationRequired", ["POST", "PATCH"]],
  ["subscriptionRemoved", ["POST", "PATCH", "POST"]],
] as const)(
  "after Microsoft reports %s the mailbox is read immediately and notices come again",
  async (event, asked) => {
    const watching = { apiPollMs: 500, noticedPollMs: HOUR_MS, watchMs: HOUR_MS, noticesMs: 200 };
    here = await startApiWorld({ isNoticed: true, watching });
    await noticesCome("GRAPH");
    here.graph.settings.notices.missing = true;
    receive("GRAPH", "missed");
    await here.graph.lifecycle(ADDRESSES.GRAPH, event);
    await isRead("GRAPH", "missed");
    const isWatched = async () =>
      requests("GRAPH").length === asked.length && (await cursor("GRAPH"))?.watchedUntil != null;
    await until(isWatched, { ...MAIL_DEADLINE, what: "Microsoft to be asked again" });
    expect(requests("GRAPH")).toEqual(asked);
    here.graph.settings.notices.missing = false;
    const before = here.graph.notices.length;
    receive("GRAPH", "noticed");
    await isRead("GRAPH", "noticed");
    expect(here.graph.notices.length).toBe(before + 1);
  },
  120_000,
);

test("a subscription is renewed when less than a day of it is left", async () => {
  const watching = { apiPollMs: 500, noticedPollMs: HOUR_MS, watchMs: HOUR_MS, noticesMs: 200 };
  here = await startApiWorld({ isNoticed: true, watching });
  await isAsked("GRAPH");
  const watchedAs = (await cursor("GRAPH"))?.watchedAs;
  const { MailboxCursor } = scoped(here.workspaceId);
  const _id = `${here.mailboxes.GRAPH}:graph/inbox`;
  await MailboxCursor.updateOne({ _id }, { $set: { watchedUntil: new Date(Date.now() + DAY_MS - 1) } });
  const isRenewed = async () => ((await cursor("GRAPH"))?.watchedUntil?.getTime() ?? 0) > Date.now() + 59 * HOUR_MS;
  await until(isRenewed, { ...MAIL_DEADLINE, what: "the subscription to be renewed" });
  expect(requests("GRAPH")).toEqual(["POST", "PATCH"]);
  expect((await cursor("GRAPH"))?.watchedAs).toBe(watchedAs);
}, 120_000);

test("a posted notice counts only with the mailbox's secret, and Microsoft's question is repeated as plain text", async () => {
  here = await startApiWorld({ isNoticed: true });
  await isAsked("GRAPH");
  const url = `${here.world.baseUrl}/hooks/microsoft`;
  const post = (body: unknown) => fetch(url, { method: "POST", body: JSON.stringify(body) });
  const name = (await cursor("GRAPH"))?.watchedAs ?? "";
  for (const clientState of ["", "guess", name, null])
    expect((await post({ value: [{ clientState, lifecycleEvent: "subscriptionRemoved" }] })).status).toBe(202);
  expect(await cursor("GRAPH")).toMatchObject({ noticedAt: null, watchedUntil: expect.any(Date) });
  for (const body of [{}, { value: "all" }, { value: [{ clientState: 7 }] }, { value: Array(1_001).fill({}) }])
    expect((await post(body)).status).toBe(400);
  const asked = await fetch(`${url}?validationToken=${encodeURIComponent("<b>Validation: 7</b>")}`, { method: "POST" });
  expect([asked.status, asked.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(await asked.text()).toBe("<b>Validation: 7</b>");
  expect((await fetch(url)).status).toBe(405);
}, 120_000);

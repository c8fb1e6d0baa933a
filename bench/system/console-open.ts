import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserContext } from "playwright-core";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { createWorkspace } from "../../operations/access/workspaces.ts";
import { createPersonLink } from "../../operations/sign-in/links.ts";
import { conversationIn } from "../../test/console/inbox-parts.ts";
import { until } from "../../test/fakes/wait.ts";
import { newBrowser } from "../../test/support/person.ts";
import { PASSWORD } from "../../test/support/signed-in.ts";
import { type Rig, startRig } from "../rig.ts";
import { storeCampaign, storeMailboxes } from "../sending/campaigns.ts";
import { type Measured, median } from "../table.ts";
import { cpuMsOf } from "./processes.ts";

const [PEOPLE, EACH] = [4, 5];
const [RECIPIENTS, CONVERSATIONS] = [40, 30];
const GOAL_PERCENT = 15;
/**
 * Milliseconds to watch a page: at first long enough to see the frame's requests, which repeat every half minute,
 * twice; later, long enough for a third of that rate.
 */
const [WATCH_MS, QUIET_WATCH_MS] = [65_000, 200_000];
const [SETTLE_MS, OPEN_MS] = [10_000, MINUTE_MS];

/** A request that an open page repeats. `{id}` stands for the page's own id. */
interface Poll {
  path: string;
  everyMs: number;
}

/** The repeated requests of a page: in its first minute, and later, when nothing on it has changed. */
export interface Polls {
  first: Poll[];
  later: Poll[];
}

/** Leaves a page open and returns the requests that it repeated, and how often. */
export async function pollsOf(context: BrowserContext, address: string, id: string): Promise<Polls> {
  const page = await context.newPage();
  const requests = new Map<string, number[]>();
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (request.method() !== "GET" || request.resourceType() !== "fetch") return;
    const path = `${pathname}${search}`.replaceAll(id, "{id}");
    requests.set(path, [...(requests.get(path) ?? []), performance.now()]);
  });
  await page.goto(address);
  await sleep(WATCH_MS);
  const first = repeated(requests);
  requests.clear();
  await sleep(QUIET_WATCH_MS);
  await page.close();
  return { first, later: repeated(requests) };
}

function repeated(requests: Map<string, number[]>): Poll[] {
  const pauses = (times: number[]) => times.slice(1).map((time, index) => time - (times[index] ?? time));
  return [...requests]
    .filter(([, times]) => times.length > 1)
    .map(([path, times]) => ({ path, everyMs: median(pauses(times)) }));
}

/**
 * Measures the share of a CPU core that API and database need for open pages. It sends the requests that the pages
 * make, without browsers.
 */
export async function openPages(ofCampaign: Polls, ofInbox: Polls): Promise<Measured[]> {
  const rig = await startRig();
  try {
    const people: Person[] = [];
    for (let person = 0; person < PEOPLE; person++) people.push(await personIn(rig, person));
    await rig.killWorker();
    await sleep(SETTLE_MS);
    const alone = await shareOf(rig);
    const later = await shareWith(rig, people, ofCampaign.later, ofInbox.later);
    const first = await shareWith(rig, people, ofCampaign.first, ofInbox.first);
    const pages = PEOPLE * EACH;
    const what = `API and database for ${pages} open campaign pages and ${pages} inboxes, of a core`;
    const ours = (share: Share) => share.api + share.database - alone.api - alone.database;
    return [
      {
        what: `${what}, nothing having changed for a minute`,
        goal: `under ${GOAL_PERCENT} %`,
        measured: percent(ours(later)),
        met: ours(later) < GOAL_PERCENT,
      },
      {
        what: `${what}, in the first minute or while everything moves`,
        goal: "",
        measured: percent(ours(first)),
        met: null,
      },
      {
        what: "API; database: in the first minute; later; without a page",
        goal: "",
        measured: [first, later, alone].map(({ api, database }) => `${percent(api)} + ${percent(database)}`).join("; "),
        met: null,
      },
      {
        what: "requests that these pages make in a minute: in the first; later",
        goal: "",
        measured: `${perMinute(ofCampaign.first, ofInbox.first)}; ${perMinute(ofCampaign.later, ofInbox.later)}`,
        met: null,
      },
    ];
  } finally {
    await rig.close();
  }
}

function perMinute(ofCampaign: Poll[], ofInbox: Poll[]): string {
  return [...ofCampaign, ...ofInbox]
    .reduce((sum, { everyMs }) => sum + (PEOPLE * EACH * MINUTE_MS) / everyMs, 0)
    .toFixed(0);
}

async function shareWith(rig: Rig, people: Person[], ofCampaign: Poll[], ofInbox: Poll[]): Promise<Share> {
  const faults: string[] = [];
  const timers = people.flatMap(({ get, campaignIds, threadIds }) => [
    ...campaignIds.flatMap((id) => ofCampaign.map((poll) => repeat(get, poll, id, faults))),
    ...threadIds.flatMap((id) => ofInbox.map((poll) => repeat(get, poll, id, faults))),
  ]);
  await sleep(SETTLE_MS);
  const share = await shareOf(rig);
  for (const stop of timers) stop();
  if (faults.length > 0) throw new Error(`${faults.length} polls were refused: ${faults[0]}`);
  return share;
}

interface Share {
  api: number;
  database: number;
}

interface Person {
  get: Get;
  campaignIds: string[];
  threadIds: string[];
}

type Get = (path: string) => Promise<Response>;

/** Creates a signed-in person with campaigns that have sent their first emails, and with conversations. */
async function personIn(rig: Rig, number: number): Promise<Person> {
  const { workspaceId, ownerId } = await createWorkspace({ name: "Bench", email: `owner-${number}@bench.test` });
  const browser = newBrowser(rig.api.url);
  await browser.open(`/sign-in/${await createPersonLink(ownerId, new Date())}`);
  await browser.submit({ password: PASSWORD });
  const rest = browser.console(workspaceId);
  const [mailboxId = "", ...others] = await storeMailboxes(workspaceId, rig.keyRing, rig.sink.smtpPort, 2);
  const delays = [
    { value: 0, unit: "MINUTES" as const },
    { value: 3, unit: "DAYS" as const },
  ];
  await rig.worker();
  const before = (await rig.sink.counts()).mails;
  const campaignIds = [];
  for (let campaign = 0; campaign < EACH; campaign++) {
    const id = await storeCampaign(workspaceId, { recipients: RECIPIENTS, mailboxIds: [mailboxId, ...others], delays });
    const { body } = await rest.post(`/campaigns/${id}/control`, { action: "launch" });
    if (body.launched !== true) throw new Error(`The campaign was not launched: ${JSON.stringify(body)}`);
    campaignIds.push(id);
  }
  const threadIds = [];
  for (let index = 0; index < CONVERSATIONS; index++) {
    const { threadId } = await conversationIn(workspaceId, mailboxId, {
      from: `person${index}@people.test`,
      before: "Do you?",
      ago: index,
    });
    if (index < EACH) threadIds.push(threadId);
  }
  const isSent = async () => (await rig.sink.counts()).mails >= before + EACH * RECIPIENTS;
  await until(isSent, { deadlineMs: 10 * MINUTE_MS, what: "the first mails of the campaigns" });
  const headers = { "X-Console": "1", "X-Workspace": workspaceId };
  return { get: (path) => browser.fetch(path, { headers }), campaignIds, threadIds };
}

/** Repeats a request as the page does, starting at a random time. Returns a function that ends this. */
function repeat(get: Get, { path, everyMs }: Poll, id: string, faults: string[]): () => void {
  const ask = async () => {
    const response = await get(path.replaceAll("{id}", id));
    const text = await response.text();
    if (!response.ok) faults.push(`${path}: ${response.status} ${text}`);
  };
  const note = (err: unknown) => faults.push(`${path}: ${String(err)}`);
  let timer = setTimeout(() => {
    ask().catch(note);
    timer = setInterval(() => ask().catch(note), everyMs);
  }, Math.random() * everyMs);
  return () => clearTimeout(timer);
}

async function shareOf({ api, mongod }: Rig): Promise<Share> {
  const [apiMs, databaseMs, began] = [await cpuMsOf(api.pid), await cpuMsOf(mongod.pid), performance.now()];
  await sleep(OPEN_MS);
  const tookMs = performance.now() - began;
  const share = (usedMs: number) => (100 * usedMs) / tookMs;
  return { api: share((await cpuMsOf(api.pid)) - apiMs), database: share((await cpuMsOf(mongod.pid)) - databaseMs) };
}

function percent(share: number): string {
  return `${share.toFixed(1)} %`;
}

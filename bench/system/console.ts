import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { readyCampaign } from "../../test/campaigns/campaign-parts.ts";
import { startChromium } from "../../test/console/chromium.ts";
import { conversationIn } from "../../test/console/inbox-parts.ts";
import { startServerHost } from "../../test/support/server-host.ts";
import { signedIn } from "../../test/support/signed-in.ts";
import { startWorld } from "../../test/support/world.ts";
import { type Measured, median, ms, type Row } from "../table.ts";
import { openPages, type Polls, pollsOf } from "./console-open.ts";

const VISITS = 7;
const SLOWDOWN = 4;
const GOALS = {
  shellKb: 115,
  pageKb: 15,
  cssKb: 12,
  paintMs: 1_000,
  interactionMs: 200,
  requests: 3,
  ofPoll: 1,
  buildMs: 5_000,
  buildMb: 400,
};

/** Measures the console: the size of its files, the cost of building it, and how soon it appears on a slow machine. */
export async function run(): Promise<Row> {
  const folder = join(await mkdtemp(join(tmpdir(), "console-bench-")), "build");
  const host = await startServerHost();
  try {
    const built = await buildInto(folder);
    process.env["TEST_SERVER_HOST"] = host.url;
    const { measured, ofCampaign, ofInbox } = await visits(folder);
    return {
      title: "The console",
      how: `A build of these sources; ${VISITS} first visits of the list of campaigns (nothing in the cache) in Chromium without a window, its processor slowed ${SLOWDOWN} times, service and browser on this machine; medians. What open pages cost: the requests that a campaign and an inbox with an open conversation repeat, in their first minute and in the four after it, in which nothing changed, were taken from the pages in that browser, then made at their intervals by four people without browsers, against API and database in processes of their own; less what both use without a page.`,
      measured: [...(await sizesIn(folder)), ...built, ...measured, ...(await openPages(ofCampaign, ofInbox))],
    };
  } finally {
    await host.stop();
    await rm(join(folder, ".."), { recursive: true, force: true });
  }
}

/** A script that prints the resources that a process used when it ends, on any operating system. */
const TELLING =
  "process.on('exit', () => process.stderr.write('used ' + JSON.stringify(process.resourceUsage()) + '\\n'));";

async function buildInto(folder: string): Promise<Measured[]> {
  const telling = join(folder, "..", "telling.js");
  await writeFile(telling, TELLING);
  const started = performance.now();
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ["--no-warnings", "--import", telling, "console/build.ts", folder],
    {
      env: { ...process.env, NODE_ENV: "production" },
    },
  );
  const tookMs = performance.now() - started;
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(/^used (.*)$/m.exec(stderr)?.[1] ?? "{}");
  return [
    under("build, cold, processor time", (userCPUTime + systemCPUTime) / 1_000, GOALS.buildMs, ms),
    under("build, cold, memory at its highest", maxRSS / 1_024, GOALS.buildMb, (size) => `${size.toFixed(0)} MB`),
    { what: "build, cold, from start to end", goal: "", measured: ms(tookMs), met: null },
  ];
}

async function sizesIn(folder: string): Promise<Measured[]> {
  const page = await readFile(join(folder, "index.html"), "utf8");
  const names = (await readdir(join(folder, "assets"))).filter((name) => /\.(?:js|css)$/.test(name));
  const sizes = new Map(
    await Promise.all(
      names.map(async (name) => [name, gzipSync(await readFile(join(folder, "assets", name))).length / 1_000] as const),
    ),
  );
  const of = (wanted: (name: string) => boolean) => [...sizes].filter(([name]) => wanted(name)).map(([, size]) => size);
  const sum = (all: number[]) => all.reduce((total, size) => total + size, 0);
  return [
    under("shell, gz", sum(of((name) => name.endsWith(".js") && page.includes(name))), GOALS.shellKb, kb),
    under(
      "the largest page, gz",
      Math.max(...of((name) => name.endsWith(".js") && !page.includes(name))),
      GOALS.pageKb,
      kb,
    ),
    under("CSS, gz", sum(of((name) => name.endsWith(".css"))), GOALS.cssKb, kb),
  ];
}

interface Visits {
  measured: Measured[];
  ofCampaign: Polls;
  ofInbox: Polls;
}

async function visits(folder: string): Promise<Visits> {
  const world = await startWorld({ temporal: true, console: { folders: () => [folder], state: () => "READY" } });
  const chromium = await startChromium();
  try {
    const person = await signedIn(world);
    const { campaignId, mailbox } = await readyCampaign(person.rest, person.workspaceId);
    const cookies = [...person.browser.cookies].map(([name, value]) => ({ name, value, url: world.baseUrl }));
    const taken: Visit[] = [];
    for (let visit = 0; visit < VISITS; visit++) {
      const { page, context } = await chromium.open();
      await context.addCookies(cookies);
      taken.push(await measure(page, context, `${world.baseUrl}/w/${person.workspaceId}/campaigns`, campaignId));
      await context.close();
    }
    const of = (read: (visit: Visit) => number) => median(taken.map(read));
    const { threadId } = await conversationIn(person.workspaceId, mailbox._id, {
      from: "ada@example.test",
      before: "Do you?",
    });
    const { context } = await chromium.open();
    await context.addCookies(cookies);
    const at = `${world.baseUrl}/w/${person.workspaceId}`;
    const [ofList, ofCampaign, ofInbox] = await Promise.all([
      pollsOf(context, `${at}/campaigns`, campaignId),
      pollsOf(context, `${at}/campaigns/${campaignId}`, campaignId),
      pollsOf(context, `${at}/inbox?open=${threadId}`, threadId),
    ]);
    const measured = [
      under(
        "first contentful paint, first visit",
        of(({ paintMs }) => paintMs),
        GOALS.paintMs,
        ms,
      ),
      under(
        "from a click on a campaign to its next frame",
        of(({ interactionMs }) => interactionMs),
        GOALS.interactionMs,
        ms,
      ),
      under(
        "API calls that the page itself makes",
        of(({ calls }) => calls),
        GOALS.requests,
        String,
      ),
      under(
        "API API calls of a poll of that page",
        ofList.first.filter(({ path }) => !OF_FRAME.test(path)).length,
        GOALS.ofPoll,
        String,
      ),
    ];
    return { measured, ofCampaign, ofInbox };
  } finally {
    await chromium.close();
    await world.close();
  }
}

interface Visit {
  paintMs: number;
  interactionMs: number;
  /** The number of requests, without those of the frame, which are made once per visit. */
  calls: number;
}

const OF_FRAME = /\/(?:session|workspace|readyz)$/;

async function measure(page: Page, context: BrowserContext, address: string, campaignId: string): Promise<Visit> {
  const slowed: CDPSession = await context.newCDPSession(page);
  await slowed.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  const requests: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/console/api/") && !OF_FRAME.test(pathname)) requests.push(pathname);
  });
  await page.addInitScript(
    "new PerformanceObserver((list) => { for (const one of list.getEntries()) globalThis.slowest = Math.max(globalThis.slowest ?? 0, one.duration); }).observe({ type: 'event', durationThreshold: 16, buffered: true });",
  );
  await page.goto(address);
  const link = page.locator(`a[href$="${campaignId}"]`);
  await link.waitFor();
  const calls = requests.length;
  const paintMs = Number(await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime"));
  await link.click();
  await page.getByRole("heading", { level: 1, name: "Spring" }).waitFor();
  // The browser reports an event only after the next frame is drawn
  await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 200)))");
  const interactionMs = Number(await page.evaluate("globalThis.slowest ?? 16"));
  return { paintMs, interactionMs, calls };
}

function kb(size: number): string {
  return `${size.toFixed(1)} kB`;
}

function under(what: string, value: number, goal: number, shown: (value: number) => string): Measured {
  return { what, goal: `at most ${shown(goal)}`, measured: shown(value), met: value <= goal };
}

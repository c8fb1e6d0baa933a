import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { readyCampaign } from "../test/campaigns/campaign-parts.ts";
import { startChromium } from "../test/console/chromium.ts";
import { startServerHost } from "../test/support/server-host.ts";
import { signedIn } from "../test/support/signed-in.ts";
import { startWorld } from "../test/support/world.ts";
import { type Measured, median, ms, type Row } from "./table.ts";

const VISITS = 7;
const SLOWDOWN = 4;
const GOALS = { shellKb: 115, pageKb: 15, cssKb: 12, paintMs: 1_000, interactionMs: 200, requests: 3, buildMs: 5_000 };

/** The built console: how large it is, what building costs, how soon it is there on a slow machine. */
export async function run(): Promise<Row> {
  const folder = join(await mkdtemp(join(tmpdir(), "console-bench-")), "build");
  const host = await startServerHost();
  try {
    const buildMs = await buildInto(folder);
    process.env["TEST_SERVER_HOST"] = host.url;
    return {
      title: "The console",
      how: `A build of these sources; ${VISITS} first visits of the list of campaigns (nothing in the cache) in Chromium without a window, its processor slowed ${SLOWDOWN} times, service and browser on this machine; medians.`,
      measured: [...(await sizesIn(folder)), under("build, cold", buildMs, GOALS.buildMs, ms), ...(await visits(folder))],
    };
  } finally {
    await host.stop();
    await rm(join(folder, ".."), { recursive: true, force: true });
  }
}

async function buildInto(folder: string): Promise<number> {
  const started = performance.now();
  await promisify(execFile)(process.execPath, ["--no-warnings", "console/build.ts", folder], {
    env: { ...process.env, NODE_ENV: "production" },
  });
  return performance.now() - started;
}

async function sizesIn(folder: string): Promise<Measured[]> {
  const page = await readFile(join(folder, "index.html"), "utf8");
  const names = (await readdir(join(folder, "assets"))).filter((name) => /\.(?:js|css)$/.test(name));
  const sizes = new Map(
    await Promise.all(names.map(async (name) => [name, gzipSync(await readFile(join(folder, "assets", name))).length / 1_000] as const)),
  );
  const of = (wanted: (name: string) => boolean) => [...sizes].filter(([name]) => wanted(name)).map(([, size]) => size);
  const sum = (all: number[]) => all.reduce((total, size) => total + size, 0);
  return [
    under("shell, gz", sum(of((name) => name.endsWith(".js") && page.includes(name))), GOALS.shellKb, kb),
    under("the largest page, gz", Math.max(...of((name) => name.endsWith(".js") && !page.includes(name))), GOALS.pageKb, kb),
    under("CSS, gz", sum(of((name) => name.endsWith(".css"))), GOALS.cssKb, kb),
  ];
}

async function visits(folder: string): Promise<Measured[]> {
  const world = await startWorld({ console: { folders: () => [folder], state: () => "READY" } });
  const chromium = await startChromium();
  try {
    const person = await signedIn(world);
    const { campaignId } = await readyCampaign(person.rest, person.workspaceId);
    const cookies = [...person.browser.cookies].map(([name, value]) => ({ name, value, url: world.baseUrl }));
    const taken: Visit[] = [];
    for (let visit = 0; visit < VISITS; visit++) {
      const { page, context } = await chromium.open();
      await context.addCookies(cookies);
      taken.push(await measure(page, context, `${world.baseUrl}/w/${person.workspaceId}/campaigns`, campaignId));
      await context.close();
    }
    const of = (read: (visit: Visit) => number) => median(taken.map(read));
    return [
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
        "calls of the interface that the page itself makes",
        of(({ calls }) => calls),
        GOALS.requests,
        String,
      ),
    ];
  } finally {
    await chromium.close();
    await world.close();
  }
}

interface Visit {
  paintMs: number;
  interactionMs: number;
  /** Those of the frame, which are made once in a visit, apart. */
  calls: number;
}

const OF_FRAME = /\/(?:session|workspace)$/;

async function measure(page: Page, context: BrowserContext, address: string, campaignId: string): Promise<Visit> {
  const slowed: CDPSession = await context.newCDPSession(page);
  await slowed.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/console/api/") && !OF_FRAME.test(pathname)) asked.push(pathname);
  });
  await page.addInitScript(
    "new PerformanceObserver((list) => { for (const one of list.getEntries()) globalThis.slowest = Math.max(globalThis.slowest ?? 0, one.duration); }).observe({ type: 'event', durationThreshold: 16, buffered: true });",
  );
  await page.goto(address);
  const link = page.locator(`a[href$="${campaignId}"]`);
  await link.waitFor();
  const calls = asked.length;
  const paintMs = Number(await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime"));
  await link.click();
  await page.getByRole("heading", { level: 1, name: "Spring" }).waitFor();
  // The browser tells of an event once its frame was drawn
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

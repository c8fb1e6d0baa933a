import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { PATIENCE_MS } from "../fakes/wait.ts";
import { findWholeWords } from "./whole-words.ts";

/** A real browser, and pages of it that keep the promises of every visit. */
export interface Chromium {
  /** A window of its own, with cookies of its own. */
  open(look?: Look): Promise<Visit>;
  close(): Promise<void>;
}

export interface Look {
  theme?: "light" | "dark";
  width?: number;
}

export interface Visit {
  page: Page;
  context: BrowserContext;
  /** Fails when axe finds anything on the page as it is now. */
  check(what: string): Promise<void>;
  /** The broken promises so far: violations of the policy, errors in the browser's console, pages that threw. */
  complaints: string[];
}

/**
 * Chromium from CHROMIUM_BIN, PATH, or the one that a package brings along. Throws an Error that says what was tried.
 */
export async function startChromium(): Promise<Chromium> {
  const { executablePath, args } = await findChromium();
  const isRoot = process.getuid?.() === 0;
  const browser = await chromium.launch({ executablePath, args: [...args, ...(isRoot ? ["--no-sandbox"] : [])] });
  return { open: (look) => openVisit(browser, look), close: () => browser.close() };
}

async function findChromium(): Promise<{ executablePath: string; args: string[] }> {
  const { CHROMIUM_BIN, PATH = "" } = process.env;
  if (CHROMIUM_BIN) return { executablePath: CHROMIUM_BIN, args: [] };
  for (const folder of PATH.split(delimiter)) {
    for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
      if (existsSync(join(folder, name))) return { executablePath: join(folder, name), args: [] };
    }
  }
  // Its libraries lie in the package too: it unpacks them where it believes itself on a bare machine
  process.env["AWS_LAMBDA_JS_RUNTIME"] ??= "nodejs22.x";
  const { default: packed } = await import("@sparticuz/chromium");
  // None of the package's own arguments is wanted: the single process of its usual place has one window at a time
  return { executablePath: await packed.executablePath(), args: ["--disable-gpu"] };
}

async function openVisit(browser: Browser, { theme = "light", width = 1280 }: Look = {}): Promise<Visit> {
  const context = await browser.newContext({
    colorScheme: theme,
    viewport: { width, height: 900 },
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  findWholeWords(page);
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !isExpected(message.text()))
      complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (err) => complaints.push(`thrown: ${err.message}`));
  return { page, context, complaints, check: (what) => checkPage(page, complaints, what) };
}

/** The browser itself reports each answer that is no success; what the page makes of it is what the tests look at. */
function isExpected(text: string): boolean {
  return /^Failed to load resource: the server responded with a status of (?:4\d\d|503)/.test(text);
}

/** The outermost elements that reach beyond the window of a page that is wider than it. */
const WIDER = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return "[]";
  const beyond = [...document.body.querySelectorAll("*")].filter((one) => one.getBoundingClientRect().right > clientWidth + 1);
  return JSON.stringify(beyond.filter((one) => !beyond.includes(one.parentElement)).map((one) => one.outerHTML.slice(0, 120)));
})()`;

/** The content of a list's cells that does not fit: it would be cut off, or lie over the next cell. */
const CUT_OFF = `JSON.stringify([...document.querySelectorAll("main tbody :is(td, th[scope=row]):not(.choose)")]
  .filter((cell) => cell.scrollWidth > cell.clientWidth + 1)
  .map((cell) => cell.outerHTML.slice(0, 160)))`;

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const axe = readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/**
 * Axe is put into the page by the debugger, which the content policy does not bind. It is not in the frames of emails, so
 * it must not ask them: the browser complains about a message to a frame without an origin.
 */
async function checkPage(page: Page, complaints: string[], what: string): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send("Runtime.evaluate", { expression: await axe });
  const run = `axe.run(document, { iframes: false, runOnly: ${JSON.stringify(RULES)} }).then((found) => JSON.stringify(found.violations.map((one) => one.id + ": " + one.nodes.map((node) => node.html.slice(0, 160) + " " + (node.failureSummary ?? "")).join(" | "))))`;
  const { result } = await client.send("Runtime.evaluate", {
    expression: run,
    awaitPromise: true,
    returnByValue: true,
  });
  await client.detach();
  const findings: string[] = JSON.parse(String(result.value));
  const wide: string[] = JSON.parse(String(await page.evaluate(WIDER)));
  const cut: string[] = JSON.parse(String(await page.evaluate(CUT_OFF)));
  const named = [
    ...wide.map((name) => `wider than the window: ${name}`),
    ...cut.map((name) => `does not fit its cell: ${name}`),
  ];
  const all = [...complaints, ...findings, ...named];
  if (all.length > 0) throw new Error(`${what}:\n${all.join("\n")}`);
}

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import puppeteer, { type Page } from "puppeteer-core";

/** A window of Firefox, whose pages keep the promises of every visit that another engine can break. */
export interface FirefoxVisit {
  page: Page;
  /** Fails on a violation of the content policy, an error of the page, or a page that is wider than the window. */
  check(what: string): Promise<void>;
  close(): Promise<void>;
}

/** How long a page may take for one thing on a busy machine. */
const WAIT_MS = 30_000;
const WINDOW = { width: 1280, height: 900 };

/** Firefox from FIREFOX_BIN or PATH; null without one. No package brings it along. */
export function findFirefox(): string | null {
  const { FIREFOX_BIN, PATH = "" } = process.env;
  if (FIREFOX_BIN) return FIREFOX_BIN;
  const names = ["firefox-esr", "firefox"];
  return (
    PATH.split(delimiter)
      .flatMap((folder) => names.map((name) => join(folder, name)))
      .find((path) => existsSync(path)) ?? null
  );
}

/** Driven by WebDriver BiDi, as any Firefox that is installed can be. */
export async function openFirefox(executablePath: string): Promise<FirefoxVisit> {
  const browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true, defaultViewport: WINDOW });
  const page = await browser.newPage();
  page.setDefaultTimeout(WAIT_MS);
  const complaints = complaintsOf(page);
  return { page, check: (what) => checkPage(page, complaints, what), close: () => browser.close() };
}

/** Firefox tells of a violation of the policy as of a page that threw. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  const note = (text: string) => {
    if (!isExpected(text)) complaints.push(text);
  };
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) note(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (err) => note(`thrown: ${err instanceof Error ? err.message : String(err)}`));
  return complaints;
}

/** Firefox asks every page for an icon, also where none is named, and the policy of the pages without one refuses it. */
function isExpected(text: string): boolean {
  return text.includes("Content-Security-Policy") && text.includes("/favicon.ico");
}

async function checkPage(page: Page, complaints: string[], what: string): Promise<void> {
  const beyond = Number(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"));
  const all = [...complaints, ...(beyond > 0 ? [`wider than the window by ${beyond} px`] : [])];
  if (all.length > 0) throw new Error(`${what}:\n${all.join("\n")}`);
}

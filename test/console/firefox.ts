import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import { until } from "../fakes/wait.ts";
import { type Bidi, connectBidi } from "./webdriver-bidi.ts";

/** A window of Firefox, whose pages keep the promises of every visit that another engine can break. */
export interface FirefoxVisit {
  goto(url: string): Promise<void>;
  /**
   * Waits for the first element of this role, by the name that the browser itself computes; `text` finds a part of a
   * text.
   */
  see(role: Role, name: string): Promise<void>;
  press(role: Role, name: string): Promise<void>;
  /** Types into the field with this label. */
  fill(label: string, text: string): Promise<void>;
  /** Fails on a violation of the content policy, an error of the page, or a page that is wider than the window. */
  check(what: string): Promise<void>;
  close(): Promise<void>;
}

type Role = "button" | "heading" | "link" | "text";

/** How long a page may take for one thing on a busy machine. */
const WAIT = { deadlineMs: 30_000 };
const WINDOW = { width: 1280, height: 900 };
/** How many characters of the page an error shows when the page lacks something. */
const SHOWN = 2_000;
const BEYOND = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
/** Without a focusable element that is enabled, a click would be lost. */
const READY =
  "(node) => { node.scrollIntoView({ block: 'center' }); return !node.disabled && node.getClientRects().length > 0; }";

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

/**
 * Driven by WebDriver BiDi itself, as any Firefox that is installed can be. Playwright, which drives Chromium here,
 * uses commands that only newer ones know.
 */
export async function openFirefox(program: string): Promise<FirefoxVisit> {
  const profile = await mkdtemp(join(tmpdir(), "outreach-firefox-"));
  const child = spawn(program, ["--headless", "--remote-debugging-port=0", "--profile", profile], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(child, "exit");
  const bidi = await connectBidi(`${await addressIn(createInterface({ input: child.stderr }))}/session`);
  await bidi.send("session.new", { capabilities: {} });
  await bidi.send("session.subscribe", { events: ["log.entryAdded"] });
  const { contexts } = Tree.parse(await bidi.send("browsingContext.getTree", {}));
  const context = contexts[0]?.context ?? "";
  await bidi.send("browsingContext.setViewport", { context, viewport: WINDOW });
  return {
    ...pageOf(bidi, context),
    async close() {
      await bidi.send("browser.close", {});
      await ended;
      await rm(profile, { recursive: true, force: true });
    },
  };
}

async function addressIn(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error("Firefox ended without an address for WebDriver BiDi");
}

function pageOf(bidi: Bidi, context: string): Omit<FirefoxVisit, "close"> {
  const complaints: string[] = [];
  bidi.on("log.entryAdded", (params) => {
    const { level, text } = Entry.parse(params);
    if (["error", "warn"].includes(level) && !isExpected(String(text))) complaints.push(`${level}: ${text}`);
  });
  const evaluate = async (expression: string) => {
    const asked = { expression, target: { context }, awaitPromise: true };
    return Evaluated.parse(await bidi.send("script.evaluate", asked)).result.value;
  };
  const call = async (functionDeclaration: string, sharedId: string) => {
    const asked = { functionDeclaration, target: { context }, arguments: [{ sharedId }], awaitPromise: true };
    return Evaluated.parse(await bidi.send("script.callFunction", asked)).result.value;
  };
  const find = async (locator: object, what: string): Promise<string> => {
    const look = async () => {
      // An element may go between the two questions
      const { nodes } = Located.parse(await bidi.send("browsingContext.locateNodes", { context, locator }));
      for (const { sharedId } of nodes) if ((await call(READY, sharedId).catch(() => false)) === true) return sharedId;
      return "";
    };
    return until(look, { ...WAIT, what }).catch(async (err: unknown) => {
      const shown = String(await evaluate("document.body.innerText")).slice(0, SHOWN);
      throw new Error(`${String(err)}; the page says ${shown}`, { cause: err });
    });
  };
  const act = (type: string, actions: object[]) =>
    bidi.send("input.performActions", { context, actions: [{ type, id: type, actions }] });
  const click = async (sharedId: string) => {
    const to = { type: "pointerMove", x: 0, y: 0, origin: { type: "element", element: { sharedId } } };
    await act("pointer", [to, { type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }]);
  };
  const byRole = (role: Role, name: string) => find(locatorOf(role, name), `${role} ${name}`);
  return {
    async goto(url) {
      await bidi.send("browsingContext.navigate", { context, url, wait: "complete" });
    },
    async see(role, name) {
      await byRole(role, name);
    },
    press: async (role, name) => click(await byRole(role, name)),
    async fill(label, text) {
      await click(await find({ type: "accessibility", value: { name: label } }, label));
      // Replaces what the page has guessed
      await evaluate("document.activeElement.select()");
      await act(
        "key",
        [...text].flatMap((value) => ["keyDown", "keyUp"].map((type) => ({ type, value }))),
      );
    },
    async check(what) {
      const beyond = Number(await evaluate(BEYOND));
      const all = [...complaints, ...(beyond > 0 ? [`wider than the window by ${beyond} px`] : [])];
      if (all.length > 0) throw new Error(`${what}:\n${all.join("\n")}`);
    },
  };
}

function locatorOf(role: Role, name: string): object {
  if (role !== "text") return { type: "accessibility", value: { role, name } };
  const has = `contains(normalize-space(.), "${name}")`;
  return { type: "xpath", value: `//body//*[${has} and not(*[${has}])]` };
}

/**
 * Firefox asks every page for an icon, also where none is named, and the policy of the pages without one refuses it.
 */
function isExpected(text: string): boolean {
  return text.includes("Content-Security-Policy") && text.includes("/favicon.ico");
}

const Tree = z.object({ contexts: z.array(z.object({ context: z.string() })) });
const Located = z.object({ nodes: z.array(z.object({ sharedId: z.string() })) });
const Evaluated = z.object({ result: z.object({ value: z.unknown().optional() }) });
const Entry = z.object({ level: z.string(), text: z.string().nullable() });

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { newBrowser } from "../support/person.ts";
import { signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";

const PAGE =
  '<!doctype html><meta name="prefix" content="__PREFIX__"><script type="module" src="./assets/main-1.js"></script>';

let world: World;
let root: string;
/** The state of the build, as the code that puts the process together would report it. */
const now = { folders: [] as string[], state: "READY" as "READY" | "BUILDING" | "ABSENT" };

async function newBuild(name: string, script: string): Promise<string> {
  const folder = join(root, name);
  await mkdir(join(folder, "assets"), { recursive: true });
  await writeFile(join(folder, "index.html"), PAGE);
  await writeFile(join(folder, "key"), "secret-of-the-folder");
  await writeFile(join(folder, "assets", `${script}.js`), `console.log("${script}")`);
  await writeFile(join(folder, "assets", `${script}.js.br`), brotliCompressSync(`console.log("${script}")`));
  return folder;
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "console-pages-"));
  now.folders = [await newBuild("new", "main-2"), await newBuild("old", "main-1")];
  world = await startWorld({ console: { folders: () => now.folders, state: () => now.state } });
});
afterAll(async () => {
  await world?.close();
  await rm(root, { recursive: true, force: true });
});

const HTML = { Accept: "text/html" };

test("every address of the console serves one page, which loads only its own files and never runs a text as a script", async () => {
  const { browser, workspaceId } = await signedIn(world);
  for (const path of [`/w/${workspaceId}`, `/w/${workspaceId}/campaigns/cmp_1?status=PENDING`, "/w", "/"]) {
    const answer = await browser.fetch(path, { headers: HTML });
    expect([path, answer.status]).toEqual([path, 200]);
    expect(await answer.text()).toBe(PAGE.replace("__PREFIX__", "").replace("./assets/", "/console/assets/"));
    const policy = answer.headers.get("content-security-policy");
    expect(policy).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(answer.headers.get("strict-transport-security")).toBeNull();
    expect(answer.headers.get("cache-control")).toBe("private, no-cache");
  }
});

test("the console page is served without a session, sign-in returns only to our own paths, and JSON requests are answered as before", async () => {
  const stranger = newBrowser(world.baseUrl);
  const page = await stranger.fetch("/w/wsp_1/campaigns?page=2", { headers: HTML });
  expect([page.status, page.headers.get("location"), page.headers.getSetCookie()]).toEqual([200, null, []]);
  expect(await page.text()).toBe(PAGE.replace("__PREFIX__", "").replace("./assets/", "/console/assets/"));
  expect(await (await stranger.fetch("/", { headers: HTML })).text()).toContain("Sign in</a>");
  const { browser } = await signedIn(world);
  expect(await (await browser.fetch("/", { headers: { Accept: "application/json" } })).json()).toMatchObject({
    name: "Outreach",
  });
  const old = newBrowser(world.baseUrl);
  old.cookies.set("outreach", "the session of another year");
  expect(await (await old.fetch("/", { headers: HTML })).text()).toContain("prefix");
  expect(await (await old.fetch("/login?returnTo=/w", { headers: HTML })).text()).toContain("Sign in</button>");
  const known = await browser.fetch("/login?returnTo=/w/wsp_1", { headers: HTML });
  expect([known.status, known.headers.get("location")]).toEqual([303, "/w/wsp_1"]);
  for (const elsewhere of ["//evil.test", "https://evil.test/x", "/\\evil.test", "/.//evil.test", "/w/..//evil.test"]) {
    const kept = await browser.fetch(`/login?returnTo=${encodeURIComponent(elsewhere)}`, { headers: HTML });
    expect(kept.headers.get("location")).toBe("/");
  }
});

test("a bundle file of the current or previous build is compressed and cached permanently, and no other file is served", async () => {
  const browser = newBrowser(world.baseUrl);
  for (const name of ["main-2", "main-1"]) {
    const answer = await browser.fetch(`/console/assets/${name}.js`, { headers: { "Accept-Encoding": "identity" } });
    expect(await answer.text()).toBe(`console.log("${name}")`);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(answer.headers.get("vary")).toContain("Accept-Encoding");
  }
  const packed = await browser.fetch("/console/assets/main-2.js", { headers: { "Accept-Encoding": "br, gzip" } });
  expect(packed.headers.get("content-encoding")).toBe("br");
  expect(await packed.text()).toBe('console.log("main-2")');
  for (const path of [
    "..%2Fkey",
    "..%2Findex.html",
    ".%2e%2Fkey",
    "%2e%2e%5Ckey",
    "main-3.js",
    "key",
    ".js",
    "main-2.js.br",
    "main-2.js%00.js",
  ]) {
    const answer = await browser.fetch(`/console/assets/${path}`);
    expect([path, [400, 404].includes(answer.status)]).toEqual([path, true]);
    expect(await answer.text()).not.toContain("secret-of-the-folder");
  }
});

test("while the console is being built its page announces the build and reloads; without a build the page names the command that builds the console", async () => {
  const { browser, workspaceId } = await signedIn(world);
  const { folders } = now;
  now.folders = [];
  try {
    now.state = "BUILDING";
    const building = await browser.fetch(`/w/${workspaceId}`, { headers: HTML });
    expect([building.status, building.headers.get("refresh"), building.headers.get("retry-after")]).toEqual([
      503,
      "2",
      "2",
    ]);
    expect(await building.text()).toContain("Nearly there");
    now.state = "ABSENT";
    const absent = await browser.fetch("/", { headers: HTML });
    expect([absent.status, absent.headers.get("refresh")]).toEqual([503, null]);
    expect(await absent.text()).toContain("npm run console:build");
    expect((await browser.console(workspaceId).get("/whoami")).status).toBe(200);
  } finally {
    Object.assign(now, { folders, state: "READY" });
  }
});

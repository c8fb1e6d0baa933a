import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { oauthOf } from "../../api/oauth/mount.ts";
import type { Mongod } from "../../embedded/mongod.ts";
import { newBrowser } from "../support/person.ts";
import { throwAwayMongod } from "../support/server-host.ts";
import { signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";

const SHELL = '<!doctype html><meta name="prefix" content="__PREFIX__"><title>The console</title>';
const HTML = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

let folder: string;
let mongod: Mongod;
let world: World;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "outreach-console-away-"));
  const build = join(folder, "build");
  await mkdir(build);
  await writeFile(join(build, "index.html"), SHELL);
  mongod = await throwAwayMongod(folder);
  world = await startWorld({
    mongodbUri: mongod.uri,
    console: { folders: () => [build], state: () => "READY" },
    also: (services) => [oauthOf(services, { egress: () => Promise.reject(new Error("No way outside")) })],
  });
}, 60_000);
afterAll(async () => {
  await world?.close();
  await mongod?.stop();
  await rm(folder, { recursive: true, force: true });
});

test("while MongoDB is unreachable the console is served as usual, and every other address gives a browser a page", async () => {
  const { browser, workspaceId } = await signedIn(world);
  process.kill(mongod.pid, "SIGKILL");
  for (const path of [`/w/${workspaceId}/system`, "/w/wsp_of_nobody/campaigns?page=2", "/w", "/"]) {
    const answer = await browser.fetch(path, { headers: HTML });
    expect([path, answer.status]).toEqual([path, 200]);
    expect(await answer.text()).toContain("<title>The console</title>");
  }
  const read = [
    "/login",
    "/login?returnTo=/w",
    "/logout",
    "/sign-in/some-token",
    "/login/second-factor",
    "/connect/undo/some-token",
    "/exports/x",
  ];
  const addresses = [
    ...read,
    ...["/files/x", "/api/v1/campaigns", "/console/api/v1/session", "/mailboxes/oauth/callback?state=x&code=y"],
    "/oauth/authorize?client_id=c&redirect_uri=https://a.example/&response_type=code",
  ];
  // A session that was found a second ago is not looked for again
  const other = newBrowser(world.baseUrl);
  other.cookies.set("outreach", "a session of which nothing is known yet");
  const answers = await Promise.all(
    addresses.map(async (path) => {
      const answer = await other.fetch(path, { headers: HTML });
      return {
        path,
        status: answer.status,
        type: answer.headers.get("content-type"),
        answer,
        text: await answer.text(),
      };
    }),
  );
  const away = answers.filter(({ status }) => status === 503);
  expect(away.map(({ path }) => path)).toEqual(expect.arrayContaining(["/login", "/sign-in/some-token"]));
  for (const { path, type, text, answer } of away) {
    expect([path, type]).toEqual([path, "text/html; charset=utf-8"]);
    expect([path, text]).toEqual([path, expect.stringContaining("The database is not responding. Retrying...")]);
    expect([path, answer.headers.get("refresh"), answer.headers.get("retry-after")]).toEqual([
      path,
      "5",
      expect.any(String),
    ]);
  }
  const stranger = newBrowser(world.baseUrl);
  await stranger.open("/login");
  await stranger.submit({ email: "ada@acme.test", password: "a long password" });
  expect([stranger.page.status, stranger.page.headers.get("refresh")]).toEqual([503, null]);
  expect(stranger.page.html).toContain('value="ada@acme.test"');
  expect(stranger.page.html).not.toContain("a long password");
  const posted = await stranger.fetch("/sign-in/some-token", {
    method: "POST",
    headers: HTML,
    body: new URLSearchParams({ password: "x" }),
  });
  expect([posted.status, posted.headers.get("refresh")]).toEqual([503, null]);
  expect(await posted.text()).toContain("Nothing was saved.");
  // Programs read JSON, whichever door they came by
  const program = await other.console(null).get("/session");
  expect([program.status, program.body.code, program.body.details.away]).toEqual([
    503,
    "SERVICE_UNAVAILABLE",
    "DATABASE",
  ]);
}, 60_000);

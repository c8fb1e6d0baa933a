import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { z } from "zod";
import { asAppError } from "../../api/errors.ts";
import { oauthOf } from "../../api/oauth/mount.ts";
import { signToken } from "../../domain/access/tokens.ts";
import type { Mongod } from "../../embedded/mongod.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import type { Route } from "../../operations/declaration.ts";
import { operation } from "../../operations/operation.ts";
import { post, rpc } from "../support/mcp.ts";
import { throwAwayMongod } from "../support/server-host.ts";
import { startWorld, type World } from "../support/world.ts";

const create = operation({
  summary: "Add one",
  scope: "leads:write",
  input: z.strictObject({}),
  output: z.unknown(),
  async run({ workspaceId }) {
    await scoped(workspaceId).LeadList.insert({ _id: newId("lst"), name: "a" });
    return {};
  },
});
const move = operation({
  ...create,
  summary: "Add one in a transaction",
  run: (ctx) => inTransaction(() => create.run(ctx, {})),
});
const read = operation({ ...create, summary: "Read", run: ({ workspaceId }) => scoped(workspaceId).LeadList.find() });
const routes: Route[] = [
  ["post", "/things", create, 201],
  ["post", "/moves", move],
  ["get", "/things", read],
];

let folder: string;
let mongod: Mongod;
let world: World;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "outreach-away-"));
  mongod = await throwAwayMongod(folder);
  const egress = () => Promise.reject(new Error("No way outside"));
  world = await startWorld({ mongodbUri: mongod.uri, routes, also: (services) => [oauthOf(services, { egress })] });
});
afterAll(async () => {
  await world.close();
  await mongod.stop();
  await rm(folder, { recursive: true, force: true });
});

/** An email with a link that feeds conversions and one that does not. */
async function mailed(workspaceId: string): Promise<{ pixel: string; links: string[] }> {
  const sendId = newId("snd");
  const links = [false, true].map((converts) => ({ url: `https://shop.test/?converts=${converts}`, converts }));
  await scoped(workspaceId).Send.insert({
    _id: sendId,
    to: "a@b.test",
    state: "SENT",
    tracking: { opens: true, clicks: true, links },
  });
  const { signing } = world.services;
  return {
    pixel: `${world.baseUrl}/t/o/${signToken(signing, "o", sendId)}`,
    links: links.map((_link, index) => `${world.baseUrl}/t/c/${signToken(signing, "c", sendId, index)}`),
  };
}

test("without MongoDB calls answer 503 with Retry-After instead of hanging, known tracked links still redirect, and readiness reports unready", async () => {
  const { rest, key, workspaceId } = await world.workspace();
  const [known, unknown] = [await mailed(workspaceId), await mailed(workspaceId)];
  const follow = (url: string) => fetch(url, { redirect: "manual", headers: { "Accept-Language": "fr" } });
  expect((await follow(known.links[0] ?? "")).status).toBe(302);
  const stranger = (await world.workspace()).key;
  expect((await rest.post("/things", {})).status).toBe(201);
  process.kill(mongod.pid, "SIGKILL");
  const asked = [
    rest.post("/things", {}),
    rest.post("/things", {}, { "Idempotency-Key": "k" }),
    rest.post("/moves", {}),
    rest.get("/things"),
  ];
  const application = [
    fetch(`${world.baseUrl}/oauth/token`, {
      method: "POST",
      body: new URLSearchParams({ client_id: "c", grant_type: "refresh_token", refresh_token: "r" }),
    }),
    fetch(`${world.baseUrl}/oauth/revoke`, {
      method: "POST",
      body: new URLSearchParams({ client_id: "c", token: "r" }),
    }),
  ];
  const pages = [
    "/sign-in/token",
    "/oauth/authorize?client_id=c&redirect_uri=https://a.example/&response_type=code",
  ].map((path) => fetch(world.baseUrl + path));
  const followed = Promise.all([...known.links, known.pixel, ...unknown.links, unknown.pixel].map(follow));
  const search = rpc("tools/call", { name: "leads_search", arguments: {} });
  const tools = [key, stranger].map((credential) => post(world, credential, search));
  const started = performance.now();
  for (const { status, body, headers } of await Promise.all(asked)) {
    expect([status, body.code]).toEqual([503, "SERVICE_UNAVAILABLE"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(body.message).not.toMatch(/mongo|ECONN|127/i);
  }
  for (const answer of await Promise.all(application)) {
    expect({ at: answer.url, status: answer.status }).toEqual({ at: answer.url, status: 503 });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await answer.text()).toMatch(/temporarily_unavailable|try again/);
  }
  for (const page of await Promise.all(pages)) {
    expect([page.url, page.status]).toEqual([page.url, 503]);
    expect(Number(page.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await page.text()).toContain("The database is not responding");
  }
  // A known link leads on, even if its click cannot be stored; no one knows where an unknown link leads
  const [plain, converts, ...others] = await followed;
  expect([plain, converts].map((answer) => [answer?.status, answer?.headers.get("location")])).toEqual([
    [302, "https://shop.test/?converts=false"],
    [302, "https://shop.test/?converts=true"],
  ]);
  expect(others.map(({ status, headers }) => [status, headers.get("retry-after")])).toEqual([
    [200, null],
    [503, "5"],
    [503, "5"],
    [200, null],
  ]);
  expect(await others[1]?.text()).toContain("Veuillez réessayer");
  for (const answer of await Promise.all(tools)) {
    // A caller whose key was checked a moment ago gets as far as the tool
    const body: unknown = await answer.json();
    const told = JSON.stringify(body);
    expect([200, 503]).toContain(answer.status);
    expect(told).toContain("SERVICE_UNAVAILABLE");
    expect(body).toMatchObject(answer.status === 200 ? { result: { isError: true } } : { error: { code: -32603 } });
    // The id of a trace is random and may contain any digits
    expect(told.replace(/traceId[\\":]+[0-9a-f-]{36}/, "")).not.toMatch(/mongo|ECONN|127/i);
  }
  expect(performance.now() - started).toBeLessThan(40_000); // 4 s and a bit; never a hang, whatever else the machine does
  expect((await fetch(`${world.baseUrl}/healthz`)).status).toBe(200);
  const ready = await fetch(`${world.baseUrl}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({ status: "unready", mongodb: "down" });
});

test("a broken connection that the driver reports as a plain error is also answered with 503 SERVICE_UNAVAILABLE", async () => {
  const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const socket = connect(typeof address === "object" && address !== null ? address.port : 0, "127.0.0.1").on(
    "error",
    () => {},
  );
  await once(socket.resume(), "end");
  const cut = await new Promise((resolve) => socket.write("x", resolve));
  expect(cut).toMatchObject({ code: "EPIPE" });
  expect(asAppError(cut)).toMatchObject({ status: 503, code: "SERVICE_UNAVAILABLE" });
  server.close();
});

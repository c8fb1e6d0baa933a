import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { ApiKey } from "../../models/access/api-key.ts";
import { createKey, revokeKey, verifyApiKey } from "../../operations/access/api-keys.ts";
import { restOf } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ limits: { perSession: 1_000, perCredential: 5 }, settings: { trustProxy: 1 } });
});
afterAll(() => world.close());

const refused = { code: "UNAUTHENTICATED" };

test("an API key has a form that secret scanners recognise, and only its digest is stored", async () => {
  const { key, workspaceId } = await world.workspace("leads:read");
  expect(key).toMatch(/^ocp_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/);
  const [row] = await ApiKey.find({ workspaceId }).lean();
  const secret = key.slice(22, 54);
  expect(JSON.stringify(row)).not.toContain(secret);
  expect(row?.secretHash).toMatch(/^[0-9a-f]{64}$/);
});

test("a key with any changed character is refused", async () => {
  const { key } = await world.workspace();
  for (let at = 0; at < key.length; at++) {
    const changed = key.slice(0, at) + (key[at] === "x" ? "y" : "x") + key.slice(at + 1);
    await expect(verifyApiKey(changed, new Date())).rejects.toMatchObject(refused);
  }
});

test("a revoked key stops working at once in this process, and within a second in others", async () => {
  const { key, rest, workspaceId } = await world.workspace();
  const { credentialId } = (await rest.get("/whoami")).body;
  await ApiKey.updateOne({ _id: credentialId }, { $set: { revokedAt: new Date() } });
  await expect(verifyApiKey(key, new Date(Date.now() + 1_001))).rejects.toMatchObject(refused);
  const other = await world.workspace();
  const id = (await other.rest.get("/whoami")).body.credentialId;
  await revokeKey(workspaceId, id, new Date());
  expect((await other.rest.get("/whoami")).status).toBe(200);
  await revokeKey(other.workspaceId, id, new Date());
  expect(await other.rest.get("/whoami")).toMatchObject({ status: 401, body: refused });
});

test("a key is refused from its expiry on, even if the process has cached the key", async () => {
  const { workspaceId, ownerId } = await world.workspace();
  const now = new Date();
  const expiresAt = new Date(now.getTime() + 500);
  const { key } = await createKey({ workspaceId, name: "short", scopes: [], createdBy: ownerId, expiresAt });
  expect(await verifyApiKey(key, now)).toMatchObject({ workspaceId, name: "short" });
  await expect(verifyApiKey(key, expiresAt)).rejects.toMatchObject(refused);
});

test("the last use of a key is recorded at most once a minute", async () => {
  const { key, workspaceId } = await world.workspace();
  const noted = async () => (await ApiKey.findOne({ workspaceId }).lean())?.lastUsedAt?.getTime() ?? null;
  const until = async (expected: number) => {
    for (let tries = 0; (await noted()) !== expected && tries < 200; tries++)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await noted()).toBe(expected);
  };
  const start = Date.now();
  await verifyApiKey(key, new Date(start));
  await until(start);
  await verifyApiKey(key, new Date(start + 59_000));
  await verifyApiKey(key, new Date(start + 61_000));
  await until(start + 61_000);
});

test("responses show the rate limit, and a credential above its limit gets 429 with the seconds to wait", async () => {
  const { rest, withScopes } = await world.workspace();
  const first = await rest.get("/whoami");
  expect([first.headers.get("ratelimit-limit"), first.headers.get("ratelimit-remaining")]).toEqual(["5", "4"]);
  expect(Number(first.headers.get("ratelimit-reset"))).toBeGreaterThan(0);
  for (let calls = 1; calls < 5; calls++) expect((await rest.get("/whoami")).status).toBe(200);
  const last = await rest.get("/whoami");
  expect(last).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
  expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await (await withScopes()).get("/whoami")).status).toBe(200);
});

test("an address that sends many wrong credentials gets 429, but not for missing or valid credentials", async () => {
  const { rest } = await world.workspace();
  const from = { "X-Forwarded-For": "203.0.113.21" };
  const wrong = restOf(`${world.baseUrl}/api/v1`, "ocp_live_wrong");
  const answers = await Promise.all(Array.from({ length: 310 }, () => wrong.get("/whoami", from)));
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(300);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(10);
  expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await restOf(`${world.baseUrl}/api/v1`, null).get("/whoami", from)).status).toBe(401);
  expect((await rest.get("/whoami", from)).status).toBe(200);
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { programEnv, readConfig } from "../../config.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { startMongod } from "../../embedded/mongod.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { createKey } from "../../operations/access/api-keys.ts";
import { verifyChain } from "../../store/audit-chain.ts";
import { command, on, type Said } from "../support/command.ts";
import { type Rest, restOf } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ apart: true });
});
afterAll(() => world.close());

const lastLine = ({ out }: Said) => out.trimEnd().split("\n").at(-1) ?? "";
const rowsOf = ({ out }: Said) =>
  out
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t"));
const deeds = async (workspaceId: string) =>
  (await scoped(workspaceId).AuditEntry.find({}, { sort: { seq: 1 } })).map(({ action, outcome, target, actor }) => ({
    action,
    outcome,
    target,
    actor,
  }));

/** The start of the last request that was let in, with requests made one right after the other. */
async function lastPass(rest: Rest): Promise<number> {
  const end = Date.now() + 20_000;
  for (let [began, last] = [Date.now(), 0]; ; [began, last] = [Date.now(), began]) {
    if (began > end || (await rest.get("/whoami")).status !== 200) return last;
  }
}

test("key-list shows the keys of all workspaces or of one, reveals no secret, and is audited in each workspace", async () => {
  const [first, second] = [await world.workspace("leads:read"), await world.workspace()];
  const expiresAt = new Date(Date.now() + DAY_MS);
  const { id, key } = await createKey({
    workspaceId: first.workspaceId,
    name: "tab\there",
    scopes: ["leads:read", "leads:write"],
    createdBy: first.ownerId,
    expiresAt,
  });
  const all = await command(on(world), "key-list", []);
  expect(all).toMatchObject({ code: 0, err: "" });
  expect(all.out.split("\n")[0]?.split("\t")).toEqual([
    "id",
    "workspace",
    "name",
    "scopes",
    "created",
    "expires",
    "last used",
    "revoked",
  ]);
  expect(new Set(rowsOf(all).map(([, workspace]) => workspace))).toEqual(
    new Set([first.workspaceId, second.workspaceId]),
  );
  const ours = await command(on(world), "key-list", ["--workspace", first.workspaceId]);
  expect(rowsOf(ours)).toHaveLength(2);
  expect(rowsOf(ours)[1]).toEqual([
    id,
    first.workspaceId,
    '"tab\\there"',
    "leads:read,leads:write",
    expect.stringMatching(/^\d{4}-.*Z$/),
    expiresAt.toISOString(),
    "never",
    "never",
  ]);
  for (const { out } of [all, ours]) expect(out).not.toMatch(/ocp_|[0-9a-f]{64}/);
  expect(all.out).not.toContain(key.slice(9, 21));
  const owner = { kind: "CONSOLE", id: first.ownerId };
  expect((await deeds(first.workspaceId)).filter(({ action }) => action === "keys.list")).toEqual([
    { action: "keys.list", outcome: "DONE", target: {}, actor: owner },
    { action: "keys.list", outcome: "DONE", target: {}, actor: owner },
  ]);
  expect((await deeds(second.workspaceId)).filter(({ action }) => action === "keys.list")).toHaveLength(1);
  const unknown = newId("wsp");
  expect(await command(on(world), "key-list", ["--workspace", unknown])).toMatchObject({
    code: 1,
    out: "",
    err: `There is no workspace ${unknown}\n`,
  });
}, 60_000);

test("a key that key-revoke revokes is refused within a second, and a second revocation changes nothing and leaves no further audit entry", async () => {
  const { rest, workspaceId, ownerId } = await world.workspace();
  const { credentialId } = (await rest.get("/whoami")).body;
  const [said, last] = await Promise.all([
    command(on(world), "key-revoke", ["--id", credentialId]).then((done) => ({ ...done, at: Date.now() })),
    lastPass(rest),
  ]);
  expect(said).toMatchObject({ code: 0, out: expect.stringMatching(new RegExp(`(^|\\n)${credentialId}\\n$`)) });
  expect(last - said.at).toBeLessThanOrEqual(1_000);
  expect(await command(on(world), "key-revoke", ["--id", credentialId])).toMatchObject({ code: 0, out: said.out });
  const revocations = (await deeds(workspaceId)).filter(({ action }) => action === "keys.revoke");
  expect(revocations).toEqual([
    { action: "keys.revoke", outcome: "DONE", target: { id: credentialId }, actor: { kind: "CONSOLE", id: ownerId } },
  ]);
  expect((await verifyChain(workspaceId)).brokenAt).toBeNull();
}, 60_000);

test("key-revoke reports an unknown id and a missing id", async () => {
  const unknown = newId("key");
  expect(await command(on(world), "key-revoke", ["--id", unknown])).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringContaining(`There is no key ${unknown}`),
  });
  expect(await command(on(world), "key-revoke", [])).toMatchObject({
    code: 1,
    err: expect.stringContaining("usage: npm run key:revoke -- --id"),
  });
}, 60_000);

test("key-create prints the new key as the only output, and its id and expiry as messages", async () => {
  const { workspaceId } = await world.workspace();
  const lasting = await command(on(world), "key-create", ["--workspace", workspaceId, "--scopes", "leads:read"]);
  expect([lasting.code, lasting.out, lasting.err]).toEqual([
    0,
    expect.stringMatching(/^ocp_live_\w+\n$/),
    expect.stringMatching(/^key_\w+ never expires\n$/),
  ]);
  const ending = await command(on(world), "key-create", ["--workspace", workspaceId, "--expires", "30"]);
  const [, id = "", at = ""] = /^(key_\w+) expires at (\S+)\n$/.exec(ending.err) ?? [];
  expect(Math.round((Date.parse(at) - Date.now()) / DAY_MS)).toBe(30);
  const [, , , , , expires] =
    rowsOf(await command(on(world), "key-list", ["--workspace", workspaceId])).find(([one]) => one === id) ?? [];
  expect(expires).toBe(at);
  expect((await restOf(`${world.baseUrl}/api/v1`, lastLine(ending)).get("/whoami")).body.credentialId).toBe(id);
}, 60_000);

test("a new key gets the policy of the options, and an unknown policy is refused with the usage", async () => {
  const { workspaceId } = await world.workspace();
  const of = (...options: string[]) => command(on(world), "key-create", ["--workspace", workspaceId, ...options]);
  const agent = await of(
    "--sends",
    "APPROVAL",
    "--destroys",
    "NONE",
    "--daily-send-budget",
    "20",
    "--undo-seconds",
    "30",
  );
  expect((await restOf(`${world.baseUrl}/api/v1`, lastLine(agent)).get("/whoami")).body.policy).toEqual({
    SENDS: "APPROVAL",
    CHANGES_SENDING: "APPROVAL",
    DISCLOSES: "DIRECT",
    DESTROYS: "NONE",
    dailySendBudget: 20,
    undoSeconds: 30,
  });
  const wrong = [
    ["--sends", "SOMETIMES"],
    ["--discloses", "SOMETIMES"],
    ["--daily-send-budget", ""],
    ["--undo-seconds", "301"],
  ];
  for (const options of wrong) {
    expect(await of(...options)).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("usage: npm run key:create"),
    });
  }
}, 60_000);

test("on embedded servers the key commands work whether the database is running or not", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "outreach-keys-"));
  const own = { DATA_DIR: dataDir };
  const options = { dataDir, port: 0, binary: readConfig().MONGOD_BIN ?? undefined, env: programEnv(), log: () => {} };
  const workspaceId = lastLine(
    await command(own, "workspace-create", ["--name", "Acme", "--email", "owner@acme.test"]),
  );
  const mongod = await startMongod(options);
  const key = await command(own, "key-create", []);
  expect(lastLine(key)).toMatch(/^ocp_live_/);
  const id = key.err.split(" ")[0] ?? "";
  expect(rowsOf(await command(own, "key-list", [])).map((cells) => cells.slice(0, 2))).toEqual([[id, workspaceId]]);
  expect(lastLine(await command(own, "key-revoke", ["--id", id]))).toBe(id);
  await mongod.stop();
  expect(rowsOf(await command(own, "key-list", []))[0]?.at(-1)).toMatch(/^\d{4}-/);
  rmSync(dataDir, { recursive: true, force: true });
}, 90_000);

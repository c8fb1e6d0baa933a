import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { z } from "zod";
import { open, type Sealed, seal } from "../../domain/access/seal.ts";
import { AppError } from "../../domain/errors.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { choice } from "../../operations/choice.ts";
import type { Context } from "../../operations/context.ts";
import type { Route } from "../../operations/declaration.ts";
import { operation } from "../../operations/operation.ts";
import { runOf } from "../../temporal/run.ts";
import { startWorld, type World } from "../support/world.ts";

const shape = { scope: "leads:write" as const, input: z.strictObject({ name: z.string() }), output: z.unknown() };
const add = ({ workspaceId }: Context, name: string) =>
  scoped(workspaceId).LeadList.insert({ _id: newId("lst"), name });

/** A promise, set by a test, for which the verbs wait before they end. */
let gate: Promise<void> = Promise.resolve();
let isBroken = false;

const create = operation({
  summary: "Add one",
  ...shape,
  async run(ctx, { name }) {
    const { _id } = await add(ctx, name);
    await gate;
    if (isBroken) throw new Error("broken");
    return { id: _id, secret: "only-once" };
  },
});
const createOnce = operation({ ...create, summary: "Add one whose secret is shown once", showsOnce: ["secret"] });
const refuse = operation({
  summary: "Add one, then refuse",
  ...shape,
  async run(ctx, { name }) {
    await add(ctx, name);
    throw new AppError("LEAD_ALREADY_EXISTS", "It is there", { leadId: "led_1" });
  },
});
const awaiting = operation({
  summary: "Await a workflow",
  ...shape,
  async run(ctx, { name }) {
    await add(ctx, name);
    await ctx.services.engine.execute(runOf("none", "x", { workspaceId: ctx.workspaceId }, "none"), 1);
    return {};
  },
});
const partial = operation({
  summary: "Go on from a part that failed",
  ...shape,
  async run(ctx, { name }) {
    await inTransaction(async () => {
      await add(ctx, `${name}, undone`);
      throw new Error("part");
    }).catch(() => {});
    await add(ctx, name);
    return {};
  },
});
const look = operation({
  summary: "Look",
  ...shape,
  scope: "leads:read",
  input: z.strictObject({}),
  run: async () => ({}),
});
const routes: Route[] = [
  ["post", "/create", create, 201],
  ["put", "/create", create, 201],
  ["post", "/create-once", createOnce, 201],
  ["post", "/refuse", refuse],
  ["post", "/await", awaiting],
  ["post", "/partial", partial],
  ["post", "/choice", choice("leads:read", "Both", { create, createOnce, look })],
];

let world: World;
beforeAll(async () => {
  world = await startWorld({ routes });
});
afterAll(() => world.close());

const named = (key: string) => ({ "Idempotency-Key": key });
const count = (workspaceId: string) => scoped(workspaceId).LeadList.count();

test("a request that is repeated under one idempotency key has one effect and one response", async () => {
  const { rest, workspaceId } = await world.workspace();
  const first = await rest.post("/create", { name: "a" }, named("k"));
  const again = await rest.post("/create", { name: "a" }, named("k"));
  expect(first.status).toBe(201);
  expect(first.headers.get("idempotency-replayed")).toBeNull();
  expect([again.status, again.body, again.headers.get("idempotency-replayed")]).toEqual([201, first.body, "true"]);
  expect(await count(workspaceId)).toBe(1);
});

test("of twenty simultaneous equal requests one takes effect, and the others replay its response or have to wait", async () => {
  const { rest, workspaceId } = await world.workspace();
  const answers = await Promise.all(Array.from({ length: 20 }, () => rest.post("/create", { name: "a" }, named("k"))));
  for (const { status, body } of answers) expect(status === 201 || body.code === "IDEMPOTENCY_IN_PROGRESS").toBe(true);
  expect(answers.some(({ status }) => status === 201)).toBe(true);
  expect(await count(workspaceId)).toBe(1);
});

test("an idempotency key applies to one workspace, method, path and body", async () => {
  const { rest, workspaceId } = await world.workspace();
  const other = await world.workspace();
  await rest.post("/create", { name: "a" }, named("k"));
  expect(await rest.post("/create", { name: "b" }, named("k"))).toMatchObject({
    status: 409,
    body: { code: "IDEMPOTENCY_KEY_REUSED" },
  });
  expect((await rest.put("/create", { name: "b" }, named("k"))).status).toBe(201);
  expect((await rest.post("/choice", { action: "create", name: "b" }, named("k"))).status).toBe(200);
  expect((await other.rest.post("/create", { name: "b" }, named("k"))).status).toBe(201);
  expect(await count(workspaceId)).toBe(3);
});

test("an idempotency key applies to one action of an endpoint, also when two actions have the same fields", async () => {
  const { rest, workspaceId } = await world.workspace();
  const act = (action: string) => rest.post("/choice", { action, name: "a" }, named("k"));
  expect((await act("create")).status).toBe(200);
  expect(await act("createOnce")).toMatchObject({ status: 409, body: { code: "IDEMPOTENCY_KEY_REUSED" } });
  expect((await act("create")).headers.get("idempotency-replayed")).toBe("true");
  expect(await count(workspaceId)).toBe(1);
});

test("a request that is still running is not run again, and the response says when to retry", async () => {
  const { rest, workspaceId } = await world.workspace();
  let release = () => {};
  gate = new Promise((resolve) => {
    release = resolve;
  });
  const first = rest.post("/create", { name: "a" }, named("k"));
  while ((await scoped(workspaceId).IdempotencyKey.count()) === 0) await new Promise(setImmediate);
  const second = await rest.post("/create", { name: "a" }, named("k"));
  release();
  if (second.status === 409) {
    expect(second.body.code).toBe("IDEMPOTENCY_IN_PROGRESS");
    expect(Number(second.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  expect((await first).status).toBe(201);
});

test("a refused request writes nothing else, and its refusal is stored and replayed", async () => {
  const { rest, workspaceId } = await world.workspace();
  const first = await rest.post("/refuse", { name: "a" }, named("k"));
  const again = await rest.post("/refuse", { name: "a" }, named("k"));
  for (const answer of [first, again])
    expect(answer).toMatchObject({ status: 409, body: { code: "LEAD_ALREADY_EXISTS", details: { leadId: "led_1" } } });
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(await count(workspaceId)).toBe(0);
});

test("an internal error has no effect and is not stored, and a retry takes effect", async () => {
  const { rest, workspaceId } = await world.workspace();
  isBroken = true;
  expect((await rest.post("/create", { name: "a" }, named("k"))).status).toBe(500);
  isBroken = false;
  expect(await count(workspaceId)).toBe(0);
  expect((await rest.post("/create", { name: "a" }, named("k"))).status).toBe(201);
  expect(await count(workspaceId)).toBe(1);
});

test("a key that a killed process left locked is taken over, and the process that lost the lock cannot commit", async () => {
  const { rest, workspaceId } = await world.workspace();
  let release = () => {};
  gate = new Promise((resolve) => {
    release = resolve;
  });
  const lost = rest.post("/create", { name: "a" }, named("k"));
  const { IdempotencyKey: rows } = scoped(workspaceId);
  while ((await rows.updateOne({ isDone: false }, { $set: { lockedUntil: new Date(0) } })) === 0)
    await new Promise(setImmediate);
  gate = Promise.resolve();
  expect((await rest.post("/create", { name: "a" }, named("k"))).status).toBe(201);
  release();
  expect((await lost).status).toBe(409);
  expect(await count(workspaceId)).toBe(1);
});

test("a verb that awaits a workflow or continues after a failed part runs outside the transaction, and only once", async () => {
  const { rest, workspaceId } = await world.workspace();
  expect(await rest.post("/await", { name: "a" }, named("k"))).toMatchObject({
    status: 503,
    body: { code: "SERVICE_UNAVAILABLE" },
  });
  expect(await count(workspaceId)).toBe(1);
  expect((await rest.post("/partial", { name: "b" }, named("p"))).status).toBe(200);
  expect((await scoped(workspaceId).LeadList.find()).map(({ name }) => name).sort()).toEqual(["a", "b"]);
});

test("a stored answer is sealed, and is not given to a credential that lacks the scope", async () => {
  const { rest, workspaceId, withScopes } = await world.workspace();
  await rest.post("/choice", { action: "create", name: "a" }, named("k"));
  const reader = await withScopes("leads:read");
  expect(await reader.post("/choice", { action: "create", name: "a" }, named("k"))).toMatchObject({ status: 403 });
  expect(JSON.stringify(await scoped(workspaceId).IdempotencyKey.find())).not.toContain("only-once");
});

test("a secret that is shown once is not replayed, even if an earlier version stored the secret", async () => {
  const { rest, workspaceId } = await world.workspace();
  const first = await rest.post("/create-once", { name: "a" }, named("k"));
  expect(first).toMatchObject({ status: 201, body: { id: expect.any(String), secret: "only-once" } });
  const replayed = { status: 201, body: { id: first.body.id } };
  const shown = async () => {
    const { status, body } = await rest.post("/create-once", { name: "a" }, named("k"));
    return { status, body };
  };
  expect(await shown()).toEqual(replayed);
  const { IdempotencyKey } = scoped(workspaceId);
  const [row] = await IdempotencyKey.find();
  if (row === undefined) throw new Error("The key is not kept");
  const place = { workspaceId, collection: "idempotency_keys", documentId: row._id, field: "answer" };
  expect(open(world.services.keyRing, place, row.answer as Sealed)).not.toContain("only-once"); // this is how `once` stores it
  const answer = seal(world.services.keyRing, place, JSON.stringify({ status: 201, body: first.body }));
  await IdempotencyKey.updateOne({ _id: row._id }, { $set: { answer } });
  expect(await shown()).toEqual(replayed);
});

test("the stored row does not reveal the body of a request, and rows of an earlier version still match", async () => {
  const { rest, workspaceId } = await world.workspace();
  const plain = createHash("sha256")
    .update(JSON.stringify({ name: "hunter2" }))
    .digest();
  const first = await rest.post("/create", { name: "hunter2" }, named("k"));
  const { IdempotencyKey } = scoped(workspaceId);
  const rows = JSON.stringify(await IdempotencyKey.find());
  for (const encoding of ["base64url", "base64", "hex"] as const) expect(rows).not.toContain(plain.toString(encoding));
  await IdempotencyKey.updateMany({}, { $set: { bodyHash: plain.toString("base64url") } });
  expect((await rest.post("/create", { name: "hunter2" }, named("k"))).body).toEqual(first.body);
  expect((await rest.post("/create", { name: "hunter3" }, named("k"))).body.code).toBe("IDEMPOTENCY_KEY_REUSED");
  expect(await count(workspaceId)).toBe(1);
});

test("a repeated request is recognised under every signing key that may have hashed its body", async () => {
  const { rest } = await world.workspace();
  const first = await rest.post("/create", { name: "a" }, named("k"));
  const { signing } = world.services;
  const [newest, ...older] = signing.idempotency;
  world.services.signing = { ...signing, idempotency: [{ kid: "later1", key: randomBytes(32) }, newest, ...older] };
  expect((await rest.post("/create", { name: "a" }, named("k"))).body).toEqual(first.body);
  expect((await rest.post("/create", { name: "b" }, named("k"))).body.code).toBe("IDEMPOTENCY_KEY_REUSED");
  world.services.signing = signing;
});

test("a row that a newer version wrote stays unchanged, and the caller has to retry", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { IdempotencyKey } = scoped(workspaceId);
  await rest.post("/create", { name: "a" }, named("k"));
  await IdempotencyKey.updateMany(
    {},
    { $set: { form: 2, bodyHash: "unknown here", isDone: false, lockedUntil: new Date(0) } },
  );
  const [before] = await IdempotencyKey.find({});
  const again = await rest.post("/create", { name: "a" }, named("k"));
  expect([again.status, again.body.code, again.headers.get("retry-after")]).toEqual([
    409,
    "IDEMPOTENCY_IN_PROGRESS",
    "5",
  ]);
  expect([await IdempotencyKey.find({}), await count(workspaceId)]).toEqual([[before], 1]);
});

test("a malformed idempotency key is refused", async () => {
  const { rest } = await world.workspace();
  for (const key of ["", "a".repeat(256), "é"])
    expect((await rest.post("/create", { name: "a" }, named(key))).status).toBe(400);
});

import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { z } from "zod";
import { AppError, invalid } from "../../domain/errors.ts";
import type { Scope } from "../../domain/scopes.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { createKey, verifyApiKey } from "../../operations/access/api-keys.ts";
import { call } from "../../operations/call.ts";
import { choice } from "../../operations/choice.ts";
import { operation } from "../../operations/operation.ts";
import { restOf } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

const output = z.object({ id: z.string() });
const read = operation({
  summary: "Read",
  scope: "leads:read",
  input: z.strictObject({}),
  output,
  run: async () => ({ id: "read" }),
});
const write = operation({
  summary: "Write",
  scope: "leads:write",
  audits: "things.write",
  input: z.strictObject({ name: z.string() }),
  output,
  async run({ workspaceId }, { name }) {
    const { _id: id } = await scoped(workspaceId).LeadList.insert({ _id: newId("lst"), name });
    return { id, inner: "not for the caller" };
  },
});
const both = choice("leads:read", "Read or write", { read, write });

let world: World;
beforeAll(async () => {
  world = await startWorld({ routes: [["post", "/both", both]] });
});
afterAll(() => world.close());

/** Fields that no one can read. */
const BROKEN = Symbol("broken");
/** Not a name that a write may have. */
const BAD_KEY = "";

interface Asking {
  fields: object | typeof BROKEN;
  idempotencyKey?: string;
}
interface Told {
  /** The code of the refusal; null when the call was done. */
  code: string | null;
  /** The field that the refusal names. */
  at: string | null;
  body: unknown;
  isReplayed: boolean;
}
type Door = (credential: string, asking: Asking) => Promise<Told>;

const rest: Door = async (credential, { fields, idempotencyKey }) => {
  const named = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
  const text = fields === BROKEN ? "{" : JSON.stringify(fields);
  const { status, body, headers } = await restOf(`${world.baseUrl}/api/v1`, credential).post("/both", text, named);
  const isReplayed = headers.get("idempotency-replayed") === "true";
  return status === 200 ? { code: null, at: null, body, isReplayed } : { ...refusal(body), isReplayed };
};

/** Another door, such as a tool server's: its only own check is the form of a key. */
const tool: Door = async (credential, { fields, idempotencyKey }) => {
  const principal = await verifyApiKey(credential, new Date(), null);
  let isReplayed = false;
  try {
    const body = await call({ ...principal, services: world.services, ip: null, traceId: "trace" }, both, {
      fields() {
        if (fields === BROKEN) throw new AppError("MALFORMED_JSON", "The arguments are not JSON");
        return fields;
      },
      idempotencyKey() {
        if (idempotencyKey === BAD_KEY) throw invalid("Idempotency-Key", "is no key");
        return idempotencyKey === undefined ? null : { key: idempotencyKey, place: ["tool", "both"] };
      },
      onReplay() {
        isReplayed = true;
      },
    });
    return { code: null, at: null, body, isReplayed };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ...refusal({ code: error.code, details: error.details }), isReplayed };
  }
};

function refusal({
  code,
  details,
}: {
  code: string;
  details?: Record<string, unknown> | undefined;
}): Omit<Told, "isReplayed"> {
  const issues = details?.["issues"];
  return { code, at: Array.isArray(issues) ? issues[0].path : null, body: null };
}

/** A workspace with credentials of different scopes, and what was written and audited in it. */
async function place() {
  const { workspaceId, ownerId, key } = await world.workspace();
  const { LeadList, AuditEntry } = scoped(workspaceId);
  return {
    key,
    holding: async (...scopes: Scope[]) =>
      (await createKey({ workspaceId, name: "some", scopes, createdBy: ownerId })).key,
    written: () => LeadList.count(),
    audited: async () =>
      (await AuditEntry.find({ action: "things.write" }, { sort: { seq: 1 } })).map(({ outcome }) => outcome),
  };
}

describe.each<[string, Door]>([
  ["REST", rest],
  ["another door", tool],
])("at %s", (_name, door) => {
  test("a caller without any scope of the verb is refused before the fields are read, and a sensitive verb is audited", async () => {
    const { holding, audited } = await place();
    expect(await door(await holding("webhooks:read"), { fields: BROKEN })).toMatchObject({
      code: "INSUFFICIENT_SCOPE",
    });
    expect(await door(await holding("leads:read"), { fields: BROKEN })).toMatchObject({ code: "MALFORMED_JSON" });
    expect(await audited()).toEqual(["DENIED"]);
  });

  test("the action and its scope are checked before the idempotency key, and the idempotency key before the other fields", async () => {
    const { key, holding, written } = await place();
    const reader = await holding("leads:read");
    const asked = { fields: { action: "write", nam: 1 }, idempotencyKey: BAD_KEY };
    expect(await door(key, { ...asked, fields: { action: "erase" } })).toMatchObject({
      code: "VALIDATION_FAILED",
      at: "action",
    });
    expect(await door(reader, asked)).toMatchObject({ code: "INSUFFICIENT_SCOPE" });
    expect(await door(key, asked)).toMatchObject({ code: "VALIDATION_FAILED", at: "Idempotency-Key" });
    expect(await door(key, { fields: asked.fields })).toMatchObject({
      code: "VALIDATION_FAILED",
      at: expect.stringMatching(/^nam/),
    });
    expect(await written()).toBe(0);
  });

  test("a repeated write returns the stored answer or refusal, has one effect and leaves one audit entry", async () => {
    const { key, written, audited } = await place();
    const good = { fields: { action: "write", name: "a" }, idempotencyKey: "good" };
    const first = await door(key, good);
    expect(first).toEqual({ code: null, at: null, body: { id: expect.any(String) }, isReplayed: false });
    expect(await door(key, good)).toEqual({ ...first, isReplayed: true });
    const bad = { fields: { action: "write", name: 5 }, idempotencyKey: "bad" };
    const refused = await door(key, bad);
    expect(refused).toMatchObject({ code: "VALIDATION_FAILED", isReplayed: false });
    expect(await door(key, bad)).toEqual({ ...refused, isReplayed: true });
    expect(await door(key, { ...good, fields: { action: "write", name: "b" } })).toMatchObject({
      code: "IDEMPOTENCY_KEY_REUSED",
    });
    expect([await written(), await audited()]).toEqual([1, ["DONE", "FAILED"]]);
  });

  test("a stored answer is refused to a caller without the scope of the action", async () => {
    const { key, holding } = await place();
    const asked = { fields: { action: "write", name: "a" }, idempotencyKey: "good" };
    await door(key, asked);
    const told = await door(await holding("leads:read"), asked);
    expect(told).toEqual({ code: "INSUFFICIENT_SCOPE", at: null, body: null, isReplayed: false });
  });

  test("without an idempotency key each call takes effect, and the answer contains only declared fields", async () => {
    const { key, written } = await place();
    const asked = { fields: { action: "write", name: "a" } };
    for (let time = 0; time < 2; time++) expect((await door(key, asked)).body).toEqual({ id: expect.any(String) });
    expect(await written()).toBe(2);
  });
});

test("one idempotency key used in the REST API and in a tool counts as two keys", async () => {
  const { key, written } = await place();
  const asked = { fields: { action: "write", name: "a" }, idempotencyKey: "good" };
  for (const door of [rest, tool]) expect(await door(key, asked)).toMatchObject({ code: null, isReplayed: false });
  expect(await written()).toBe(2);
});

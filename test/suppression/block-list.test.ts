import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { findBlockEntry } from "../../store/suppression/block-list.ts";
import { loadGuardReasons, suppressAddress, unsuppressAddress } from "../../store/suppression/suppress.ts";
import { planOf } from "../support/plan.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

test("a block list entry is normalised, and entries are listed newest first", async () => {
  const { rest, workspaceId, ownerId } = await world.workspace("block_list:read", "block_list:write");
  const address = await rest.post("/block-list", { value: " Ada@Büro.Example ", reason: "=cmd\r\nasked" });
  const domain = await rest.post("/block-list", { value: "@X.Example" });
  expect(address).toMatchObject({
    status: 201,
    body: { workspaceId, value: "ada@xn--bro-hoa.example", type: "EMAIL", reason: "=cmd\r\nasked", createdBy: ownerId },
  });
  expect(domain).toMatchObject({ status: 201, body: { value: "x.example", type: "DOMAIN", reason: null } });
  expect((await rest.get("/block-list")).body).toEqual([domain.body, address.body]);
});

test("blocking the same domain again returns the first entry, also in many parallel calls", async () => {
  const { rest } = await world.workspace();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      rest.post("/block-list", { value: n % 2 ? "X.example" : "@x.example", reason: `${n}` }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  expect((await rest.get("/block-list")).body).toHaveLength(1);
});

test.each([
  ["value", { value: "not a domain!" }],
  ["value", { value: "a@b@c" }],
  ["value", { value: "" }],
  ["value", {}],
  ["type", { value: "x.example", type: "EMAIL" }],
  ["type", { value: "a@x.example", type: "DOMAIN" }],
  ["type", { value: "x.example", type: "REGEX" }],
  ["value", { value: "x".repeat(321) }],
])("adding a block list entry with an invalid %s is refused: %j", async (path, body) => {
  const { rest } = await world.workspace();
  expect(await rest.post("/block-list", body)).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_FAILED", details: { issues: [{ path }] } },
  });
  expect((await rest.get("/block-list")).body).toEqual([]);
});

test("a blocked address suppresses open recipients and stays blocked when a suppression ends, and a blocked domain covers all subdomains", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { Recipient } = scoped(workspaceId);
  const recipient = await Recipient.insert({
    _id: newId("rcp"),
    campaignId: newId("cmp"),
    leadId: newId("led"),
    email: "a@x.example",
    cid: newId("out"),
    shard: 0,
  });
  await rest.post("/block-list", { value: "a@x.example" });
  await rest.post("/block-list", { value: "y.example" });
  expect(await loadGuardReasons(workspaceId, ["a@x.example"])).toEqual(new Map([["a@x.example", ["BLOCK_LISTED"]]]));
  expect(await Recipient.get(recipient._id)).toMatchObject({ status: "SUPPRESSED", stopReason: "BLOCK_LISTED" });
  // Lifting a suppression does not lift the block
  await suppressAddress(workspaceId, "a@x.example", "MANUAL");
  await unsuppressAddress(workspaceId, "a@x.example", null);
  expect(await loadGuardReasons(workspaceId, ["a@x.example"])).toEqual(new Map([["a@x.example", ["BLOCK_LISTED"]]]));
  expect(await findBlockEntry(workspaceId, "b@deep.sub.y.example")).toMatchObject({ value: "y.example" });
  expect(await findBlockEntry(workspaceId, "b@noty.example")).toBeNull();
});

test("removing an entry unblocks the address, and a second removal or an entry of another workspace returns 404", async () => {
  const { rest, workspaceId } = await world.workspace();
  const other = await world.workspace();
  const { body: mine } = await rest.post("/block-list", { value: "a@x.example" });
  const { body: theirs } = await other.rest.post("/block-list", { value: "a@x.example" });
  expect(await rest.delete(`/block-list/${theirs.id}`)).toMatchObject({
    status: 404,
    body: { code: "BLOCK_LIST_ENTRY_NOT_FOUND" },
  });
  expect((await rest.delete(`/block-list/${mine.id}`)).body).toEqual({ id: mine.id, deleted: true });
  expect((await rest.delete(`/block-list/${mine.id}`)).status).toBe(404);
  expect(await loadGuardReasons(workspaceId, ["a@x.example"])).toEqual(new Map());
  expect(await loadGuardReasons(other.workspaceId, ["a@x.example"])).toEqual(
    new Map([["a@x.example", ["BLOCK_LISTED"]]]),
  );
  expect((await rest.post("/block-list", { value: "a@x.example" })).body.id).not.toBe(mine.id);
});

test("a read-only credential can read the block list but cannot change the list", async () => {
  const { rest } = await world.workspace("block_list:read");
  expect((await rest.get("/block-list")).status).toBe(200);
  expect(await rest.post("/block-list", { value: "x.example" })).toMatchObject({
    status: 403,
    body: { code: "INSUFFICIENT_SCOPE" },
  });
  expect((await rest.delete(`/block-list/${newId("blk")}`)).status).toBe(403);
});

test("a blocked internationalised domain includes subdomains, in Unicode and in Punycode", async () => {
  const { rest } = await world.workspace();
  const { body: entry } = await rest.post("/block-list", { value: "Müller.Example" });
  expect(entry).toMatchObject({ value: "xn--mller-kva.example", type: "DOMAIN" });
  expect((await rest.post("/block-list", { value: "@xn--mller-kva.example" })).body).toEqual(entry);
  const { body: campaign } = await rest.post("/campaigns", { name: "Spring" });
  const emails = ["a@müller.example", "b@post.xn--mller-kva.example", "c@xmüller.example"];
  const added = await rest.post(`/campaigns/${campaign.id}/recipients`, { action: "addManual", emails });
  expect(added.body).toMatchObject({ added: 1, skippedCount: 2 });
  expect(added.body.skipped.map(({ reason }: { reason: string }) => reason)).toEqual(["BLOCK_LISTED", "BLOCK_LISTED"]);
});

test("the block list accepts fifty thousand entries and no more, and still returns an existing entry", async () => {
  const { rest, workspaceId } = await world.workspace();
  await rest.post("/block-list", { value: "first.example" });
  const entries = Array.from({ length: 49_999 }, (_, n) => ({
    insert: { _id: newId("blk"), value: `d${n}.example`, type: "DOMAIN" as const, reason: null, createdBy: null },
  }));
  await scoped(workspaceId).BlockListEntry.bulk(entries);
  const over = await rest.post("/block-list", { value: "more.example" });
  expect(over).toMatchObject({ status: 422, body: { code: "LIMIT_EXCEEDED", details: { limit: 50_000 } } });
  expect(await rest.post("/block-list", { value: "FIRST.example" })).toMatchObject({
    status: 201,
    body: { value: "first.example" },
  });
});

test("the block list is read from an index without sorting", async () => {
  const { workspaceId } = await world.workspace();
  const stages = await planOf("block_list_entries", { workspaceId }, { _id: -1 });
  expect(stages).toContain("IXSCAN");
  expect(stages).not.toContain("SORT");
});

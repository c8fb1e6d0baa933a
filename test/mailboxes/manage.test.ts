import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { startWorld, type World } from "../support/world.ts";

const server = { host: "h", port: 465, security: "SSL_TLS" as const };
const servers = { smtp: server, imap: server };

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

async function stored(workspaceId: string, fields: Partial<Pick<Mailbox, "status">> = {}): Promise<{ id: string }> {
  const id = newId("mbx");
  const email = `${id}@a.test`;
  await scoped(workspaceId).Mailbox.insert({
    _id: id,
    email,
    username: email,
    status: "CONNECTED",
    ...servers,
    ...fields,
  });
  return { id };
}

test("pause and resume switch a mailbox between CONNECTED and PAUSED, do nothing when repeated, and are refused in other statuses", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { id } = await stored(workspaceId);
  const act = (action: string) => rest.post("/mailboxes/manage", { action, mailboxId: id });
  expect((await act("pause")).body).toMatchObject({ id, status: "PAUSED" });
  expect((await act("pause")).body).toMatchObject({ id, status: "PAUSED" });
  expect((await act("resume")).body).toMatchObject({ id, status: "CONNECTED" });
  await scoped(workspaceId).Mailbox.updateOne({ _id: id }, { $set: { status: "RECONNECT_REQUIRED" } });
  expect(await act("resume")).toMatchObject({
    status: 409,
    body: { code: "INVALID_STATE_TRANSITION", details: { from: "RECONNECT_REQUIRED", action: "resume" } },
  });
  expect((await rest.post("/mailboxes/manage", { action: "pause", mailboxId: newId("mbx") })).body.code).toBe(
    "MAILBOX_NOT_FOUND",
  );
  expect((await rest.post("/mailboxes/manage", { action: "pause" })).status).toBe(400);
});

test("an action on several mailboxes reports a result for each mailbox and names the ids that were not found", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { id } = await stored(workspaceId);
  const bob = await stored(workspaceId, { status: "DISCONNECTED" });
  const { body } = await rest.post("/mailboxes/manage", {
    action: "pause",
    mailboxIds: [id, bob.id, "mbx_unknown", id],
  });
  expect(body).toEqual({
    matched: 2,
    changed: 1,
    notFound: ["mbx_unknown"],
    items: [
      { id, ok: true, error: null },
      { id: bob.id, ok: false, error: { code: "INVALID_STATE_TRANSITION", message: expect.any(String) } },
    ],
  });
});

test("one call changes a thousand mailboxes, and mailboxes that are already in the requested status are not counted as changed", async () => {
  const { rest, workspaceId } = await world.workspace();
  const rows = Array.from({ length: 1_000 }, (_, index) => ({
    _id: newId("mbx"),
    email: `${index}-${workspaceId}@a.test`,
  }));
  await scoped(workspaceId).Mailbox.insertMany(rows.map((row) => ({ ...row, username: row.email, ...servers })));
  const mailboxIds = rows.map(({ _id }) => _id);
  const act = async (action: string, more: object = {}) =>
    (await rest.post("/mailboxes/manage", { action, mailboxIds, ...more })).body;
  expect(await act("pause")).toMatchObject({ matched: 1_000, changed: 1_000, notFound: [] });
  expect(await act("pause")).toMatchObject({ matched: 1_000, changed: 0, notFound: [] });
  expect(await act("resume")).toMatchObject({ changed: 1_000 });
  // Each mailbox is watched again, and the recipients that waited for it are woken
  expect(await scoped(workspaceId).OutboxRow.count({ kind: "MAILBOX" })).toBe(2_000);
  expect(await act("bulkUpdateSettings", { patch: { dailySendLimit: 40 } })).toMatchObject({ changed: 1_000 });
  expect(await act("bulkUpdateSettings", { patch: { dailySendLimit: 40 } })).toMatchObject({ changed: 0 });
  expect(await act("bulkUpdateTags", { add: ["x"] })).toMatchObject({ changed: 1_000 });
  const tooMany = await rest.post("/mailboxes/manage", { action: "pause", mailboxIds: [...mailboxIds, "mbx_1"] });
  expect(tooMany.status).toBe(400);
  expect((await rest.get("/mailboxes")).body).toHaveLength(1_000);
});

test("an update of settings or tags changes only the named fields, and a signature with a script is refused", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { id } = await stored(workspaceId);
  const patch = (fields: object) =>
    rest.post("/mailboxes/manage", { action: "updateSettings", mailboxId: id, patch: fields });
  const workday = { timezone: "Europe/Berlin", days: [1, 2], from: "09:00", to: "17:00" };
  expect((await patch({ dailySendLimit: 0, minGapSeconds: 60, workday, replyTo: "Other@A.test" })).body).toMatchObject({
    dailySendLimit: 0,
    minGapSeconds: 60,
    maxGapSeconds: null,
    workday,
    replyTo: "other@a.test",
    warmupDailyLimit: 20,
  });
  expect((await patch({ workday: null, replyTo: null })).body).toMatchObject({
    workday: null,
    replyTo: null,
    minGapSeconds: 60,
  });
  expect((await patch({ maxGapSeconds: 30 })).status).toBe(400);
  expect((await patch({ signatureHtml: "<script>x</script>" })).status).toBe(400);
  expect((await patch({ status: "CONNECTED" })).status).toBe(400);
  const tags = await rest.post("/mailboxes/manage", {
    action: "updateTags",
    mailboxId: id,
    add: ["b", "a", "b"],
    remove: ["c"],
  });
  expect(tags.body.tags).toEqual(["b", "a"]);
  const bulk = { action: "bulkUpdateTags", mailboxIds: [id], remove: ["a"] };
  expect((await rest.post("/mailboxes/manage", bulk)).body).toMatchObject({ matched: 1, changed: 1 });
  expect((await rest.get(`/mailboxes/${id}`)).body.tags).toEqual(["b"]);
});

import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { AuditEntry } from "../../models/access/audit-entry.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { appendAuditEntry } from "../../operations/access/audit.ts";
import { command, on } from "../support/command.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ apart: true });
});
afterAll(() => world.close());

test("audit-verify checks the chains of all workspaces, deleted ones included, and names each broken chain", async () => {
  expect(await command(on(world), "audit-verify")).toMatchObject({
    code: 1,
    err: expect.stringContaining("There is no workspace yet"),
  });
  const [first, second, third, gone] = [
    await world.workspace(),
    await world.workspace(),
    await world.workspace(),
    await world.workspace(),
  ];
  const ids = [first, second, third, gone].map(({ workspaceId }) => workspaceId);
  await Workspace.deleteOne({ _id: gone.workspaceId });
  const whole = await command(on(world), "audit-verify");
  expect([whole.code, whole.out.trimEnd().split("\n")]).toEqual([
    0,
    ids.map((id) => `${id}: 1 entry verified, the chain is intact`),
  ]);

  for (const { workspaceId, ownerId } of [second, gone]) {
    await appendAuditEntry(
      { workspaceId, actor: { kind: "CONSOLE", id: ownerId }, action: "leads.export", input: {} },
      "DONE",
      null,
    );
    await AuditEntry.updateOne({ workspaceId, seq: 2 }, { $set: { action: "leads.list" } });
  }
  await scoped(third.workspaceId).AuditEntry.deleteMany({});
  const broken = await command(on(world), "audit-verify");
  expect([broken.code, broken.out, broken.err.trimEnd().split("\n")]).toEqual([
    1,
    "",
    [
      `${ids[0]}: 1 entry verified, the chain is intact`,
      `${ids[1]}: 1 entry verified, the chain is broken at entry 2`,
      `${ids[2]}: 0 entries verified, the chain is broken at entry 1`,
      `${ids[3]}: 1 entry verified, the chain is broken at entry 2`,
    ],
  ]);
}, 60_000);

test("audit-verify checks a single named workspace, and reports an unknown workspace", async () => {
  const { workspaceId } = await world.workspace();
  const one = await command(on(world), "audit-verify", ["--workspace", workspaceId]);
  expect(one).toMatchObject({ code: 0, out: `${workspaceId}: 1 entry verified, the chain is intact\n` });
  const unknown = newId("wsp");
  expect(await command(on(world), "audit-verify", ["--workspace", unknown])).toMatchObject({
    code: 1,
    err: `There is no workspace ${unknown}\n`,
  });
}, 60_000);

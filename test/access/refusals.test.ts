import { afterAll, beforeAll, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { AuditHead } from "../../models/access/audit-head.ts";
import { scoped } from "../../models/scoped.ts";
import { goBehind, goFirst } from "../../mongo/precedence.ts";
import { inTransaction, outsideTransaction } from "../../mongo/transaction.ts";
import { verifyChain } from "../../store/audit-chain.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

test("a flood of refused calls leaves one record and one audit entry per credential, verb and minute", async () => {
  const { rest, workspaceId, withScopes } = await world.workspace();
  const [one, other] = [await withScopes("leads:read"), await withScopes("leads:read")];
  const before = (await AuditHead.findOne({ _id: workspaceId, workspaceId }))?.seq ?? 0;
  const block = { value: "x.test" };
  const calls = Array.from({ length: 30 }, () => [
    ...[one, other].map((stranger) => stranger.post("/block-list", block)),
    one.post("/leads/suppress", { action: "suppress", ids: ["led_1"] }),
    rest.delete("/block-list/blk_unknown"),
  ]);
  const answers = await Promise.all(calls.flat());
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403, 404]));
  const rows = await scoped(workspaceId).AuditRefusals.find();
  const groups = Map.groupBy(rows, ({ actor, action }) => `${actor.id} ${action}`);
  expect([...groups.values()].map((all) => all.reduce((sum, { count }) => sum + count, 0))).toEqual([30, 30, 30, 30]);
  for (const { codes, count, minute } of rows) {
    expect([Object.values(codes), minute.getTime() % 60_000]).toEqual([[count], 0]);
  }
  expect(await verifyChain(workspaceId)).toEqual({ entries: before + rows.length, brokenAt: null });
  const { items } = (await rest.get("/audit-log?outcome=DENIED,FAILED")).body;
  expect(items.map(({ calls }: { calls: number }) => calls).sort()).toEqual(rows.map(({ count }) => count).sort());
});

test("refused calls and stops are answered even while another transaction locks the head of the audit chain", async () => {
  const { rest, workspaceId, withScopes } = await world.workspace();
  const stranger = await withScopes("leads:read");
  const { body: lead } = await rest.post("/leads", { email: "ada@people.test" });
  const { body: hook } = await rest.post("/webhooks", { url: "https://subscriber.example/hook" });
  const answered: string[] = [];
  const told = (name: string) => (answer: { status: number }) => answered.push(`${name} ${answer.status}`);
  const holder = await mongoose.connection.startSession();
  holder.startTransaction();
  await AuditHead.updateOne({ _id: workspaceId, workspaceId }, { $inc: { touches: 1 } }, { session: holder });
  const write = rest.patch(`/webhooks/${hook.id}`, { enabled: false }).then(told("write"));
  await stranger.post("/block-list", { value: "x.test" }).then(told("refused"));
  await stranger.post("/block-list", { value: "x.test" }).then(told("refused"));
  await rest.post("/leads/suppress", { action: "suppress", ids: [lead.id] }).then(told("suppress"));
  await rest.post("/block-list", { value: "y.test" }).then(told("block"));
  await rest.post("/workspace", { action: "pauseSending" }).then(told("kill switch"));
  answered.push("released");
  await holder.abortTransaction();
  await holder.endSession();
  await write;
  expect(answered).toEqual([
    "refused 403",
    "refused 403",
    "suppress 200",
    "block 201",
    "kill switch 200",
    "released",
    "write 200",
  ]);
  const { items, chain } = (await rest.get("/audit-log")).body;
  expect(chain).toEqual({ entries: items.length, brokenAt: null });
  const deeds = items.map(({ action, outcome }: { action: string; outcome: string }) => `${action} ${outcome}`);
  for (const deed of [
    "blockList.add DENIED",
    "leads.suppress DONE",
    "blockList.add DONE",
    "workspace.pauseSending DONE",
  ])
    expect(deeds).toContain(deed);
}, 30_000);

test("a write does not start while its workspace is being stopped, and writes of other workspaces continue", async () => {
  const { workspaceId } = await world.workspace();
  const order: string[] = [];
  const attempt = (name: string) => async () => void order.push(name);
  const stop = goFirst(workspaceId, async () => {
    await inTransaction(() => scoped(workspaceId).AuditHead.get(workspaceId));
    await elsewhere;
    order.push("stop");
  });
  const write = goBehind(workspaceId, () => inTransaction(attempt("write")));
  const elsewhere = goBehind("wsp_other", () => inTransaction(attempt("elsewhere")));
  await Promise.all([stop, write]);
  expect(order).toEqual(["elsewhere", "stop", "write"]);
});

test("a write waits for stops only for a limited time", async () => {
  const order: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const stop = goFirst("wsp_any", async () => {
    await released;
    order.push("stop");
  });
  await goBehind("wsp_any", () => inTransaction(async () => void order.push("write")));
  release();
  await stop;
  expect(order).toEqual(["write", "stop"]);
});

test("conflicting writes of a workspace are retried one after the other", async () => {
  const { workspaceId } = await world.workspace();
  let [running, most] = [0, 0];
  const write = () => {
    let attempts = 0;
    return goBehind(workspaceId, () =>
      inTransaction(async () => {
        if (++attempts === 1) throw conflict();
        most = Math.max(most, ++running);
        await scoped(workspaceId).AuditHead.get(workspaceId);
        running--;
      }),
    );
  };
  await Promise.all(Array.from({ length: 10 }, write));
  expect(most).toBe(1);
});

test("a transaction that a write opens on the side is retried by itself, without waiting for the write", async () => {
  const { workspaceId } = await world.workspace();
  let attempts = 0;
  await goBehind(workspaceId, () =>
    inTransaction(async () => {
      if (++attempts === 1) throw conflict();
      let inner = 0;
      await outsideTransaction(() =>
        inTransaction(async () => {
          if (++inner === 1) throw conflict();
        }),
      );
    }),
  );
  expect(attempts).toBe(2);
});

test("a stop is retried within one request until no conflict is left", async () => {
  const { workspaceId } = await world.workspace();
  let attempts = 0;
  await goFirst(workspaceId, () =>
    inTransaction(async () => {
      if (++attempts < 20) throw conflict();
    }),
  );
  expect(attempts).toBe(20);
});

function conflict(): Error {
  const error = new mongoose.mongo.MongoServerError({ message: "WriteConflict", code: 112 });
  error.addErrorLabel("TransientTransactionError");
  return error;
}

import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { verifyChain } from "../../store/audit-chain.ts";
import { startWorld, type World } from "../support/world.ts";
import { floodWith, stopsOf } from "./stops-flood.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ apart: true });
});
afterAll(() => world.close());

const ROUNDS = 10;
/** Milliseconds for a stop where reads take 200. */
const STOP_MS = 2_000;
const PER_READ = 10;

test("every stop is answered quickly while a workspace is flooded with refused and permitted writes", async () => {
  const { rest, workspaceId, withScopes } = await world.workspace();
  const { baseUrl, services } = world;
  const stops = await stopsOf({ baseUrl, signing: services.signing }, rest, workspaceId);
  const flood = await floodWith({ refusedBy: () => withScopes("leads:read"), rightfulBy: async () => rest });
  const took: Record<string, number[]> = { read: [] };
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, stop] of Object.entries(stops)) {
        const ask = await stop(round);
        took[name] = [...(took[name] ?? []), await timed(ask())];
        took["read"]?.push(await timed(rest.get("/block-list")));
      }
    }
  } finally {
    await flood.end();
  }
  const { read = [], ...ofStops } = took;
  const limit = Math.max(STOP_MS, PER_READ * p99(read));
  const slow = Object.entries(ofStops).filter(([, all]) => p99(all) > limit);
  expect([flood.surprises, slow]).toEqual([[], []]);
  expect((await verifyChain(workspaceId)).brokenAt).toBeNull();
  const audited = await scoped(workspaceId).AuditEntry.find({ outcome: "DONE", action: "leads.suppress" });
  expect(audited).toHaveLength(ROUNDS);
}, 600_000);

async function timed(asked: Promise<{ status: number }>): Promise<number> {
  const started = performance.now();
  const { status } = await asked;
  expect([200, 201]).toContain(status);
  return performance.now() - started;
}

function p99(all: readonly number[]): number {
  return all.toSorted((one, other) => one - other)[Math.ceil(all.length * 0.99) - 1] ?? 0;
}

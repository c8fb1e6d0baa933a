import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { Inbox } from "../inbox/inbox-parts.ts";
import { begin, deed, does, useSetup } from "./recount-setup.ts";
import { expectRecounted, rollUpAll } from "./reported.ts";

useSetup();

const ROUNDS = {
  numRuns: Number(process.env["ROUNDS"] ?? 2),
  ...(process.env["ROUNDS"] === undefined && { seed: 20_261_124 }),
};

test("after any order of late replies, bounces, hits, corrections, purchases, deletions and rounds, reports equal a recount", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 8, maxLength: 16 }), async (all) => {
      const { inbox, written } = await begin(3);
      for (const one of all) await does(inbox, written, one);
      await expectRecounted(inbox.workspaceId, ["DAY", "VARIANT", "MAILBOX"]);
      await rollUpAll(inbox.workspaceId);
      await expectRecounted(inbox.workspaceId);
      for (const { recipient } of written) await expectMetrics(inbox, recipient.campaignId);
    }),
    ROUNDS,
  );
}, 240_000);

/** Over all time the totals of a campaign are its metrics. */
async function expectMetrics({ rest }: Inbox, campaignId: string): Promise<void> {
  const { metrics } = (await rest.get(`/campaigns/${campaignId}`)).body;
  const to = new Date(Date.now() + 60 * DAY_MS).toISOString().slice(0, 10);
  const { body } = await rest.get(`/analytics/report?from=2026-10-01&to=${to}&campaignIds=${campaignId}`);
  expect(body.totals).toEqual(metrics);
}

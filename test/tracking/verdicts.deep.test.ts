import { expect, test } from "@jest/globals";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import type { Hit } from "../../models/tracking/hit.ts";
import { findHits } from "../../store/tracking/hits.ts";
import { settleHits } from "../../store/tracking/settle-hits.ts";
import { carrying, LATER, trackedCampaign, visit } from "./tracked.ts";
import { NOWHERE, settleAll, toldOf, useSetup, world } from "./verdicts-setup.ts";

useSetup();

test("settling hits concurrently reports each open and click once, in any order, as a model predicts", async () => {
  for (let seed = 1; seed <= 4; seed++) {
    const random = randomOf(seed);
    const { sends, recipients, workspaceId } = await trackedCampaign(world, { people: 6, tracking: carrying(3) });
    const expected = new Map(sends.map(({ _id }) => [_id, new Set<string>()]));
    for (let round = 0; round < 5; round++) {
      for (const send of sends) {
        const visits = Array.from({ length: Math.floor(random() * 4) }, () => {
          const link = Math.floor(random() * 4) - 1;
          const isRobot = random() < 0.3;
          // A minute apart from all others, so that each is judged by itself
          const at = new Date(LATER.getTime() + Math.floor(random() * 1e6) * MINUTE_MS);
          if (!isRobot) expected.get(send._id)?.add(link < 0 ? "OPEN" : `CLICK https://shop.test/${link}`);
          return { ...(link >= 0 && { link }), at, method: isRobot ? "HEAD" : "GET" };
        });
        if (visits.length > 0) await visit(send, ...visits);
      }
      await Promise.all([settleHits(NOWHERE), settleHits(NOWHERE), settleHits(NOWHERE)]);
    }
    await settleAll();
    for (const send of sends) {
      const told = (await toldOf(send)).map(({ type, data }) => (type === "OPEN" ? type : `CLICK ${data["url"]}`));
      expect(told.sort()).toEqual([...(expected.get(send._id) ?? [])].sort());
      const counted = (await findHits(workspaceId, [send._id])).filter(({ hitClass }) => hitClass === "HUMAN");
      const firstOf = (kind: Hit["kind"]) =>
        counted
          .filter((hit) => hit.kind === kind)
          .map(({ at }) => at.getTime())
          .sort((a, b) => a - b)[0] ?? null;
      const recipient = await scoped(workspaceId).Recipient.get(
        recipients.find(({ _id }) => _id === send.recipientId)?._id ?? "",
      );
      expect([recipient?.openedAt?.getTime() ?? null, recipient?.clickedAt?.getTime() ?? null]).toEqual([
        firstOf("OPEN"),
        firstOf("CLICK"),
      ]);
    }
  }
});

function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

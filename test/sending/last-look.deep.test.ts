import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { lastLook } from "../../store/sending/last-look.ts";
import { recordUnknown } from "../../store/sending/record.ts";
import { suppressAddress } from "../../store/suppression/suppress.ts";
import { randomFrom } from "../system/killed-worker.ts";
import { claimed, domainOf, rest, useSetup, workspaceId } from "./last-look-setup.ts";

useSetup();

test("in any order of stops and last checks, no email enters DATA after a stop has been acknowledged", async () => {
  const random = randomFrom(11);
  const seen = { began: 0, withdrawn: 0 };
  for (let race = 0; race < 150; race++) {
    const mail = await claimed(race % 8);
    const { request, campaignId, email, mailboxId } = mail;
    const sending = async () => {
      await sleep(14 * random());
      if ((await lastLook(request)) !== null) return Number.NEGATIVE_INFINITY;
      const began = performance.now();
      await sleep(4 * random());
      await recordUnknown(request.send, request.attemptId);
      return began;
    };
    const stopping = async () => {
      await sleep(12 * random());
      const stop = [
        () => suppressAddress(workspaceId, email, "UNSUBSCRIBED"),
        () => rest.post("/block-list", { value: domainOf(email) }),
        () => rest.post("/mailboxes/manage", { action: "pause", mailboxId }),
        () => rest.post(`/campaigns/${campaignId}/control`, { action: "pause" }),
      ][race % 4];
      await stop?.();
      return performance.now();
    };
    const [began, answered] = await Promise.all([sending(), stopping()]);
    expect(began).toBeLessThan(answered);
    seen[Number.isFinite(began) ? "began" : "withdrawn"]++;
    await rest.post("/mailboxes/manage", { action: "resume", mailboxId });
  }
  // A race that only one side ever wins would prove nothing
  expect(Math.min(seen.began, seen.withdrawn)).toBeGreaterThan(10);
}, 240_000);

import { expect, test } from "@jest/globals";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { judgeMailbox, setHealthy } from "../../store/mailboxes/health.ts";
import { storedMailbox } from "../campaigns/campaign-parts.ts";
import { randomFrom } from "../system/killed-worker.ts";
import { tellFacts } from "./health-parts.ts";
import { rest, useSetup, workspaceId } from "./health-setup.ts";

useSetup();

test("a replay of a month with the original thresholds returns the stored history, including changes that users made", async () => {
  const mailbox = await storedMailbox(workspaceId);
  const random = randomFrom(11);
  const start = Date.now() - 30 * DAY_MS;
  for (let hours = 0; hours < 30 * 24; hours += 5) {
    const at = new Date(start + hours * HOUR_MS + Math.floor(random() * HOUR_MS));
    const bad = random() < 0.12;
    await tellFacts(
      workspaceId,
      mailbox._id,
      { sent: Math.floor(random() * 25), ...(bad && { bounced: 1 + Math.floor(random() * 4) }) },
      at,
    );
    if (random() < 0.8) await tellFacts(workspaceId, mailbox._id, { seen: 3, inSpam: bad ? 2 : 0 }, at);
    if (hours === 400) {
      const current = await scoped(workspaceId).Mailbox.get(mailbox._id);
      if (current !== null) await inTransaction(() => setHealthy(current, "key_test", at));
    } else await judgeMailbox(workspaceId, mailbox._id, at);
  }
  const { body: stored } = await rest.get(`/mailboxes/${mailbox._id}/health?days=60`);
  expect(stored.length).toBeGreaterThan(4);
  expect(stored.map(({ by }: { by: string }) => by)).toContain("PERSON");
  const asked = { mailboxIds: [mailbox._id], days: 60 };
  const { status, body } = await rest.post("/mailboxes/health/replay", asked);
  expect(status).toBe(200);
  expect(body.items[0].changes).toEqual(stored);
  const { body: record } = await rest.get(`/mailboxes/${mailbox._id}`);
  expect(body.items[0]).toMatchObject({
    band: record.health.band,
    step: record.health.step,
    until: record.health.until,
  });
  const none = { WATCH: null, THROTTLED: null, QUARANTINED: null, BLOCKED: null };
  const loose = await rest.post("/mailboxes/health/replay", {
    ...asked,
    thresholds: { SPAM_RATE: none, BOUNCE_RATE: none },
  });
  expect(loose.body.items[0].changes.filter(({ by }: { by: string }) => by === "FACTS")).toEqual([]);
}, 120_000);

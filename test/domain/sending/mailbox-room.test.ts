import { expect, test } from "@jest/globals";
import type { Band, MailboxHealth } from "../../../domain/mailboxes/band.ts";
import { usedOn } from "../../../domain/sending/day-use.ts";
import { campaignRoom } from "../../../domain/sending/mailbox-room.ts";

const NOW = new Date("2026-03-02T12:00:00Z");

function healthOf(band: Band, more: Partial<MailboxHealth> = {}): MailboxHealth {
  return {
    phase: "TERM",
    band,
    since: NOW,
    until: null,
    step: band === "THROTTLED" ? 75 : null,
    cameFrom: null,
    termDays: 3,
    measure: "BOUNCE_RATE",
    numerator: 3,
    denominator: 100,
    threshold: 0.03,
    factsSince: null,
    stepSince: null,
    reviewedAt: NOW,
    nextReviewAt: NOW,
    score: null,
    busiestDay: null,
    ...more,
  };
}

const mailbox = {
  provider: "SMTP" as const,
  email: "ann@acme.test",
  dailySendLimit: 50,
  warmupTarget: 0,
  coldLimit: null,
  health: null,
};

test.each([
  ["only its own limits where nothing else holds", {}, null],
  ["what warmup leaves of its day", { warmupTarget: 20 }, { limit: 30, by: "WARMUP_ROOM" }],
  ["what it has come up to since it is warm", { coldLimit: 12 }, { limit: 12, by: "COLD_LIMIT" }],
  ["the least of all", { warmupTarget: 45, coldLimit: 12 }, { limit: 5, by: "WARMUP_ROOM" }],
  ["one mail at least", { warmupTarget: 50 }, { limit: 1, by: "WARMUP_ROOM" }],
  ["a share of its day, rounded down", { health: healthOf("THROTTLED") }, { limit: 37, by: "MAILBOX_BAND" }],
  [
    "a share of what warmup leaves",
    { health: healthOf("THROTTLED"), warmupTarget: 20 },
    { limit: 22, by: "MAILBOX_BAND" },
  ],
  [
    "one mail at least by its first step",
    { health: healthOf("THROTTLED", { step: 25 }), dailySendLimit: 2 },
    { limit: 1, by: "MAILBOX_BAND" },
  ],
  ["all of it by its last step", { health: healthOf("THROTTLED", { step: 100 }) }, null],
  ["all of it while it is watched", { health: healthOf("WATCH") }, null],
  ["nothing while it is QUARANTINED", { health: healthOf("QUARANTINED") }, { limit: 0, by: "MAILBOX_BAND" }],
  ["nothing while it is BLOCKED", { health: healthOf("BLOCKED"), coldLimit: 5 }, { limit: 0, by: "MAILBOX_BAND" }],
  ["no limit where it has none", { dailySendLimit: 0, warmupTarget: 20 }, null],
  [
    "a share of its busiest day where it has no limit",
    { dailySendLimit: 0, health: healthOf("THROTTLED", { busiestDay: 80 }) },
    { limit: 60, by: "MAILBOX_BAND" },
  ],
  [
    "a share of its provider's limit where it has none of its own",
    { dailySendLimit: 0, provider: "PROVIDERA" as const, health: healthOf("THROTTLED", { step: 25 }) },
    { limit: 500, by: "MAILBOX_BAND" },
  ],
])("a mailbox's daily capacity for campaigns is %s", (_name, fields, room) => {
  expect(campaignRoom({ ...mailbox, ...fields })).toEqual(room);
});

test("a mailbox stored by an earlier version without warmup and health fields has only the mailbox's own limits", () => {
  const { warmupTarget, coldLimit, health, ...earlier } = mailbox;
  expect([warmupTarget, coldLimit, health]).toEqual([0, null, null]);
  expect(campaignRoom(JSON.parse(JSON.stringify(earlier)))).toBeNull();
});

test("manual emails and warmup emails count towards the mailbox's daily total but not towards campaign totals", () => {
  const day = {
    taken: [{ campaignId: "cmp_1" }, { campaignId: "cmp_2" }, { campaignId: "warmup" }],
    sent: 12,
    sentBy: { cmp_1: 3, cmp_2: 4, warmup: 4, none: 1 },
  };
  expect(usedOn(day, "cmp_1")).toEqual({ all: 15, campaigns: 9, ours: 4 });
});

import { expect, test } from "@jest/globals";
import { DEFAULT_SETTINGS } from "../../domain/campaigns/settings.ts";
import { RULE_CODES, rule } from "../../domain/recipients/explain.ts";
import { stopsOf } from "../../domain/recipients/stop-rules.ts";
import { verificationSettingsOf } from "../../domain/verification.ts";

test("a rule's text contains the values, rule codes are unique, and a recipient's stop rules follow from the campaign's settings", () => {
  expect(rule("MAILBOX_DAILY_LIMIT", { used: 50, limit: 50, until: null }).text).toBe(
    "The mailbox has used 50 of its 50 emails of the day: not before nothing",
  );
  expect(new Set(RULE_CODES).size).toBe(RULE_CODES.length);
  const facts = {
    companyDomain: "acme.com",
    verificationStatus: "VALID",
    verification: verificationSettingsOf({}),
    softFailures: 1,
    policyRefusals: 1,
    guardOverrideUntil: null,
    unsendableSince: null,
    now: 0,
  };
  const quiet = {
    ...DEFAULT_SETTINGS,
    stopOnReply: false,
    stopOnMeetingBooked: false,
    stopOnConversion: false,
    outOfOfficeMode: "IGNORE" as const,
  };
  const codes = (settings: typeof DEFAULT_SETTINGS) => stopsOf(settings, facts).map(({ code }) => code);
  expect(codes(DEFAULT_SETTINGS)).toEqual(
    expect.arrayContaining(["STOP_ON_REPLY", "STOP_ON_MEETING", "STOP_ON_CONVERSION", "OUT_OF_OFFICE_PAUSE"]),
  );
  expect(codes(quiet).filter((code) => code.startsWith("STOP_ON") || code.startsWith("OUT_OF"))).toEqual([]);
});

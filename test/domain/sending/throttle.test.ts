import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { DEFAULT_SETTINGS, type Settings } from "../../../domain/campaigns/settings.ts";
import { isThrottled, periodAt, throttlesOf } from "../../../domain/sending/throttle.ts";
import { HOUR_MS } from "../../../domain/time/durations.ts";

const mail = { campaignId: "cmp_1", to: "ada@mail.acme.co.uk", from: "me@Sender.test" };
const scopes = (settings: Partial<Settings>, to = mail.to) =>
  throttlesOf({ ...DEFAULT_SETTINGS, ...settings }, { ...mail, to }).map(({ scope, limit }) => [scope, limit]);

test("a campaign without throttle settings has no throttle", () => {
  expect(scopes({})).toEqual([]);
  expect(isThrottled(DEFAULT_SETTINGS)).toBe(false);
});

test.each<[string, Partial<Settings>, string, [string, number][]]>([
  ["a company, over its sub-domains", { companyDailyLimit: 3 }, mail.to, [["COMPANY:acme.co.uk", 3]]],
  [
    "of one campaign alone",
    { companyDailyLimit: 3, companyLimitScope: "CAMPAIGN" },
    mail.to,
    [["COMPANY:cmp_1:acme.co.uk", 3]],
  ],
  ["free mail is no company", { companyDailyLimit: 3 }, "ada@gmail.com", []],
  ["but has a domain", { recipientDomainHourlyLimit: 5 }, "ada@gmail.com", [["RECIPIENT_DOMAIN:gmail.com", 5]]],
  ["the sender's, case ignored", { senderDomainHourlyLimit: 9 }, mail.to, [["SENDER_DOMAIN:sender.test", 9]]],
])("an email counts towards the throttles of the campaign's settings: %s", (_name, settings, to, expected) => {
  expect(scopes(settings, to)).toEqual(expected);
});

test("each instant lies in exactly one throttle period, and periods follow each other without a gap", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), fc.constantFrom(HOUR_MS, 24 * HOUR_MS), (at, periodMs) => {
      const { start, end } = periodAt({ periodMs }, at);
      expect(start).toBeLessThanOrEqual(at);
      expect(end).toBeGreaterThan(at);
      expect(periodAt({ periodMs }, end).start).toBe(end);
      expect(periodAt({ periodMs }, end - 1).start).toBe(start);
    }),
  );
});

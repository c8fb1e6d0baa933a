import { expect, test } from "@jest/globals";
import {
  dayLimit,
  gapOf,
  isProvidersLimit,
  type ProvidedMailbox,
  paceSeconds,
  providerDayLimit,
} from "../../../domain/sending/provider-limits.ts";

test.each<[ProvidedMailbox["provider"], string, number | null]>([
  ["PROVIDERA", "ann@gmail.com", 500],
  ["PROVIDERA", "ann@googlemail.com", 500],
  ["PROVIDERA", "ann@acme.com", 2_000],
  ["PROVIDERA", "ann@mail.acme.co.uk", 2_000],
  ["PROVIDERB", "ann@outlook.com", 10_000],
  ["PROVIDERB", "ann@acme.com", 10_000],
  ["SMTP", "ann@gmail.com", null],
  ["SMTP", "ann@acme.com", null],
])("a %s mailbox with the address %s gets the daily limit of the provider", (provider, email, limit) => {
  expect(providerDayLimit({ provider, email })).toBe(limit);
});

test.each<[ProvidedMailbox["provider"], number, number | null, boolean]>([
  ["PROVIDERA", 0, 2_000, true],
  ["PROVIDERA", 50, 50, false],
  ["PROVIDERA", 2_000, 2_000, false],
  ["PROVIDERA", 5_000, 2_000, true],
  ["SMTP", 0, null, false],
  ["SMTP", 5_000, 5_000, false],
])(
  "the lower of the daily limit at %s and the mailbox's own limit of %s applies",
  (provider, dailySendLimit, limit, isTheirs) => {
    const mailbox = { provider, email: "ann@acme.com", dailySendLimit };
    expect([dayLimit(mailbox), isProvidersLimit(mailbox)]).toEqual([limit, isTheirs]);
  },
);

test("the sending gap is the mailbox's own, otherwise the campaign's, and never shorter than the provider's pace", () => {
  const campaign = { minGapSeconds: 0, maxGapSeconds: 840 };
  const none = { minGapSeconds: null, maxGapSeconds: null };
  expect(gapOf({ provider: "SMTP", ...none }, campaign)).toEqual(campaign);
  expect(gapOf({ provider: "SMTP", minGapSeconds: 60, maxGapSeconds: 90 }, campaign)).toEqual({
    minGapSeconds: 60,
    maxGapSeconds: 90,
  });
  expect(gapOf({ provider: "PROVIDERB", ...none }, campaign)).toEqual({ minGapSeconds: 2, maxGapSeconds: 840 });
  expect(gapOf({ provider: "PROVIDERB", minGapSeconds: 0, maxGapSeconds: 0 }, campaign)).toEqual({
    minGapSeconds: 2,
    maxGapSeconds: 2,
  });
  expect([paceSeconds({ provider: "PROVIDERA" }), paceSeconds({ provider: "PROVIDERB" })]).toEqual([0, 2]);
});

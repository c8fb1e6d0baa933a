import { expect, test } from "@jest/globals";
import { evidenceInWords, pauseInWords } from "../../../domain/mailboxes/refusal-evidence.ts";
import {
  type AttemptVerdict,
  countRefusals,
  judgeRefusals,
  lastAttempts,
  type RefusalAttempt,
  refusingOrganisations,
  verdictOfRefusal,
} from "../../../domain/mailboxes/refusals.ts";
import { DAY_MS } from "../../../domain/time/durations.ts";

const NOW = Date.parse("2026-11-27T10:00:00Z");

/**
 * Attempts in their order, each as `organisation@provider verdict`, the last one now; the verdict is POLICY unless
 * named.
 */
function attempts(...lines: string[]): RefusalAttempt[] {
  return lines.map((line, index) => {
    const [place = "", verdict = "POLICY", text = "t1"] = line.split(" ");
    const [organisation = "", provider = organisation] = place.split("@");
    const isVerdict = verdict as AttemptVerdict; // names of verdicts, by hand
    return { at: NOW - (lines.length - index) * 1_000, organisation, provider, verdict: isVerdict, text };
  });
}

const kindOf = (...lines: string[]) => judgeRefusals(lastAttempts(attempts(...lines), NOW)).kind;
const ok = (count: number, place = "fine.test@good.test") => Array.from({ length: count }, () => `${place} ACCEPTED`);

test("refusals by one organisation never pause the mailbox", () => {
  expect(kindOf(...Array(20).fill("harborview.test@big.test"))).toBe("GO_ON");
});

test("refusals by three organisations of one provider pause sending to that provider, unless it accepts as many emails", () => {
  const refused = ["a.test@big.test", "b.test@big.test", "c.test@big.test"];
  expect(kindOf(...refused.slice(0, 2))).toBe("GO_ON");
  expect(judgeRefusals(attempts(...refused))).toEqual({ kind: "PAUSE_PROVIDER", provider: "big.test" });
  expect(kindOf(...ok(3, "d.test@big.test"), ...refused)).toBe("GO_ON");
  expect(kindOf(...ok(2, "d.test@big.test"), ...refused)).toBe("PAUSE_PROVIDER");
});

test("refusals at two providers cool the mailbox down, unless one of them accepts as many emails", () => {
  expect(kindOf("a.test@big.test", "b.test@other.test")).toBe("COOL_DOWN");
  expect(kindOf(...ok(17), "a.test@big.test", "b.test@other.test")).toBe("COOL_DOWN");
  expect(kindOf(...ok(1, "c.test@other.test"), "a.test@big.test", "b.test@other.test")).toBe("GO_ON");
});

test("refusals by all of the last five organisations cool the mailbox down; refusals by four do not", () => {
  const refused = ["a", "b", "c", "d", "e"].map((name) => `${name}.test@big.test`);
  expect(kindOf(...refused)).toBe("COOL_DOWN");
  expect(kindOf(...ok(8, "old.test@big.test"), ...refused)).toBe("COOL_DOWN");
  expect(kindOf(...ok(8, "old.test@big.test"), ...refused.slice(0, 4))).toBe("GO_ON");
});

test("refusals about a recipient, an organisation, the sender or a rate do not pause the mailbox", () => {
  for (const verdict of ["RECIPIENT", "ORGANISATION", "SENDER", "RATE"]) {
    expect(kindOf(`a.test ${verdict}`, `b.test ${verdict}`, `c.test ${verdict}`)).toBe("GO_ON");
  }
});

test("refusals of one text as spam do not cool the mailbox down until another text is refused too", () => {
  expect(kindOf("a.test CONTENT t1", "b.test CONTENT t1", "c.test CONTENT t1")).toBe("GO_ON");
  expect(kindOf("a.test CONTENT t1", "b.test CONTENT t2")).toBe("COOL_DOWN");
});

test("only the last twenty attempts of a day count, and only those after the last decision", () => {
  const all = attempts(...Array(25).fill("a.test"));
  expect(lastAttempts(all, NOW)).toHaveLength(20);
  expect(lastAttempts(all, NOW)[0]?.at).toBe(NOW - 1_000);
  expect(lastAttempts(all, NOW + DAY_MS - 3_000)).toHaveLength(2);
  expect(lastAttempts(all, NOW, NOW - 4_000)).toHaveLength(3);
});

test("after a cool-down, organisations that refused more than they accepted come last", () => {
  const seen = attempts(
    "a.test",
    "b.test SENDER",
    "c.test RATE",
    "d.test RECIPIENT",
    "e.test",
    "e.test ACCEPTED",
    "f.test CONTENT t1",
  );
  expect(refusingOrganisations(seen)).toEqual(["a.test", "b.test", "f.test"]);
});

test("a temporary refusal does not count as an attempt", () => {
  expect(verdictOfRefusal({ about: "recipient", effect: "RETRY" })).toBeNull();
  expect(verdictOfRefusal({ about: "rate", effect: "SLOW_DOWN" })).toBeNull();
  expect(verdictOfRefusal({ about: "host", effect: "BREAKER" })).toBeNull();
  expect(verdictOfRefusal({ about: "policy", effect: "PUT_OFF" })).toBe("POLICY");
  expect(verdictOfRefusal({ about: "organisation", effect: "END" })).toBe("ORGANISATION");
});

test("the evidence is a sentence with its numbers", () => {
  const one = attempts(...ok(17), ...Array(3).fill("harborview.test"));
  const words = (by: "POLICY" | "SENDER" | "RATE", seen: RefusalAttempt[], organisation: string | null = null) =>
    evidenceInWords({ by, code: by === "POLICY" ? null : "550", organisation, counts: countRefusals(seen) });
  expect(words("POLICY", one)).toBe(
    "3 of the last 20 emails were refused, all by harborview.test; 17 others were accepted",
  );
  const several = attempts("a.test", "a.test", "b.test", "c.test", "d.test", "e.test");
  expect(words("POLICY", several)).toBe(
    "6 of the last 6 emails were refused, by a.test (2), b.test (1), c.test (1) and 2 others; none was accepted",
  );
  expect(words("SENDER", attempts("a.test SENDER"), "a.test")).toBe("a.test refused the sender of an email (550)");
  expect(words("SENDER", attempts("b.test ACCEPTED", "a.test SENDER"), "a.test")).toBe(
    "a.test refused the sender of an email (550). 1 of the last 2 emails was refused, by a.test; 1 other was accepted",
  );
  expect(words("RATE", [])).toBe("The mail server reported a sending limit (550)");
  expect(
    pauseInWords({
      provider: "big.test",
      counts: countRefusals(attempts("a.test@big.test", "b.test@big.test", "c.test@big.test")),
    }),
  ).toBe(
    "3 of the last 3 emails to customers of big.test were refused, by a.test (1), b.test (1) and c.test (1); none was accepted",
  );
});

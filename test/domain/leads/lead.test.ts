import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { foldedTerms } from "../../../domain/fold.ts";
import { applyLeadChange, blankLead, differences, initialLeadStateOf } from "../../../domain/leads/lead.ts";
import { afterPrefix } from "../../../domain/leads/search-words.ts";

const blank = blankLead("ada@x.example", "x.example");
const NOW = new Date("2026-01-01T00:00:00Z");

test("the full name follows first and last name until a user writes another", () => {
  const named = applyLeadChange(blank, { firstName: "Ada", lastName: "Byron" });
  expect(named.fullName).toBe("Ada Byron");
  expect(applyLeadChange(named, { lastName: "Lovelace" }).fullName).toBe("Ada Lovelace");
  const titled = applyLeadChange(named, { fullName: "Countess of Lovelace" });
  expect(applyLeadChange(titled, { firstName: "Augusta" }).fullName).toBe("Countess of Lovelace");
  expect(applyLeadChange(named, { firstName: null, lastName: null }).fullName).toBeNull();
});

test("a phone becomes revealed when there is one, and stays not_found until there is", () => {
  const unknown = { ...blank, phoneStatus: "not_found" as const };
  expect(applyLeadChange(unknown, { firstName: "Ada" }).phoneStatus).toBe("not_found");
  const revealed = applyLeadChange(unknown, { phone: "+44" });
  expect(revealed.phoneStatus).toBe("revealed");
  expect(applyLeadChange(revealed, { phone: null }).phoneStatus).toBe("not_revealed");
});

test("any prefix of a name, company, address or domain finds the lead", () => {
  const word = fc
    .string({ minLength: 1, maxLength: 40, unit: "grapheme" })
    .filter((text) => text.trim() !== "" && foldedTerms(text).length > 0);
  fc.assert(
    fc.property(word, word, fc.nat(40), (firstName, company, length) => {
      const lead = applyLeadChange(blank, { firstName, company });
      for (const text of [firstName, company, lead.email, lead.emailDomain]) {
        for (const term of foldedTerms(text)) {
          const begun = term.slice(0, length + 1).toWellFormed();
          if (begun !== term.slice(0, length + 1)) continue;
          expect(lead.searchWords.some((known) => inRange(known, begun))).toBe(true);
        }
      }
    }),
  );
});

/** The database orders texts by their bytes. */
function inRange(word: string, prefix: string): boolean {
  const bytes = Buffer.from(word);
  return Buffer.compare(bytes, Buffer.from(prefix)) >= 0 && Buffer.compare(bytes, Buffer.from(afterPrefix(prefix))) < 0;
}

test("the range of a prefix contains exactly the texts that begin with it", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: "grapheme" }), fc.string({ unit: "grapheme" }), (prefix, other) => {
      expect(inRange(prefix + other, prefix)).toBe(true);
      expect(inRange(other, prefix)).toBe(other.startsWith(prefix));
    }),
  );
});

test("a value that does not change is not written", () => {
  const lead = applyLeadChange(blank, { firstName: "Ada", tags: ["a"], customFields: { deep: { list: [1] } } });
  expect(
    differences(lead, applyLeadChange(lead, { firstName: "Ada", tags: ["a"], customFields: { deep: { list: [1] } } })),
  ).toBeNull();
  expect(differences(lead, applyLeadChange(lead, { customFields: { deep: { list: [2] } } }))).toEqual({
    customFields: { deep: { list: [2] } },
  });
});

test.each([
  [
    [],
    {
      suppressed: false,
      suppressionReason: null,
      suppressedAt: null,
      status: "ACTIVE",
      verificationStatus: "UNVERIFIED",
    },
  ],
  [["BLOCK_LISTED"], { suppressed: false, suppressionReason: null, status: "ACTIVE" }],
  [["BLOCK_LISTED", "MANUAL"], { suppressed: true, suppressionReason: "MANUAL", suppressedAt: NOW, status: "ACTIVE" }],
  [["OPT_OUT_REPLY"], { suppressed: true, suppressionReason: "OPT_OUT_REPLY", status: "UNSUBSCRIBED" }],
  [["HARD_BOUNCE"], { suppressed: true, status: "BOUNCED", verificationStatus: "INVALID" }],
] as const)("a new lead whose address is suppressed for %j starts as %j", (reasons, standing) => {
  expect(initialLeadStateOf(reasons, NOW)).toMatchObject(standing);
});

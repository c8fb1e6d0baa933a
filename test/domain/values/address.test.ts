import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { readAddress, readOneAddress } from "../../../domain/values/address.ts";
import { meantDomain } from "../../../domain/values/address-typo.ts";

const INVISIBLE = [
  "\u200b",
  "\u200e",
  "\u00ad",
  "\u202a",
  "\u202c",
  "\u2060",
  "\ufeff",
  "\u00a0",
  "\u2007",
  "\u3000",
  "\u034f",
];
const PAIRS = ['""', "''", "“”", "„“", "‘’", "«»", "»«", "‹›", "「」", "<>", "()", "[]", "{}", "（）", "``"];

test("an email address is read without the invisible characters, quotes, brackets and labels around the address", () => {
  const wrap = fc.tuple(
    fc.array(fc.constantFrom(...INVISIBLE, " ", "\t", "\n"), { maxLength: 4 }),
    fc.constantFrom("", ...PAIRS),
    fc.constantFrom("", "mailto:", "MAILTO:", "E-Mail: "),
    fc.constantFrom("", ".", ",", ";"),
    fc.array(fc.constantFrom(...INVISIBLE, " "), { maxLength: 4 }),
    fc.constantFrom("", ".", ","),
  );
  fc.assert(
    fc.property(wrap, ([before, pair, label, final, after, last]) => {
      const [open = "", close = ""] = [...pair];
      const written = `${before.join("")}${open}${label}ada@x.example${final}${close}${final === "." ? "" : last}${after.join("")}`;
      expect([written, readAddress(written)]).toMatchObject([written, { address: "ada@x.example", others: [] }]);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ["Ada Lovelace <ada@x.example>", "Ada Lovelace"],
  ['"Lovelace, Ada" <ADA@X.example>', "Lovelace, Ada"],
  ["Ada Lovelace (ada@x.example)", "Ada Lovelace"],
  ["“Ada Lovelace” <mailto:ada@x.example>", "Ada Lovelace"],
  ["Ada Lovelace [mailto:ada%40x.example?subject=Hi]", "Ada Lovelace"],
  ["ada@x.example <ada@x.example>", null],
  ["[ada@x.example](mailto:ada@x.example)", null],
  ["ada@x.example (work)", null],
  ["ada @ x.example", null],
  ["ａｄａ＠x．example", null],
  ["ada＠x。example", null],
  ["smtp:ada@x.example", null],
  ["'ada@x.example", null],
])("the email address in %j is read with the name %j", (written, name) => {
  expect(readAddress(written)).toMatchObject({ address: "ada@x.example", name, others: [] });
});

test.each([
  ["ada@x.example, bob@y.example"],
  ["ada@x.example;bob@y.example;"],
  ["ada@x.example / bob@y.example"],
  ["ada@x.example bob@y.example"],
  ["ada@x.example\nbob@y.example"],
  ["ada@x.example|bob@y.example"],
  ["ada@x.example or bob@y.example"],
  ["ada@x.example und bob@y.example"],
  ["Ada <ada@x.example>, Bob <bob@y.example>"],
  ["<ada@x.example>;<bob@y.example>"],
])("the first of the email addresses in %j counts, and the other is reported", (written) => {
  expect(readAddress(written)).toMatchObject({ address: "ada@x.example", others: ["bob@y.example"] });
  expect(readOneAddress(written)).toBeNull();
});

test.each([
  "",
  "@",
  "ada@x",
  "ada@@x.example",
  "ada@exampl…",
  "ada@x.example...",
  "ada lovelace@x.example",
  "do not mail ada@x.example",
  "ada@x.example, ada king@y.example",
  "ada@x.example?",
  `${"x".repeat(5_000)}@x.example`,
])("no email address is read from %j", (written) => {
  expect(readAddress(written)).toBeNull();
});

test.each([
  "o'brien@x.example",
  "a/b@x.example",
  "a+b@x.example",
  "a_b.c-d@x.example",
  "{a}@x.example",
  "ünal@x.example",
])("the email address %j stays unchanged", (address) => {
  expect(readAddress(address)?.address).toBe(address);
});

test.each([
  ["gmial.com", "gmail.com"],
  ["gamil.com", "gmail.com"],
  ["gnail.com", "gmail.com"],
  ["gmail.con", "gmail.com"],
  ["gmail.co", "gmail.com"],
  ["gmaill.cm", "gmail.com"],
  ["hotmial.com", "hotmail.com"],
  ["hotmal.com", "hotmail.com"],
  ["yahho.com", "yahoo.com"],
  ["yahoo.co.ukk", "yahoo.co.uk"],
  ["outlok.com", "outlook.com"],
  ["iclould.com", "icloud.com"],
  ["protonmial.com", "protonmail.com"],
  ["googelmail.com", "googlemail.com"],
  ["t-onlin.de", "t-online.de"],
  ["gmx.dee", "gmx.de"],
  ["acme.con", "acme.com"],
  ["mail.acme.ocm", "mail.acme.com"],
])("the domain %s is reported as a probable typo of %s", (domain, meant) => {
  expect(meantDomain(domain)).toBe(meant);
});

test.each(
  "gmail.com gmx.com gmx.de mail.com email.com ymail.com fmail.com me.com mac.com web.de live.de hotmail.fr outlook.de yahoo.co.uk yahoo.net proton.me hitmail.com acme.com acme.co acme.cm acme.io hotel.com hotmart.com acme.test acme.example acme.local mail.ru orange.fr google.com".split(
    " ",
  ),
)("the domain %s is not reported as a typo", (domain) => {
  expect(meantDomain(domain)).toBeNull();
});

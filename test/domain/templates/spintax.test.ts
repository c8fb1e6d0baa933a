import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { expand, parseSpintax } from "../../../domain/templates/spintax.ts";

const seed = { recipientId: "rcp_1", stepId: "stp_1", variantId: "var_1" };
const written = (source: string, from = seed) => expand(parseSpintax(source).pieces, from);

test.each([
  ["CSS rules", "a { color: red } @media x { b { top: 0 } }"],
  ["a style block with pipes", "<style>a[lang|=en]{color:red|blue}</style>"],
  ["Liquid outputs and filters", "{{ firstName | default: 'you|me' }}"],
  ["Liquid tags", "{% if a == 'x|y' %}1{% endif %}"],
  ["a lone brace", "a { b"],
  ["a pipe outside braces", "a | b"],
  ["a stray closing brace", "a | b } c"],
  ["an unclosed group", "{a|b"],
])("%s pass through spintax unchanged", (_what, source) => {
  expect(written(source)).toBe(source);
});

test("an escaped brace or pipe is literal, and two escaped braces never become a Liquid token", () => {
  expect(written("\\{a\\|b\\}")).toBe('{{"{"}}a|b}');
  expect(parseSpintax("\\{a|b\\}").groups).toHaveLength(0);
});

test("a spintax group around Liquid tokens keeps the tokens whole", () => {
  expect(["Hi {{ a | upcase }}", "Dear {{b}}"]).toContain(written("{Hi {{ a | upcase }}|Dear {{b}}}"));
});

test("spintax groups may be nested and are numbered by their opening brace", () => {
  const { groups } = parseSpintax("{a {b|c}|d} {e|f}", 3);
  expect(groups.map(({ number, options }) => [number, options.length])).toEqual([
    [3, 2],
    [4, 2],
    [5, 2],
  ]);
});

test("the same ids always choose the same spintax options, and many ids together choose every combination", () => {
  const source = "{a|b|c}{d|e|f}";
  expect(written(source)).toBe(written(source));
  const seen = new Set(Array.from({ length: 300 }, (_, n) => written(source, { ...seed, recipientId: `rcp_${n}` })));
  expect(seen.size).toBe(9);
});

test("a spintax group chooses exactly one of the options, whatever text surrounds the group", () => {
  const word = fc.stringMatching(/^[a-z ]{0,8}$/);
  fc.assert(
    fc.property(
      word,
      fc.array(word, { minLength: 2, maxLength: 5 }),
      word,
      fc.string(),
      (before, options, after, recipientId) => {
        const out = written(`${before}{${options.join("|")}}${after}`, { ...seed, recipientId });
        expect(options.map((option) => before + option + after)).toContain(out);
      },
    ),
  );
});

test("the spintax parser accepts every text within the nesting limit, and replacing its spintax by blanks keeps its length", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("{", "}", "|", "\\", "{{", "}}", "{%", "%}", '"', "a", "<style>"), { maxLength: 19 }),
      (parts) => {
        const source = parts.join("").replaceAll("{{", "{");
        expect(parseSpintax(source).blanked).toHaveLength(source.length);
        expand(parseSpintax(source).pieces, seed);
      },
    ),
  );
});

test("spintax braces nested deeper than twenty levels are refused with line and column", () => {
  expect(() => parseSpintax(`\n${"{".repeat(21)}`)).toThrow(
    expect.objectContaining({ code: "TEMPLATE_INVALID", details: { line: 2, column: 21 } }),
  );
});

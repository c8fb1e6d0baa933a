import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { tagList, tagsIn } from "../../../domain/leads/typed-cell.ts";

test.each([
  ["a; b,c", ["a", "b", "c"]],
  [' a , ,; "b, c" ;d ', ["a", "b, c", "d"]],
  ['5" pipe, "quoted" and more, "open', ['5" pipe', '"quoted" and more', '"open']],
  ['"say ""hi"""', ['say "hi"']],
  ["", []],
])("the tag list %j is read as the tags %j", (text, tags) => {
  expect(tagsIn(text)).toEqual(tags);
});

test("plain tags are written without quotes, and a written tag list is read back unchanged", () => {
  expect(tagList(["new", "big deal", 'a"b'])).toBe('new, big deal, a"b');
  const tag = fc.string({ unit: fc.constantFrom(..."\",; \n'=ab"), minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(fc.array(tag, { maxLength: 5 }), (tags) => {
      expect(tagsIn(tagList(tags))).toEqual(tags);
    }),
    { numRuns: 1_000 },
  );
});

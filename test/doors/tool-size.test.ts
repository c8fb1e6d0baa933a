import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { fitText, MOST_CHARACTERS } from "../../mcp/fit.ts";

const long = (length: number) =>
  fc.string({ minLength: 0, maxLength: 50, unit: "binary" }).map((text) => text.repeat(Math.ceil(length / 50)));

test("every answer of a tool is valid JSON of at most 25,000 characters, without broken Unicode characters", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const large = fc.dictionary(
    fc.string({ maxLength: 10 }),
    fc.oneof(value, long(30_000), fc.array(long(900), { maxLength: 60 })),
    {
      maxKeys: 6,
    },
  );
  fc.assert(
    fc.property(fc.oneof(value, large), (answer) => {
      const { text, isTruncated } = fitText(answer);
      expect(text.length).toBeLessThanOrEqual(MOST_CHARACTERS);
      const read = JSON.parse(text);
      if (isTruncated) expect(read.truncated).toBe(true);
      else expect(text).toBe(JSON.stringify(answer));
    }),
    { numRuns: 60 },
  );
});

test("paging by `next` returns each entry once, whatever the size of the entries and of the first page", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(fc.nat(3_000), { minLength: 1, maxLength: 90 }),
        fc.array(fc.oneof(fc.nat(12_000), fc.nat(60_000)), { minLength: 1, maxLength: 90 }),
      ),
      fc.constantFrom(200, 120, 100, 50, 40),
      (lengths, first) => {
        const all = lengths.map((length, id) => ({ id, text: "x".repeat(length) }));
        const met: number[] = [];
        let ask: { page: number; pageSize: number } | undefined = { page: 1, pageSize: first };
        while (ask !== undefined) {
          const { page, pageSize }: { page: number; pageSize: number } = ask;
          const items = all.slice((page - 1) * pageSize, page * pageSize);
          const read = JSON.parse(fitText({ items, total: all.length, page, pageSize }).text);
          met.push(...read.items.map(({ id }: { id: number }) => id));
          for (const { id, text } of read.items) if (read.cut === undefined) expect(text).toBe(all[id]?.text);
          expect([read.page, read.next?.page ?? 1].every(Number.isInteger)).toBe(true);
          ask = read.next;
        }
        expect(met).toEqual(all.map(({ id }) => id));
      },
    ),
    { numRuns: 40 },
  );
});

test("a cut answer lists path and length of each cut value, and keeps numbers, dates and ids", () => {
  const answer = {
    id: "cmp_1",
    at: "2026-11-23T00:00:00.000Z",
    count: 7,
    text: "😀".repeat(20_000),
    list: Array.from({ length: 9_000 }, (_, at) => at),
  };
  const read = JSON.parse(fitText(answer).text);
  expect(read).toMatchObject({ id: "cmp_1", at: answer.at, count: 7, truncated: true });
  expect(read.cut.map(({ path }: { path: string }) => path).sort()).toEqual(["list", "text"]);
  for (const { path, kept, of } of read.cut)
    expect([path, kept < of, of]).toEqual([path, true, path === "list" ? 9_000 : 40_000]);
  expect(read.text.isWellFormed()).toBe(true);
});

test("a long text that ends like the note of a cut one is cut at its own end", () => {
  const text = `${"x".repeat(40_000)}...[7 more characters]`;
  const { text: note, cut } = JSON.parse(fitText({ id: "cmp_1", text }).text);
  expect(cut).toEqual([{ path: "text", kept: expect.any(Number), of: text.length }]);
  expect(note).toBe(`${text.slice(0, cut[0].kept)}...[${text.length - cut[0].kept} more characters]`);
});

import type { Guard } from "../guard.ts";

/** Guards against files of people that are read wrongly or take the memory of the service. */
export const FILES: Guard[] = [
  {
    guard: "Columns of one name fill one field only where they agree",
    file: "operations/leads/import.ts",
    text: "return agree ? null : line",
    instead: "return agree || line !== null ? null : line",
    test: "test/leads/import-workbook.test.ts",
    only: "columns with the same name",
  },
  {
    guard: "Columns of one name that differ in a row are known to differ",
    file: "domain/csv/columns.ts",
    text: "if (cellTexts.size > 1) this.#differing.set(first, line);",
    instead: "",
    test: "test/domain/csv/columns.test.ts",
  },
  {
    guard: "A file that keeps to RFC 4180 is never read as one whose quotes are escaped by backslashes",
    file: "domain/csv/quotes.ts",
    text: "if (least >= byRule) return null;",
    instead: "",
    test: "test/domain/csv/quotes.test.ts",
  },
  {
    guard: "A workbook unpacks to no more than its limit, by what its directory says",
    file: "domain/csv/workbook-parts.ts",
    text: "if (unpacked > MAX_UNPACKED_BYTES) throw sizeError();",
    instead: "",
    test: "test/domain/csv/workbook.test.ts",
  },
  {
    guard: "Texts that the cells of a workbook share are limited, because they are kept",
    file: "domain/csv/workbook.ts",
    text: "if (strings !== null && strings.size > MAX_SHARED_BYTES) throw sizeError();",
    instead: "",
    test: "test/domain/csv/workbook.test.ts",
  },
  {
    guard: "Gaps and texts that cells share do not make a table without end",
    file: "domain/csv/workbook.ts",
    text: "if (this.#total > MAX_CHARACTERS)",
    instead: "if (false)",
    test: "test/domain/csv/workbook.test.ts",
  },
  {
    guard: "A cell far to the right does not make a row of as many blank cells",
    file: "domain/csv/workbook.ts",
    text: "if (this.#place >= MAX_COLUMNS) {",
    instead: "if (false) {",
    test: "test/domain/csv/workbook.test.ts",
  },
  {
    guard: "Elements of a workbook nest only so deep",
    file: "domain/csv/workbook-parts.ts",
    text: "if (++depth > MOST_NESTED) throw damageError();",
    instead: "",
    test: "test/domain/csv/workbook.test.ts",
  },
  {
    guard: "A tag of a workbook that does not end is not kept",
    file: "domain/csv/workbook-parts.ts",
    text: "if (silent > MOST_IN_A_TAG) throw damageError();",
    instead: "",
    test: "test/domain/csv/workbook.test.ts",
  },
  {
    guard: "A workbook that is too large is refused while it arrives",
    file: "domain/csv/table.ts",
    text: "if (size > MAX_WORKBOOK_BYTES) {",
    instead: "if (false) {",
    test: "test/domain/csv/workbook.test.ts",
  },
];

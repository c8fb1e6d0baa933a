import type { Guard } from "../guard.ts";

/** Rows and texts that do not fit a result, and what errors say about limits. */
export const TOOL_PAGES: readonly Guard[] = [
  {
    guard: "A part of a long row is read by the id of the row",
    file: "operations/leads/export.ts",
    text: "if (offset > 0 && rowId === undefined)",
    instead: "if (offset < 0)",
    test: "test/doors/tool-pages.test.ts",
    only: "a cell of 25,000 characters",
  },
  {
    guard: "An export reads on after the last row, not at a position",
    file: "operations/leads/export.ts",
    text: "if (after === undefined) return pageOfLeads(",
    instead: "if (after !== null) return pageOfLeads(",
    test: "test/doors/tool-pages.test.ts",
    only: "between the pages of an export",
  },
  {
    guard: "A header that is too long to repeat is given in parts",
    file: "operations/csv-export.ts",
    text: "isHeaderLong && before === 0 ?",
    instead: "isHeaderLong && before < 0 ?",
    test: "test/doors/tool-pages.test.ts",
    only: "pages of CSV",
  },
  {
    guard: "The URL of a long row leads to this row alone",
    file: "operations/leads/export.ts",
    text: 'kind: "lead", asked: { leadId: longRow.id }',
    instead: 'kind: "leads", asked: {}',
    test: "test/doors/tool-pages.test.ts",
    only: "a cell of 25,000 characters",
  },
  {
    guard: "A limit of 0 does not claim to reset",
    file: "store/daily-caps.ts",
    text: 'if (most === 0 && by === "OPERATOR")',
    instead: "if (most < 0)",
    test: "test/abuse/daily-caps.test.ts",
    only: "the operator limits tests and rows",
  },
  {
    guard: "A claim that a limit of 0 refuses names no day on which it would pass",
    file: "store/sending/caps.ts",
    text: "return most + reserveFor(sends) === 0 ? null : nextUtcDay(now);",
    instead: "return nextUtcDay(now);",
    test: "test/abuse/limit.test.ts",
    only: "a removed limit stops no email",
  },
  {
    guard: "A reached limit starts anew at the midnight after the attempt, not after the error was read",
    file: "domain/sending/send-error.ts",
    text: "if (resetsAt !== undefined) return resetsAt;",
    instead: "",
    test: "test/domain/sending/send-error.test.ts",
    only: "just before midnight",
  },
  {
    guard: "A text that ends like our own note is cut without losing its end from the count",
    file: "mcp/shorten.ts",
    text: "const text = String(inner).slice(0, before?.kept);",
    instead: 'const text = String(inner).replace(/\\.\\.\\.\\[\\d+ more characters\\]$/, "");',
    test: "test/doors/tool-size.test.ts",
    only: "ends like the note",
  },
];

import { expect, test } from "@jest/globals";
import { FileColumns } from "../../../domain/csv/columns.ts";

const columnsOf = (...cells: string[]) => new FileColumns({ line: 1, cells });

test("a column without a name is named after its position, with a name that no other column has", () => {
  expect(columnsOf(" Email ", "", "First\nname", " ", "__proto__").names).toEqual([
    "Email",
    "Column 2",
    "First\nname",
    "Column 4",
    "Column 5",
  ]);
  expect(columnsOf("", "Column 1").names).toEqual(["Column 1'", "Column 1"]);
});

test("columns with equal names get numbers, ignoring case and invisible characters", () => {
  expect(columnsOf("Telefon", "TELEFON", "\u200btelefon\u00a0").names).toEqual(["Telefon", "TELEFON 2", "telefon 3"]);
  expect(columnsOf("a", "a 2", "a").names).toEqual(["a", "a 2", "a 3"]);
  expect(columnsOf("\ufeffa", "b").names).toEqual(["a", "b"]);
});

test("more columns than a file may have are refused", () => {
  const many = Array.from({ length: 1_001 }, (_, at) => `c${at}`);
  expect(columnsOf(...many.slice(1)).names).toHaveLength(1_000);
  const issues = [{ path: "file", code: "TOO_MANY_COLUMNS", message: expect.stringMatching(/^line 1 /) }];
  expect(() => columnsOf(...many)).toThrow(expect.objectContaining({ details: { line: 1, issues } }));
});

test("two columns with equal names agree as long as no row has different values in them", () => {
  const columns = columnsOf("email", "phone", "Phone", "other");
  const see = (line: number, ...cells: string[]) => columns.see({ line, cells });
  see(2, "a", "1", " 1 ", "2");
  see(3, "b", "1", "", "2");
  see(4, "c", "", "2");
  see(5, "d");
  expect(columns.agreementOf("phone", "Phone 2")).toEqual({ agree: true, line: null });
  see(6, "e", "1", "2");
  see(7, "f", "3", "4");
  expect(columns.agreementOf("Phone 2", "phone")).toEqual({ agree: false, line: 6 });
  expect(columns.agreementOf("phone", "other")).toEqual({ agree: false, line: null });
});

test("a column without a name is ignored when all its cells are empty", () => {
  const columns = columnsOf("email", "", "", "name");
  columns.see({ line: 2, cells: ["a", " ", "x", ""] });
  expect(columns.filled()).toEqual(["email", "Column 3", "name"]);
  columns.widen(6);
  columns.see({ line: 3, cells: ["a", "", "", "", "", "y"] });
  expect(columns.names).toEqual(["email", "Column 2", "Column 3", "name", "Column 5", "Column 6"]);
  expect(columns.filled()).toEqual(["email", "Column 3", "name", "Column 6"]);
});

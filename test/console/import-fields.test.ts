import { expect, test } from "@jest/globals";
import { typeOf } from "../../console/pages/leads-import/suggest-type.ts";

test.each([
  { cells: ["1.234,50", "99"], type: "NUMBER" },
  { cells: ["€ 1,200", "0.5", "(12)"], type: "NUMBER" },
  { cells: ["+49 30 1234567", "+49301234567"], type: "TEXT" },
  { cells: ["030 1234567", "0301234567"], type: "TEXT" },
  { cells: ["(030) 1234567"], type: "TEXT" },
  { cells: ["01067", "80331"], type: "TEXT" },
  { cells: ["12", "many"], type: "TEXT" },
  { cells: ["2026-05-01", "1.2.2026"], type: "DATE" },
  { cells: ["https://a.test", "www.b.test"], type: "URL" },
  { cells: [], type: "TEXT" },
])("a column with the cells $cells suggests the type $type", ({ cells, type }) => {
  expect(typeOf(cells)).toBe(type);
});

import { expect, test } from "@jest/globals";
import { readMapping } from "../../../domain/leads/columns.ts";
import type { DeclaredField } from "../../../domain/leads/custom-field.ts";
import { type Columns, isLeadRow, readRow } from "../../../domain/leads/import-row.ts";

const declared = new Map<string, DeclaredField>([
  ["size", { key: "size", type: "NUMBER", options: null }],
  ["since", { key: "since", type: "DATE", options: null }],
  ["site", { key: "site", type: "URL", options: null }],
]);
const COLUMNS: Columns = {
  mapping: readMapping(
    {
      email: "email",
      phone: "phone",
      timezone: "timezone",
      city: "city",
      zip: "customFields.zip",
      size: "customFields.size",
      since: "customFields.since",
      site: "customFields.site",
    },
    true,
  ),
  declared,
  dayOrders: new Map(),
};

/**
 * A cell as people write it, and what is stored of it; a code where it is left out with a warning. `{n}` is the number
 * of the row.
 */
const KINDS: [column: string, cell: string, stored: unknown][] = [
  ["email", "\u200ba{n}@x.example", "a{n}@x.example"],
  ["email", "a{n}@x.example\u00a0", "a{n}@x.example"],
  ["email", "\u202aa{n}@x.example\u202c", "a{n}@x.example"],
  ["email", "a{n}@x.exa\u00admple", "a{n}@x.example"],
  ["email", "“a{n}@x.example”", "a{n}@x.example"],
  ["email", "<a{n}@x.example>", "a{n}@x.example"],
  ["email", "Ada <A{n}@X.example>", "a{n}@x.example"],
  ["email", "MAILTO:a{n}@x.example?subject=Hi", "a{n}@x.example"],
  ["email", "a{n}@x.example.", "a{n}@x.example"],
  ["email", "'a{n}@x.example'", "a{n}@x.example"],
  ["email", "ａ{n}＠x.example", "a{n}@x.example"],
  ["email", '="a{n}@x.example"', "a{n}@x.example"],
  ["email", '=HYPERLINK("mailto:a{n}@x.example","a{n}@x.example")', "a{n}@x.example"],
  ["timezone", "W. Europe Standard Time", "Europe/Berlin"],
  ["timezone", "(UTC-08:00) Pacific Time (US & Canada)", "America/Los_Angeles"],
  ["timezone", "UTC+2", "Etc/GMT-2"],
  ["timezone", "GMT+05:30", "Asia/Kolkata"],
  ["timezone", "europe/berlin", "Europe/Berlin"],
  ["timezone", "America/New York", "America/New_York"],
  ["timezone", "Zürich", "Europe/Zurich"],
  ["zip", '="01067"', "01067"],
  ["zip", '=T("01067")', "01067"],
  ["zip", "'01067", "01067"],
  ["phone", '="0049301234"', "0049301234"],
  ["size", "1,200", 1_200],
  ["size", "1.5E+3", 1_500],
  ["size", "$ 3,000", 3_000],
  ["size", "12 %", 12],
  ["since", "12. März 2024", "2024-03-12"],
  ["since", "May 2024", "2024-05-01"],
  ["since", "25/06/2024", "2024-06-25"],
  ["site", "www.x.example", "https://www.x.example"],
  ["phone", "4.92E+11", "DIGITS_LOST"],
  ["zip", "4,92E+11", "DIGITS_LOST"],
  ["phone", "########", "DIGITS_LOST"],
  ["city", "=VLOOKUP(A1,B:C,2)", "FORMULA"],
  ["timezone", "Mars/Phobos", "UNKNOWN_TIMEZONE"],
  ["timezone", "IST", "UNKNOWN_TIMEZONE"],
  ["since", "05/06/2024", "AMBIGUOUS_DATE"],
  ["size", "a dozen", "TYPE_MISMATCH"],
];
const LOST = /^[A-Z_]{6,}$/;
const ROWS = 5_000;

test("32 of 40 kinds of messy cells are recovered, and the other kinds are left out with a warning", () => {
  expect(KINDS).toHaveLength(40);
  const recovered = new Set<number>();
  for (let row = 1; row <= ROWS; row++) {
    const kind = row % KINDS.length;
    const [column = "", cell = "", stored] = KINDS[kind] ?? [];
    const { read, warnings } = readRow(
      { email: `a${row}@x.example`, [column]: cell.replaceAll("{n}", `${row}`) },
      row,
      { ...COLUMNS },
    );
    if (!isLeadRow(read)) throw new Error(`Row ${row} was refused: ${cell}`);
    const found = { ...read.change, ...read.change.customFields, email: read.email };
    const isLost = typeof stored === "string" && LOST.test(stored);
    const expected = typeof stored === "string" ? stored.replaceAll("{n}", `${row}`) : stored;
    expect([cell, warnings.map(({ code }) => code), Reflect.get(found, column)]).toEqual([
      cell,
      isLost ? [stored] : [],
      isLost ? undefined : expected,
    ]);
    if (!isLost) recovered.add(kind);
  }
  expect(recovered.size).toBe(32);
});

test("a clean file of 5,000 rows causes no warning", () => {
  const domains = [
    "x.example",
    "gmail.com",
    "gmx.de",
    "mail.com",
    "ymail.com",
    "yahoo.co.uk",
    "acme.co",
    "web.de",
    "hotmail.fr",
  ];
  const zones = Intl.supportedValuesOf("timeZone");
  const warned = Array.from({ length: ROWS }, (_, row) => {
    const cells = {
      email: `ada.${row}@${domains[row % domains.length]}`,
      phone: `+49 351 ${10_000 + row}`,
      timezone: zones[row % zones.length],
      city: "Dresden",
      zip: `0${1_000 + row}`,
      size: `${row}`,
      since: "2024-05-12",
      site: "https://x.example/12E4",
    };
    return readRow(cells, row, COLUMNS).warnings;
  });
  expect(warned.flat()).toEqual([]);
});

test("the warnings about a time zone and an email address suggest the probable value", () => {
  const { warnings } = readRow({ email: "ada@gmial.com; bob@x.example", timezone: "Europe/Berln" }, 7, COLUMNS);
  expect(warnings).toEqual([
    { row: 7, column: "timezone", code: "UNKNOWN_TIMEZONE", value: "Europe/Berln", suggestion: "Europe/Berlin" },
    { row: 7, column: "email", code: "SEVERAL_ADDRESSES", value: "ada@gmial.com; bob@x.example", suggestion: null },
    {
      row: 7,
      column: "email",
      code: "ADDRESS_TYPO",
      value: "ada@gmial.com; bob@x.example",
      suggestion: "ada@gmail.com",
    },
  ]);
});

test("a cell that starts like a formula is plain text if the row does not come from a spreadsheet", () => {
  const cells = { email: "ada@x.example", city: "=1+1", phone: "4.92E+11" };
  const { read, warnings } = readRow(cells, 1, { ...COLUMNS, isOfSheet: false });
  expect(read).toMatchObject({ change: { city: "=1+1", phone: "4.92E+11" } });
  expect(warnings).toEqual([]);
});

import { describe, expect, test } from "@jest/globals";
import { writeXlsx } from "hucre/xlsx";
import { openTable } from "../../../domain/csv/table.ts";
import { archive, EMPTY_BOOK, workbook } from "../../support/workbooks.ts";

async function recordsIn(bytes: Uint8Array, size: number) {
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size));
  };
  return (await openTable(pieces())).records;
}

/** The rows of a file with their lines. */
async function read(bytes: Uint8Array, size = 10_000): Promise<[line: number, ...cells: string[]][]> {
  const records = await recordsIn(bytes, size);
  const rows: [number, ...string[]][] = [];
  for await (const some of records)
    rows.push(...some.map(({ line, cells }): [number, ...string[]] => [line, ...cells]));
  return rows;
}

const refused = (code: string, message: RegExp) => ({
  code: "VALIDATION_FAILED",
  details: { issues: [{ path: "file", code, message: expect.stringMatching(message) }] },
});
const inSheet = (rows: string, more = {}) => workbook({ sheet: `<sheetData>${rows}</sheetData>`, ...more });

describe("a workbook is read by its content", () => {
  test("as a library writes it, wherever the chunks end", async () => {
    const columns = [
      { key: "email", header: "E-Mail" },
      { key: "zip", header: "PLZ", numFmt: "00000" },
      { key: "phone", header: "Telefon", numFmt: '"+"0' },
      { key: "day", header: "Seit", numFmt: "dd.mm.yyyy" },
      { key: "at", header: "Termin", numFmt: "dd.mm.yyyy hh:mm" },
      { key: "share", header: "Anteil", numFmt: "0.0%" },
      { key: "sum", header: "Umsatz", numFmt: '#,##0.00 "€"' },
      { key: "vip", header: "VIP" },
    ];
    const day = new Date("2026-03-01T00:00:00Z");
    const at = new Date("2026-03-01T14:30:00Z");
    const data = [
      { email: "zoë@x.example", zip: 1067, phone: 4930123456789, day, at, share: 0.125, sum: 1234.5, vip: true },
      { email: "a & b <c>", zip: null, phone: 301234, day: null, at: day, share: 1, sum: -0.1, vip: false },
    ];
    const file = await writeXlsx({ sheets: [{ name: "Kontakte", columns, data }] });
    for (const size of [1, 7, 100_000]) {
      expect(await read(file, size)).toEqual([
        [1, "E-Mail", "PLZ", "Telefon", "Seit", "Termin", "Anteil", "Umsatz", "VIP"],
        [2, "zoë@x.example", "01067", "+4930123456789", "2026-03-01", "2026-03-01T14:30:00", "12.5%", "1234.5", "true"],
        [3, "a & b <c>", "", "+301234", "", "2026-03-01", "100%", "-0.1", "false"],
      ]);
    }
  });

  test("texts in parts, phonetic readings, formulas, errors and escaped characters are what their cells show", async () => {
    const strings =
      "<si><t>email</t></si><si><r><t>Ada </t></r><r><t xml:space='preserve'>Lovelace</t></r></si><si><t>東京</t><rPh sb='0' eb='2'><t>トウキョウ</t></rPh></si>";
    const rows =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c t="inlineStr"><is><r><t>full </t></r><r><t>name</t></r></is></c></row>' +
      '<row r="2"><c r="A2" t="str"><f>A1&amp;"x"</f><v>a@x.example</v></c><c t="s"><v>1</v></c><c r="C2" t="s"><v>2</v></c><c r="D2" t="e"><v>#N/A</v></c></row>' +
      '<row r="3"><c r="A3"><f>1+1</f><v>2</v></c><c t="str"><v>one_x000D_&#10;two</v></c><c r="C3"><f>A1</f></c><c r="D3" t="d"><v>2026-03-01T00:00:00</v></c></row>';
    expect(await read(inSheet(rows, { strings }))).toEqual([
      [1, "email", "full name"],
      [2, "a@x.example", "Ada Lovelace", "東京", "#N/A"],
      [3, "2", "one\r\ntwo", "", "2026-03-01"],
    ]);
  });

  test("numbers keep their digits, and say so by the scientific notation where the workbook has lost some", async () => {
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="[&lt;=99999]00000;00000\\-0000"/><numFmt numFmtId="165" formatCode="0 &quot;pieces&quot;"/>' +
      '<numFmt numFmtId="166" formatCode="[h]:mm"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
      `<cellXfs>${[0, 164, 165, 166, 14, 20, 10].map((id) => `<xf numFmtId="${id}"/>`).join("")}</cellXfs>`;
    const cells = [
      ["0", "4.9301234567E11"],
      ["0", "0.10000000000000001"],
      ["0", "123456789012345"],
      ["0", "1234567890123456"],
      ["1", "1067"],
      ["1", "123456789"],
      ["2", "5"],
      ["3", "1.5"],
      ["4", "46082"],
      ["4", "-1"],
      ["5", "0.604166666666667"],
      ["6", "0.07"],
      ["99", "7"],
    ];
    const row = (line: number, values: string) => `<row r="${line}">${values}</row>`;
    const values = cells.map(([style, value]) => `<c s="${style}"><v>${value}</v></c>`).join("");
    expect(await read(inSheet(row(1, values), { styles }))).toEqual([
      [
        ...[
          1,
          "493012345670",
          "0.1",
          "123456789012345",
          "1.234567890123456E+15",
          "01067",
          "12345-6789",
          "5",
          "36:00",
          "2026-03-01",
          "-1",
        ],
        ...["14:30:00", "7%", "7"],
      ],
    ]);
    const of1904 = inSheet(row(1, '<c s="4"><v>44620</v></c>'), { styles, book: '<workbookPr date1904="1"/>' });
    expect(await read(of1904)).toEqual([[1, "2026-03-01"]]);
  });

  test("blank rows and columns, formats without values and gaps leave the cells where they are", async () => {
    const rows =
      '<row r="1"/><row r="3"><c r="C3" t="inlineStr"><is><t>email</t></is></c><c r="E3" t="inlineStr"><is><t>city</t></is></c><c r="XFD3" s="1"/></row>' +
      '<row r="4"><c r="C4" t="inlineStr"><is><t> </t></is></c></row><row r="7"><c r="E7" t="inlineStr"><is><t>Rome</t></is></c></row><row><c><v>1</v></c><c><v>2</v></c></row>';
    expect(await read(inSheet(rows))).toEqual([
      [3, "", "", "email", "", "city"],
      [7, "", "", "", "", "Rome"],
      [8, "1", "2"],
    ]);
  });

  test("the first sheet that is shown is read, by whatever name and prefix its part has", async () => {
    const cell = (text: string) =>
      `<x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>${text}</x:t></x:is></x:c></x:row></x:sheetData>`;
    const file = archive({
      "_rels/.rels":
        '<Relationships><Relationship Id="1" Type="a/officeDocument" Target="/book/main.xml"/></Relationships>',
      "book/main.xml":
        '<x:workbook><x:sheets><x:sheet name="a" state="hidden" q:id="r1"/><x:sheet name="chart" q:id="r3"/><x:sheet name="b" q:id="r2"/></x:sheets></x:workbook>',
      "book/_rels/main.xml.rels":
        '<Relationships><Relationship Id="r1" Type="a/worksheet" Target="one.xml"/><Relationship Id="r3" Type="a/chartsheet" Target="c.xml"/><Relationship Id="r2" Type="a/worksheet" Target="../book/Two.xml"/></Relationships>',
      "book/one.xml": `<x:worksheet>${cell("hidden")}</x:worksheet>`,
      "book/two.xml": `<x:worksheet>${cell("shown")}</x:worksheet>`,
    });
    expect(await read(file)).toEqual([[1, "shown"]]);
  });
});

describe("a workbook beyond its limits is refused", () => {
  const cell = '<c r="A1"><v>1</v></c>';
  test("one that unpacks to more than 256 MB, by what it says or by what it does", async () => {
    const honest = inSheet("", { declared: { "xl/worksheets/sheet1.xml": 268_435_457 } });
    await expect(read(honest)).rejects.toMatchObject(
      refused("WORKBOOK_TOO_LARGE", /268435456 bytes: save the table as CSV/),
    );
    const liar = inSheet(`<row>${cell}</row>`.repeat(1_000), { declared: { "xl/worksheets/sheet1.xml": 50 } });
    await expect(read(liar)).rejects.toMatchObject(refused("WORKBOOK_DAMAGED", /save it again/));
    const texts = inSheet("", { declared: { "xl/sharedStrings.xml": 67_108_865 } });
    await expect(read(texts)).rejects.toMatchObject(refused("WORKBOOK_TOO_LARGE", /save the table as CSV/));
  });

  test("one whose cells share a long text without end, or whose rows are all gaps", async () => {
    const strings = `<si><t>${"x".repeat(60_000)}</t></si>`;
    const shared = '<row><c t="s"><v>0</v></c></row>';
    await expect(read(inSheet(shared.repeat(2_000), { strings }))).rejects.toMatchObject(
      refused("WORKBOOK_TOO_LARGE", /characters/),
    );
    const gaps = '<row><c r="ALL1"><v>1</v></c></row>'.repeat(105_000);
    const passOver = async () => {
      for await (const some of await recordsIn(inSheet(gaps), 10_000)) expect(some[0]?.cells).toHaveLength(1_000);
    };
    await expect(passOver()).rejects.toMatchObject(refused("WORKBOOK_TOO_LARGE", /characters/));
    const row = `<row r="7">${'<c t="s"><v>0</v></c>'.repeat(18)}</row>`;
    await expect(read(inSheet(row, { strings }))).rejects.toMatchObject(refused("ROW_TOO_LONG", /^line 7 /));
  });

  test("one with a column too many, a cell too long, or a tag that does not end or nests without end", async () => {
    const at = (place: string, text = "1") => `<row r="2"><c r="${place}2" t="str"><v>${text}</v></c></row>`;
    expect(await read(inSheet(at("ALL")))).toMatchObject([{ length: 1_001 }]);
    await expect(read(inSheet(at("ALM")))).rejects.toMatchObject(refused("TOO_MANY_COLUMNS", /^line 2 /));
    await expect(read(inSheet(at("A", "x".repeat(65_537))))).rejects.toMatchObject(
      refused("CELL_TOO_LONG", /^line 2 /),
    );
    await expect(read(inSheet(`<row r="${"1".repeat(2_000_000)}">`))).rejects.toMatchObject(
      refused("WORKBOOK_DAMAGED", /save it again/),
    );
    await expect(read(inSheet("<a>".repeat(100_000)))).rejects.toMatchObject(
      refused("WORKBOOK_DAMAGED", /save it again/),
    );
  });

  test("one of more than 20 MB, while it arrives", async () => {
    let sent = 0;
    const endless = async function* () {
      for (; sent < 100; sent++) yield sent === 0 ? Buffer.from("PK\x03\x04") : Buffer.alloc(1_048_576);
    };
    await expect(openTable(endless())).rejects.toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
      details: { limit: 20_971_520 },
    });
    expect(sent).toBeLessThan(25);
  });
});

describe("a file of another kind is refused with what to do", () => {
  const ole = Buffer.from("d0cf11e0a1b11ae1", "hex");
  const whole = workbook({ sheet: "<sheetData/>" });
  test.each<[what: string, file: Uint8Array | string, code: string, message: RegExp]>([
    [
      "an old Excel file",
      Buffer.concat([ole, Buffer.alloc(600), Buffer.from("Workbook", "utf16le")]),
      "UNSUPPORTED_FORMAT",
      /old Excel file/,
    ],
    [
      "one with a password",
      Buffer.concat([ole, Buffer.alloc(600), Buffer.from("EncryptedPackage", "utf16le")]),
      "ENCRYPTED_FILE",
      /password/,
    ],
    ["OpenDocument", archive({ mimetype: "x", "content.xml": "<a/>" }), "UNSUPPORTED_FORMAT", /OpenDocument/],
    ["Numbers", archive({ "Index/Document.iwa": "x" }), "UNSUPPORTED_FORMAT", /Numbers/],
    ["a binary workbook", workbook({ sheet: "", main: "xl/workbook.bin" }), "UNSUPPORTED_FORMAT", /binary Excel file/],
    ["another ZIP file", archive({ "a.txt": "x" }), "UNSUPPORTED_FORMAT", /ZIP file without a sheet/],
    ["a workbook without sheets", EMPTY_BOOK, "UNSUPPORTED_FORMAT", /without a sheet/],
    ["half a workbook", whole.subarray(0, whole.length / 2), "WORKBOOK_DAMAGED", /save it again/],
    ["a text that is not there", inSheet('<row><c t="s"><v>3</v></c></row>'), "WORKBOOK_DAMAGED", /save it again/],
    ["PDF", "%PDF-1.7\n1 0 obj", "UNSUPPORTED_FORMAT", /PDF/],
    [
      "a page",
      '\ufeff\n<!-- saved --><html xmlns:x="urn:x"><table><tr><td>a</td></tr></table>',
      "UNSUPPORTED_FORMAT",
      /HTML/,
    ],
    ["a table", "<table><tr><td>email</td></tr></table>", "UNSUPPORTED_FORMAT", /HTML/],
    [
      "an XML spreadsheet",
      '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="u">',
      "UNSUPPORTED_FORMAT",
      /XML spreadsheet/,
    ],
    ["XML", '<?xml version="1.0"?><leads/>', "UNSUPPORTED_FORMAT", /XML file/],
    ["a saved page", "MIME-Version: 1.0\nContent-Type: multipart/related", "UNSUPPORTED_FORMAT", /MHTML/],
  ])("%s", async (_what, file, code, message) => {
    const bytes = typeof file === "string" ? Buffer.from(file) : file;
    for (const size of [5, 10_000]) {
      await expect(read(bytes, size)).rejects.toMatchObject(refused(code, message));
      await expect(read(bytes, size)).rejects.toMatchObject(
        refused(code, /: (?:save it (?:without one )?as \.xlsx or CSV|open it)/),
      );
    }
  });

  test("names in angle brackets are read as columns, not as HTML", async () => {
    expect(await read(Buffer.from("<email>,<name>\na@x.example,Ann\n"))).toEqual([
      [1, "<email>", "<name>"],
      [2, "a@x.example", "Ann"],
    ]);
  });
});

import { describe, expect, test } from "@jest/globals";
import { delimiterOf } from "../../../domain/csv/delimiter.ts";
import { decodeText } from "../../../domain/csv/encoding.ts";
import { MAX_CELL, recordsOf } from "../../../domain/csv/rows.ts";

/** The bytes in pieces of this size. */
async function* piecesOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function decoded(bytes: Buffer, size = 1): Promise<string> {
  let text = "";
  for await (const part of decodeText(piecesOf(bytes, size))) text += part;
  return text;
}

async function read(text: string, size = 7): Promise<[line: number, ...cells: string[]][]> {
  const found: [number, ...string[]][] = [];
  for await (const some of recordsOf(decodeText(piecesOf(Buffer.from(text), size)))) {
    for (const { line, cells } of some) found.push([line, ...cells]);
  }
  return found;
}

const refused = (code: string, line: number) => ({
  code: "VALIDATION_FAILED",
  details: { line, issues: [{ path: "file", code, message: expect.stringMatching(new RegExp(`^line ${line} `)) }] },
});

describe("the encoding of a file", () => {
  const text = 'email,Straße\r\nzoë@x.example,"„Spaß“ – 5 €, 😀"\r\n';
  const narrow = text.replace("😀", "Ÿ");
  /** As Windows writes them, beyond Latin-1. */
  const windows = Buffer.from(
    narrow
      .replaceAll("„", "\x84")
      .replaceAll("“", "\x93")
      .replaceAll("–", "\x96")
      .replaceAll("€", "\x80")
      .replaceAll("Ÿ", "\x9f"),
    "latin1",
  );
  const swapped = Buffer.from(`\ufeff${text}`, "utf16le").swap16();
  test.each([
    ["UTF-8", Buffer.from(text), text],
    ["UTF-8 with a byte order mark", Buffer.from(`\ufeff${text}`), text],
    ["UTF-16 LE", Buffer.from(`\ufeff${text}`, "utf16le"), text],
    ["UTF-16 BE", swapped, text],
    ["UTF-16 LE without a byte order mark", Buffer.from(text, "utf16le"), text],
    ["UTF-16 BE without a byte order mark", Buffer.from(text, "utf16le").swap16(), text],
    ["Windows-1252", windows, narrow],
  ])("%s is decoded correctly wherever the chunks end", async (_name, bytes, expected) => {
    for (const size of [1, 2, 3, 7, 1_000]) expect(await decoded(bytes, size)).toBe(expected);
  });

  test("a stray byte in a UTF-8 file is decoded alone, and the rest stays UTF-8", async () => {
    const bytes = Buffer.concat([Buffer.from("zoë,"), Buffer.from([0xeb]), Buffer.from(",ë")]);
    for (const size of [1, 3, 100]) expect(await decoded(bytes, size)).toBe("zoë,ë,ë");
  });

  test("Mac Roman is detected by line ends of CR alone, which no Windows file has", async () => {
    const mac = Buffer.from("email,Stra\xa7e\rzo\x91@x.example,5 \xdb\r", "latin1");
    for (const size of [17, 1_000]) expect(await decoded(mac, size)).toBe("email,Straße\rzoë@x.example,5 €\r");
    const windows = Buffer.from("email,Stra\xdfe\r\nzo\xeb@x.example,5 \x80\r\n", "latin1");
    expect(await decoded(windows, 1_000)).toBe("email,Straße\r\nzoë@x.example,5 €\r\n");
    expect(await decoded(Buffer.from("email,Straße\rzoë@x.example\r"), 1_000)).toBe("email,Straße\rzoë@x.example\r");
  });

  test("a file that is not text is refused with the line and with how to save the table", async () => {
    const save = expect.stringContaining("save the table as CSV");
    const wrong = [Buffer.from("a\nb\0c"), Buffer.from([0x61, 0x0a, 0x81]), Buffer.from("\0a\0\0")];
    const lines = [2, 2, 1];
    for (const [at, bytes] of wrong.entries()) {
      const error = { details: { line: lines[at], issues: [{ path: "file", code: "NOT_TEXT", message: save }] } };
      for (const size of [1, 100]) await expect(decoded(bytes, size)).rejects.toMatchObject(error);
    }
    const workbook = { details: { issues: [{ code: "NOT_TEXT", message: expect.stringContaining("workbook") }] } };
    await expect(decoded(Buffer.from("PK\x03\x04\x14\x00"))).rejects.toMatchObject(workbook);
    await expect(decoded(Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x61, 0x00]))).rejects.toMatchObject({
      details: { line: 1 },
    });
  });
});

describe("the delimiter of a file", () => {
  test.each([
    ["email,name\na@x.example,Ann\n", ","],
    ["email;name;note\na@x.example;Ann;one, two, three\n", ";"],
    ["email\tname\na@x.example\tAnn, Lee; Co\n", "\t"],
    ['"name, first";email\n"a, b, c";a@x.example\n', ";"],
    ['email,"a;b;c;d"\na@x.example,"x;y"\n', ","],
    ['email;note\na@x.example;"one\n,,,,\ntwo"\nb@x.example;x\n', ";"],
    ["email\na@x.example\n", ","],
    ["email;name\n", ";"],
    ["", ","],
  ])("%j has the delimiter %j", (text, expected) => {
    expect(delimiterOf(text)).toBe(expected);
  });

  test("a first line such as sep=; sets the delimiter and is not a row", async () => {
    expect(await read("sep=;\r\na;b,c\r\n1;2\r\n")).toEqual([
      [2, "a", "b,c"],
      [3, "1", "2"],
    ]);
  });
});

describe("the rows of a file", () => {
  test("quotes, line breaks and delimiters in cells are kept, and each row has the number of its first line", async () => {
    const text = 'a,b\r\n"x, y","one\r\ntwo\nthree ""3"""\r\n\r\n , \r\n5" pipe,"say ""hi"" "\n1,2\r3,4';
    for (const size of [1, 2, 5, 1_000]) {
      expect(await read(text, size)).toEqual([
        [1, "a", "b"],
        [2, "x, y", 'one\r\ntwo\nthree "3"'],
        [7, '5" pipe', 'say "hi" '],
        [8, "1", "2"],
        [9, "3", "4"],
      ]);
    }
  });

  test("a quote that is never closed is refused with the first line of its row, before the whole file is read", async () => {
    await expect(read('a,b\n1,2\n"3,4\n5,6\n')).rejects.toMatchObject(refused("QUOTE_NOT_CLOSED", 3));
    let taken = 0;
    const endless = async function* () {
      for (; taken < 100; taken++) yield taken === 0 ? 'a,b\n1,2\n3,"4' : "x".repeat(60_000);
    };
    const all = async () => {
      for await (const some of recordsOf(endless())) expect(some.length).toBeLessThan(3);
    };
    await expect(all()).rejects.toMatchObject(refused("ROW_TOO_LONG", 3));
    expect(taken).toBeLessThan(50);
  });

  test("a cell that is too long is refused with the line number", async () => {
    const long = "x".repeat(MAX_CELL);
    expect(await read(`a,b\n1,${long}`, 10_000)).toHaveLength(2);
    await expect(read(`a,b\n1,2\n1,${long}x\n`, 10_000)).rejects.toMatchObject(refused("CELL_TOO_LONG", 3));
  });
});

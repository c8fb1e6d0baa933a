import { crc32, deflateRawSync } from "node:zlib";

interface Part {
  packed: Buffer;
  size: number;
  crc: number;
}

/** A ZIP file of these texts, as it is written by hand: tests also need files that no library writes. */
export function archive(texts: Readonly<Record<string, string>>): Buffer {
  return zipOf(Object.entries(texts).map(([path, text]) => [path, packed(Buffer.from(text))]));
}

/**
 * A workbook of one sheet, by the content of its parts. `declared` are sizes that the file says its parts have.
 */
export function workbook({
  sheet,
  strings = "",
  styles = "",
  book = "",
  main = "xl/workbook.xml",
  declared = {},
}: {
  sheet: string;
  strings?: string;
  styles?: string;
  book?: string;
  main?: string;
  declared?: Readonly<Record<string, number>>;
}): Buffer {
  const link = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="http://x.example/${type}" Target="${target}"/>`;
  const links = [
    link("a", "worksheet", "worksheets/sheet1.xml"),
    link("b", "sharedStrings", "sharedStrings.xml"),
    link("c", "styles", "styles.xml"),
  ];
  const parts: [string, Part][] = Object.entries({
    "_rels/.rels": `<Relationships>${link("m", "officeDocument", main)}</Relationships>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${links.join("")}</Relationships>`,
    [main]: `<workbook>${book}<sheets><sheet name="One" sheetId="1" r:id="a"/></sheets></workbook>`,
    "xl/sharedStrings.xml": `<sst>${strings}</sst>`,
    "xl/styles.xml": `<styleSheet>${styles}</styleSheet>`,
    "xl/worksheets/sheet1.xml": `<worksheet>${sheet}</worksheet>`,
  }).map(([path, text]) => {
    const part = packed(Buffer.from(text));
    return [path, { ...part, size: declared[path] ?? part.size }];
  });
  return zipOf(parts);
}

export const EMPTY_BOOK = archive({
  "_rels/.rels":
    '<Relationships><Relationship Id="m" Type="x/officeDocument" Target="xl/workbook.xml"/></Relationships>',
  "xl/workbook.xml": "<workbook><sheets/></workbook>",
});

function packed(bytes: Buffer): Part {
  return { packed: deflateRawSync(bytes), size: bytes.length, crc: crc32(bytes) };
}

function zipOf(parts: readonly [path: string, part: Part][]): Buffer {
  const [files, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [path, { packed, size, crc }] of parts) {
    const name = Buffer.from(path);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc, 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(size, 18);
    fields.writeUInt16LE(name.length, 22);
    const ends = Buffer.alloc(14);
    ends.writeUInt32LE(offset, 10);
    files.push(Buffer.from("PK\x03\x04"), fields, name, packed);
    directory.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), fields, ends, name);
    offset += 30 + name.length + packed.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, list, Buffer.from("PK\x05\x06"), end]);
}

/**
 * Splits pasted text into addresses as people write them: one per line, or separated by commas or semicolons, each
 * perhaps with a name as in `Ada Lovelace <ada@x.example>`. Repeated entries are kept once. The server reads and checks
 * each of them.
 */
export function splitAddresses(text: string): string[] {
  const entries = text.split(/\r\n|\r|\n/).flatMap(entriesOfLine);
  return [...new Set(entries)];
}

/** A comma in a quoted name does not separate, and neither does one in `Lovelace, Ada <ada@x.example>`. */
function entriesOfLine(line: string): string[] {
  const parts = line.match(/(?:"[^"]*"|<[^>]*>|[^,;\t])+/g) ?? [];
  const entries: string[] = [];
  let name = "";
  for (const part of parts.map((one) => one.trim()).filter((one) => one !== "")) {
    if (part.includes("@")) {
      const isNamed = part.includes("<");
      if (name !== "" && !isNamed) entries.push(name);
      entries.push(name !== "" && isNamed ? `${name} ${part}` : part);
      name = "";
    } else {
      if (name !== "") entries.push(name);
      name = part;
    }
  }
  return name === "" ? entries : [...entries, name];
}

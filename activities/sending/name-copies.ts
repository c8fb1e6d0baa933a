/**
 * A provider's API has no envelope: it sends an email to the addresses in its headers. So Cc names exactly the copies
 * that may go, and Bcc, which the provider removes, names the others.
 */
export function nameCopies(bytes: Buffer, copies: readonly string[]): Buffer {
  const end = bytes.indexOf("\r\n\r\n");
  const head = bytes.subarray(0, end < 0 ? bytes.length : end).toString("latin1");
  const fields = head.split(/\r\n(?![ \t])/);
  const shown = fields
    .filter((field) => /^cc:/i.test(field))
    .join(" ")
    .toLowerCase();
  const isShown = (address: string) => shown.includes(address.toLowerCase());
  const cc = copies.filter(isShown);
  const bcc = copies.filter((address) => !isShown(address));
  const lines = [
    ...fields.filter((field) => !/^b?cc:/i.test(field)),
    ...(cc.length > 0 ? [`Cc: ${cc.join(",\r\n ")}`] : []),
    ...(bcc.length > 0 ? [`Bcc: ${bcc.join(",\r\n ")}`] : []),
  ];
  return Buffer.concat([Buffer.from(lines.join("\r\n"), "latin1"), bytes.subarray(end < 0 ? bytes.length : end)]);
}

/** An address such that its owner recognises it, and a stranger cannot write to it: `g•••@people.test`. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf("@");
  const [first = "", ...rest] = address.slice(0, at);
  return `${rest.length > 1 ? first : ""}•••${address.slice(at)}`;
}

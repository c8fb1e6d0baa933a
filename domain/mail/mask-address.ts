/** An address in a form that its owner recognises, but to which a stranger cannot write: `g•••@people.test`. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf("@");
  if (at === -1) return "•••"; // An erased address is a hash
  const [first = "", ...rest] = address.slice(0, at);
  return `${rest.length > 1 ? first : ""}•••${address.slice(at)}`;
}

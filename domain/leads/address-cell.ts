import roles from "role-based-email-addresses";

const NAMED = /^\s*"?(?<name>[^"<>]*?)"?\s*<\s*(?<address>[^<>]+?)\s*>\s*$/;
const MAILTO = /^\s*mailto:(?<address>[^?]*)/i;

/** The address of a cell, and the name beside it: `Ada Lovelace <ada@x.example>` and `mailto:` links are read too (rules/leads 2.5). */
export function addressIn(cell: string): { address: string; name: string | null } {
  const { name = "", address = cell } = NAMED.exec(cell)?.groups ?? {};
  const link = MAILTO.exec(address)?.groups?.["address"];
  return { address: link === undefined ? address : decoded(link), name: name === "" || name.includes("@") ? null : name };
}

/** The parts of a name as mail programs write it, `Lovelace, Ada` too; of a name of other than two words only the whole is known. */
export function partsOfName(name: string): { fullName: string; firstName?: string; lastName?: string } {
  const [last = "", first, ...more] = name.split(",").map((part) => part.trim());
  const isTurned = first !== undefined && first !== "" && last !== "" && more.length === 0;
  const words = isTurned ? [first, last] : name.split(/\s+/);
  const [firstName, lastName] = words;
  if (firstName === undefined || lastName === undefined || words.length !== 2) return { fullName: name };
  return { fullName: `${firstName} ${lastName}`, firstName, lastName };
}

const ROLES = new Set(roles);

/** Whether nobody in particular reads an address: `info@`, `sales@` and the like. */
export function isRoleAddress(email: string): boolean {
  return ROLES.has(email.slice(0, email.lastIndexOf("@")).replace(/\+.*$/, ""));
}

function decoded(link: string): string {
  try {
    return decodeURIComponent(link);
  } catch {
    return link;
  }
}

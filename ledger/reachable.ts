import { trusted } from "../models/collection.ts";
import { scoped } from "../models/scoped.ts";
import { domainsOf, guardReasons } from "./suppress.ts";

/** Who of these addresses may be written to: neither suppressed nor on the block list, by address or by domain. At most 1,000. */
export async function reachableAmong(workspaceId: string, emails: string[]): Promise<string[]> {
  if (emails.length === 0) return [];
  const wanted = [...new Set(emails.map((email) => email.trim().toLowerCase()))];
  const covering = (email: string) => [email, ...domainsOf(email.slice(email.lastIndexOf("@") + 1))];
  const values = [...new Set(wanted.flatMap(covering))];
  const entries = await scoped(workspaceId).BlockListEntry.find({ value: trusted({ $in: values }) }, { select: { value: 1 } });
  const blocked = new Set(entries.map(({ value }) => value));
  const guarded = await guardReasons(workspaceId, wanted);
  return wanted.filter((email) => !guarded.has(email) && !covering(email).some((value) => blocked.has(value)));
}

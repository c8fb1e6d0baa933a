import { findBlocked } from "./block-list.ts";
import { loadGuardReasons } from "./suppress.ts";

/**
 * Those of these addresses that may receive email: neither suppressed nor on the block list, by address or domain. At
 * most 1,000.
 */
export async function findSendable(workspaceId: string, emails: string[]): Promise<string[]> {
  if (emails.length === 0) return [];
  const wanted = [...new Set(emails.map((email) => email.trim().toLowerCase()))];
  const blocked = await findBlocked(workspaceId, wanted);
  const guarded = await loadGuardReasons(workspaceId, wanted);
  return wanted.filter((email) => !guarded.has(email) && !blocked.has(email));
}

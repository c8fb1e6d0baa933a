import { domainOf } from "../../domain/mail/message.ts";
import type { BlockListEntry } from "../../models/block-list-entry.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";

/**
 * Which of these addresses the block list covers: by the address itself, its domain or a parent domain (rules/sending
 * 1.1). At most 1,000.
 */
export async function findBlocked(workspaceId: string, emails: readonly string[]): Promise<Set<string>> {
  const covering = new Map(emails.map((email) => [email, blockableValuesOf(email)]));
  const values = [...new Set([...covering.values()].flat())];
  const entries = await scoped(workspaceId).BlockListEntry.find(
    { value: trusted({ $in: values }) },
    { select: { value: 1 } },
  );
  const listed = new Set(entries.map(({ value }) => value));
  return new Set(emails.filter((email) => covering.get(email)?.some((value) => listed.has(value))));
}

/** The block-list entry that covers the address; null when no entry does. */
export async function findBlockEntry(
  workspaceId: string,
  email: string,
): Promise<{ value: string; type: string } | null> {
  return scoped(workspaceId).BlockListEntry.findOne({ value: trusted({ $in: blockableValuesOf(email) }) });
}

/** Every entry of the block list that covers the address, the oldest first. */
export async function findBlockEntries(workspaceId: string, email: string): Promise<BlockListEntry[]> {
  return scoped(workspaceId).BlockListEntry.find(
    { value: trusted({ $in: blockableValuesOf(email) }) },
    { sort: { _id: 1 } },
  );
}

/** `a.b.example` is covered by `a.b.example`, `b.example` and `example`. */
export function domainsOf(domain: string): string[] {
  const labels = domain.split(".");
  return labels.map((_, index) => labels.slice(index).join("."));
}

function blockableValuesOf(email: string): string[] {
  return [email, ...domainsOf(domainOf(email))];
}

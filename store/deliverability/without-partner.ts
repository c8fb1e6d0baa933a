import { scoped } from "../../models/scoped.ts";

/** The mailboxes of a workspace that warm up and have nobody to write to. */
export async function findWithoutPartner(workspaceId: string): Promise<Set<string>> {
  const alone = { status: "ACTIVE", statusReason: "NO_PARTNER" };
  const found = await scoped(workspaceId).WarmupEnrolment.read(alone, { select: { _id: 1 } });
  return new Set(found.map(({ _id }) => _id));
}

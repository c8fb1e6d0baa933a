import type { Session } from "../../models/sign-in/session.ts";
import type { User } from "../../models/sign-in/user.ts";
import type { Attention } from "../../store/attention.ts";
import { findMemberships } from "../access/members.ts";
import { hasSecondFactor } from "../sign-in/people.ts";

/**
 * The workspace and campaign of an entry (rules/console 4.3). The names of campaigns and recipients are shown only to
 * members of the workspace, not to other operators.
 */
export function placing({ names }: Attention, mine: ReadonlySet<string>) {
  return ({ workspaceId, campaignId = null }: { workspaceId: string; campaignId?: string | null }) => {
    const isMember = mine.has(workspaceId);
    const campaignName = isMember && campaignId !== null ? (names.get(campaignId) ?? null) : null;
    return { workspaceId, workspaceName: names.get(workspaceId) ?? null, isMember, campaignId, campaignName };
  };
}

/** The workspaces that a person could open now. */
export async function workspacesOf(person: User, { userId, portalId }: Session): Promise<Set<string>> {
  const memberships = await findMemberships(userId, portalId ?? null);
  const open = memberships.filter(({ needsSecondFactor }) => !needsSecondFactor || hasSecondFactor(person));
  return new Set(open.map(({ workspaceId }) => workspaceId));
}

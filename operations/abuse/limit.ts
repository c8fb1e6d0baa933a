import type { Capped } from "../../models/sending/sending-cap.ts";
import { setCap } from "../../store/sending/caps.ts";
import { appendAuditEntry } from "../access/audit.ts";
import { AT_SERVER, assertReason, assertWorkspace, type DeedActor, operatorDeed } from "./operator-deed.ts";

/** The most a day that an operator may allow; more is no limit. */
export const MOST_DAILY = 1_000_000;

/**
 * Sets the operator's limit of what a workspace may do on a UTC day (rules/access 8.1, 8.5); null removes it.
 * @throws Error when there is no such workspace, or the number or the reason cannot be used
 */
export async function limit(
  workspaceId: string,
  most: number | null,
  reason: string,
  { what = "EMAILS", actor = AT_SERVER }: { what?: Capped; actor?: DeedActor } = {},
): Promise<void> {
  if (most !== null && !(Number.isInteger(most) && most >= 0 && most <= MOST_DAILY))
    throw new Error(`The limit must be a whole number from 0 to ${MOST_DAILY}, or none`);
  const said = assertReason(reason);
  await assertWorkspace(workspaceId);
  const deed = { ...operatorDeed(workspaceId, actor, "workspace.limit", said), limit: { what, most } };
  const note = () => appendAuditEntry(deed, "DONE", null);
  await setCap(workspaceId, "OPERATOR", most === null ? null : { most, reason: said }, { what, note });
}

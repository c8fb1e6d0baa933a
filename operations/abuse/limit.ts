import { setCap } from "../../store/sending/caps.ts";
import { appendAuditEntry } from "../access/audit.ts";
import { AT_SERVER, assertReason, assertWorkspace, type DeedActor, operatorDeed } from "./operator-deed.ts";

/** The most emails a day that an operator may allow; more is no limit. */
const MOST_DAILY = 1_000_000;

/**
 * Sets the operator's limit of emails that a workspace may send on a UTC day (rules/access 8.1); null removes it.
 * @throws Error when there is no such workspace, or the number or the reason cannot be used
 */
export async function limit(
  workspaceId: string,
  most: number | null,
  reason: string,
  actor: DeedActor = AT_SERVER,
): Promise<void> {
  if (most !== null && !(Number.isInteger(most) && most >= 0 && most <= MOST_DAILY))
    throw new Error(`The limit must be a whole number from 0 to ${MOST_DAILY}, or none`);
  const said = assertReason(reason);
  await assertWorkspace(workspaceId);
  const deed = operatorDeed(workspaceId, actor, "workspace.limit", said);
  await setCap(workspaceId, "OPERATOR", most === null ? null : { most, reason: said }, () =>
    appendAuditEntry(deed, "DONE", null),
  );
}

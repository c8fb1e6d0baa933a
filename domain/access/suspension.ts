import { AppError } from "../errors.ts";

/**
 * A workspace may not send until the operator allows it again (rules/access 7.1). OPERATOR: a person ordered it.
 * SERVICE: the service did, because the workspace's rates were too high.
 */
export interface Suspension {
  by: "OPERATOR" | "SERVICE";
  /** Members of the workspace read it. */
  reason: string;
  at: Date;
  /** The workspace whose suspension suspended this one too; its end ends this one. Absent otherwise. */
  withWorkspaceId?: string;
}

/** A workspace sends nothing while either of the two stands: its own kill switch, or a suspension. */
export interface Stoppable {
  isSuspended: boolean;
  /** Absent in workspaces of earlier versions. */
  suspension?: Suspension | null;
}

export function maySend({ isSuspended, suspension = null }: Stoppable): boolean {
  return !isSuspended && suspension === null;
}

/** The refusal of a call that would send, or change what is sent, while its workspace is suspended. */
export function suspendedError({ by, reason, at }: Suspension): AppError {
  return new AppError("WORKSPACE_SUSPENDED", `This workspace is suspended and cannot send email: ${reason}`, {
    by,
    reason,
    since: at.toISOString(),
  });
}

/** The refusal of such a call before an owner of the workspace has confirmed the address (rules/access 2.7). */
export function unconfirmedError(): AppError {
  return new AppError(
    "ADDRESS_NOT_CONFIRMED",
    "This workspace cannot send email before an owner has confirmed their email address by the link that the console sends",
  );
}

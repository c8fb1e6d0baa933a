import type { Out } from "../../api/call.ts";

export type ApprovalOfList = Out<"get /approvals">["items"][number];
export type Approval = Out<"get /approvals/:approvalId">;
/** The effect of an edit on a launched campaign's recipients. */
export type Edit = NonNullable<NonNullable<Approval["effect"]>["edit"]>;

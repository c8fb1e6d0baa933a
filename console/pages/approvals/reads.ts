import type { Out } from "../../api/call.ts";

export type ApprovalOfList = Out<"get /approvals">["items"][number];
export type Approval = Out<"get /approvals/:approvalId">;
/** What an edit of a launched campaign means for its recipients. */
export type Edit = NonNullable<NonNullable<Approval["effect"]>["edit"]>;

import type { Out } from "../../api/call.ts";

export type ApprovalOfList = Out<"get /approvals">["items"][number];
export type Approval = Out<"get /approvals/:approvalId">;

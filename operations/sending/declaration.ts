import { choice } from "../choice.ts";
import type { Declaration } from "../declaration.ts";
import * as approvals from "./approvals.ts";
import { decide as decideApproval } from "./decide.ts";

export const approvalsDeclaration = {
  verbs: {
    "approvals.list": approvals.list,
    "approvals.get": approvals.get,
    "approvals.decide": decideApproval,
  },
  routes: [
    ["get", "/approvals", approvals.list, 200, { after: "post /inbox/scheduled/:scheduledId/cancel" }],
    ["get", "/approvals/:approvalId", approvals.get],
    ["post", "/approvals/:approvalId", decideApproval],
  ],
  tools: {
    agent: {
      agent_approvals: {
        operation: choice(
          "inbox:read",
          "List the requests for approval, or read one with its conversation",
          { list: approvals.list, get: approvals.get },
          "list",
          { given: "approvalId", action: "get" },
        ),
        title: "List approvals",
        readOnly: true,
        untrusted: true,
        when: "Drafts of the inbox agent, doubtful opt-outs, and sends that credentials requested; returns the approvalId of agent_approval_action. Default: status PENDING.",
      },
      agent_approval_action: {
        operation: decideApproval,
        title: "Decide on an approval",
        destructive: true,
        idempotent: true,
        untrusted: true,
        when: "Approving sends once, or suppresses the person for an opt-out; a second approval returns the outcome of the first. agent_approvals returns the ids.",
      },
    },
  },
  examples: {
    sending: [
      {
        at: "post /approvals/:approvalId",
        title: "Approve as shown",
        body: { action: "approve", expectedVersion: 1 },
      },
      {
        at: "post /approvals/:approvalId",
        title: "Reject with a note",
        body: { action: "reject", note: "Not this week" },
      },
    ],
  },
} as const satisfies Declaration;

import { choice } from "../choice.ts";
import type { Declaration } from "../declaration.ts";
import { EXAMPLE_IDS as ids } from "../described-ids.ts";
import * as domains from "./domains.ts";
import * as invites from "./invites.ts";
import * as members from "./members.ts";
import * as workspace from "./workspace.ts";

export const workspaceDeclaration = {
  verbs: {
    "workspace.get": workspace.get,
    "workspace.manage": workspace.manage,
    "workspace.manageTrackingDomain": domains.trackingDomain,
    "workspace.managePortalDomain": domains.portalDomain,
  },
  routes: [
    ["get", "/workspace", workspace.get, 200, { after: "get /whoami" }],
    ["post", "/workspace", workspace.manage],
  ],
  tools: {
    workspace: {
      workspace_get: {
        operation: workspace.get,
        title: "Get the workspace",
        readOnly: true,
        when: "Name, postal address, time zone, defaults, limits, and whether the kill switch is on.",
      },
      workspace_manage: {
        operation: workspace.manage,
        title: "Manage the workspace",
        destructive: true,
        when: "pauseSending is the kill switch: after its response no email leaves the workspace, replies included. delete needs the name as confirmName and revokes this credential too.",
      },
      workspace_tracking_domain: {
        operation: domains.trackingDomain,
        title: "Workspace tracking domain",
        destructive: true,
        openWorld: true,
        when: "Your domain for all mailboxes without their own; its CNAME record must point to expectedCname. For a single mailbox: mailboxes_tracking_domain.",
      },
      workspace_portal_domain: {
        operation: domains.portalDomain,
        title: "Workspace portal domain",
        destructive: true,
        openWorld: true,
        when: "Your domain, under which clients see this service; its CNAME record must point to expectedCname. verify checks DNS now.",
      },
    },
  },
  examples: {
    workspace: [
      {
        at: "post /workspace",
        title: "Set the name and postal address",
        body: {
          action: "update",
          patch: { name: "Acme", postalAddress: "Acme Ltd\n1 Main Street\nLondon", timezone: "Europe/London" },
        },
      },
    ],
    afterwards: [
      {
        at: "post /workspace",
        title: "Lower the bounce threshold and monitor another domain",
        body: {
          action: "update",
          patch: { deliverability: { alertThresholds: { bounceRate: 0.02 }, monitoredDomains: ["acme.com"] } },
        },
      },
      {
        at: "post /workspace",
        title: "Keep a mailbox for placement tests, and test the others each week",
        body: {
          action: "update",
          patch: { deliverability: { placement: { testMailboxIds: [ids.mailboxId], schedule: "WEEKLY" } } },
        },
      },
      { at: "post /workspace", title: "Pause all sending", body: { action: "pauseSending" } },
      { at: "post /workspace", title: "Resume all sending", body: { action: "resumeSending" } },
    ],
  },
} as const satisfies Declaration;

export const membersDeclaration = {
  verbs: {
    "members.list": members.list,
    "members.manage": members.manage,
  },
  routes: [
    ["get", "/members", members.list],
    ["post", "/members/manage", members.manage],
  ],
  tools: {
    workspace: {
      members: {
        operation: choice(
          "members:read",
          "List the members of the workspace, change a role or remove one",
          { list: members.list, ...members.manage.actions },
          "list",
        ),
        title: "Members",
        destructive: true,
        when: "Roles are OWNER, ADMIN, MEMBER and VIEWER. A lower role or a removal ends the keys and connectors of that member that exceed it. `list` returns the memberId.",
      },
    },
  },
  examples: {
    workspace: [
      {
        at: "post /members/manage",
        title: "Make a member an admin",
        body: { action: "updateRole", memberId: ids.memberId, role: "ADMIN" },
      },
      { at: "post /members/manage", title: "Remove a member", body: { action: "remove", memberId: ids.memberId } },
    ],
  },
} as const satisfies Declaration;

export const invitesDeclaration = {
  verbs: {
    "invites.list": invites.list,
    "invites.manage": invites.manage,
  },
  routes: [
    ["get", "/invites", invites.list],
    ["post", "/invites/manage", invites.manage],
  ],
  tools: {
    workspace: {
      invites: {
        operation: choice(
          "members:read",
          "List invites, invite a person, renew a link or revoke an invite",
          { list: invites.list, ...invites.manage.actions },
          "list",
        ),
        title: "Invites",
        destructive: true,
        openWorld: true,
        when: "create and resend return the inviteUrl once, valid for seven days; anyone who opens it joins with the role. `list` returns the inviteId.",
      },
    },
  },
  examples: {
    workspace: [
      {
        at: "post /invites/manage",
        title: "Invite a colleague",
        body: { action: "create", email: "kim@acme.example", role: "MEMBER" },
      },
      {
        at: "post /invites/manage",
        title: "Send a new invite link",
        body: { action: "resend", inviteId: ids.inviteId },
      },
      { at: "post /invites/manage", title: "Revoke an invite", body: { action: "revoke", inviteId: ids.inviteId } },
    ],
  },
} as const satisfies Declaration;

import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { prefix } from "./api/prefix.ts";
import { Broken, LostPage, NoSuchPage } from "./frame/error-pages.tsx";
import { Frame } from "./frame/frame.tsx";
import { Root } from "./frame/root.tsx";

const root = createRootRoute({ component: Root, notFoundComponent: LostPage, errorComponent: Broken });
const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyRouteComponent(() => import("./pages/first-workspace.tsx"), "FirstWorkspace"),
});
const workspace = createRoute({
  getParentRoute: () => root,
  path: "/w/$workspaceId",
  component: Frame,
  notFoundComponent: NoSuchPage,
});

/** The pages of a workspace, one per line. Their labels in the navigation are in `frame/navigation.tsx`. */
const pages = [
  page("/", "Home", () => import("./pages/home/home.tsx")),
  page("/campaigns", "Campaigns", () => import("./pages/campaigns.tsx")),
  page("/campaigns/$campaignId", "CampaignPage", () => import("./pages/campaign/campaign.tsx")),
  page("/templates", "Templates", () => import("./pages/templates/templates.tsx")),
  page("/inbox", "Inbox", () => import("./pages/inbox/inbox.tsx")),
  page("/approvals", "Approvals", () => import("./pages/approvals/approvals.tsx")),
  page("/leads", "Leads", () => import("./pages/leads/leads.tsx")),
  page("/leads/import", "ImportLeads", () => import("./pages/leads-import/import.tsx")),
  page("/leads/$leadId", "LeadPage", () => import("./pages/leads/lead.tsx")),
  page("/lists", "Lists", () => import("./pages/lists/lists.tsx")),
  page("/lists/new", "NewList", () => import("./pages/lists/edit-list.tsx")),
  page("/lists/$listId", "EditList", () => import("./pages/lists/edit-list.tsx")),
  page("/fields", "CustomFields", () => import("./pages/fields/fields.tsx")),
  page("/verification", "Verification", () => import("./pages/verification/verification.tsx")),
  page("/block-list", "BlockList", () => import("./pages/block-list.tsx")),
  page("/mailboxes", "Mailboxes", () => import("./pages/mailboxes/mailboxes.tsx")),
  page("/mailboxes/connect", "ConnectMailbox", () => import("./pages/mailboxes/connect.tsx")),
  page("/mailboxes/import", "ImportMailboxes", () => import("./pages/mailboxes/import.tsx")),
  page("/mailboxes/$mailboxId", "MailboxPage", () => import("./pages/mailboxes/mailbox.tsx")),
  page("/deliverability", "Deliverability", () => import("./pages/deliverability/deliverability.tsx")),
  page("/conversions", "Conversions", () => import("./pages/conversions/conversions.tsx")),
  page("/webhooks", "Webhooks", () => import("./pages/webhooks/webhooks.tsx")),
  page("/webhooks/deliveries", "Deliveries", () => import("./pages/webhooks/deliveries.tsx")),
  page("/keys", "Keys", () => import("./pages/access/keys.tsx")),
  page("/connections", "Connections", () => import("./pages/access/connections.tsx")),
  page("/members", "Members", () => import("./pages/access/members.tsx")),
  page("/audit", "Audit", () => import("./pages/access/audit.tsx")),
  page("/retention", "Retention", () => import("./pages/access/privacy.ts")),
  page("/privacy", "PersonalData", () => import("./pages/access/privacy.ts")),
  page("/jobs", "Jobs", () => import("./pages/jobs.tsx")),
  page("/system", "SystemPage", () => import("./pages/system/pages.ts")),
  page("/system/workspaces", "Workspaces", () => import("./pages/system/pages.ts")),
  page("/account", "Account", () => import("./pages/account/account.tsx")),
  // A page with every component of `kit/`, for tests and developers; production builds leave it out
  ...(import.meta.env.MODE === "specimen" ? [page("/specimen", "Specimen", () => import("./pages/specimen.tsx"))] : []),
];

/**
 * A route: the path below the workspace, the name of the component, and its file, which is loaded when the page is
 * opened.
 */
function page<N extends string>(path: string, name: N, load: () => Promise<Record<N, ComponentType>>) {
  return createRoute({
    getParentRoute: () => workspace,
    path,
    component: lazyRouteComponent(load, name),
    errorComponent: Broken,
  });
}

export function newRouter() {
  return createRouter({
    routeTree: root.addChildren([home, workspace.addChildren(pages)]),
    basepath: prefix === "" ? "/" : prefix,
    scrollRestoration: true,
    defaultPreload: false,
    // Query parameters are strings, not JSON: `?search=12` is the string "12"
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const query = new URLSearchParams(Object.entries(search).map(([name, value]) => [name, String(value)]));
      return query.size === 0 ? "" : `?${query}`;
    },
  });
}

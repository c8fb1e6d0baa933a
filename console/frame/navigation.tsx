import { useLocation } from "@tanstack/react-router";
import type { Scope } from "../../domain/scopes.ts";
import { useWorkspaceId } from "../api/path-id.ts";
import { useCall } from "../api/query.ts";
import { useMay } from "../api/workspace.ts";
import { type PagePath, pathTo, To } from "../kit/to.tsx";
import { words } from "../words/en.ts";

interface Entry {
  name: string;
  page: PagePath;
  /** Only roles with this scope see the entry; null shows it to everyone. */
  scope: Scope | null;
  /** Only operators see the entry. */
  isForOperators?: true;
}

/** A top entry of the navigation with its pages; it opens the first page. */
interface Room {
  name: string;
  pages: readonly Entry[];
}

const names = words.navigation;

/** The navigation, most used entries first. */
const ROOMS: readonly Room[] = [
  { name: names.start, pages: [{ name: names.start, page: "/", scope: "campaigns:read" }] },
  { name: names.campaigns, pages: [{ name: names.campaigns, page: "/campaigns", scope: "campaigns:read" }] },
  {
    name: names.inbox,
    pages: [
      { name: names.inbox, page: "/inbox", scope: "inbox:read" },
      { name: names.approvals, page: "/approvals", scope: "inbox:read" },
    ],
  },
  {
    name: names.leads,
    pages: [
      { name: names.leads, page: "/leads", scope: "leads:read" },
      { name: names.blockList, page: "/block-list", scope: "block_list:read" },
    ],
  },
  { name: names.mailboxes, pages: [{ name: names.mailboxes, page: "/mailboxes", scope: "mailboxes:read" }] },
  {
    name: names.integrations,
    pages: [
      { name: names.webhooks, page: "/webhooks", scope: "webhooks:read" },
      { name: names.keys, page: "/keys", scope: null },
      { name: names.connections, page: "/connections", scope: null },
    ],
  },
  {
    name: names.settings,
    pages: [
      { name: names.members, page: "/members", scope: "members:read" },
      { name: names.audit, page: "/audit", scope: "members:read" },
      { name: names.retention, page: "/retention", scope: "workspace:read" },
      { name: names.privacy, page: "/privacy", scope: "leads:read" },
      { name: names.jobs, page: "/jobs", scope: "account:read" },
      { name: names.system, page: "/system", scope: null, isForOperators: true },
      { name: names.account, page: "/account", scope: null },
    ],
  },
];

/**
 * The navigation: the areas of the console, and below them the pages of the area that is open. Pages that the user's
 * role may not see are left out.
 */
export function Navigation() {
  const may = useMay();
  const workspaceId = useWorkspaceId();
  const { pathname } = useLocation();
  const isOperator = useCall("get /session", {}).data?.isOperator === true;
  const isOpenTo = ({ scope, isForOperators }: Entry) =>
    (scope === null || may(scope)) && (isForOperators !== true || isOperator);
  const rooms = ROOMS.map(({ name, pages }) => ({ name, pages: pages.filter(isOpenTo) }));
  const isOpen = ({ page }: Entry) => {
    const path = pathTo(workspaceId, page);
    return pathname === path || (page !== "/" && pathname.startsWith(`${path}/`));
  };
  const open = rooms.find(({ pages }) => pages.some(isOpen));
  return (
    <>
      <nav aria-label={words.frame.navigation} className="navigation">
        <ul>
          {rooms.map((room) => {
            const [first] = room.pages;
            if (first === undefined) return null;
            return (
              <li key={room.name}>
                <To page={first.page} isNavigation {...(room === open && { className: "active" })}>
                  {room.name}
                </To>
              </li>
            );
          })}
        </ul>
      </nav>
      {open !== undefined && open.pages.length > 1 && (
        <nav aria-label={open.name} className="navigation inner">
          <ul>
            {open.pages.map(({ name, page }) => (
              <li key={page}>
                <To page={page} isNavigation>
                  {name}
                </To>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </>
  );
}

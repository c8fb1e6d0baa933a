import { useLocation } from "@tanstack/react-router";
import house from "lucide/dist/esm/icons/house.mjs";
import inbox from "lucide/dist/esm/icons/inbox.mjs";
import mail from "lucide/dist/esm/icons/mail.mjs";
import plug from "lucide/dist/esm/icons/plug.mjs";
import send from "lucide/dist/esm/icons/send.mjs";
import settings from "lucide/dist/esm/icons/settings.mjs";
import users from "lucide/dist/esm/icons/users.mjs";
import type { Scope } from "../../domain/scopes.ts";
import { useWorkspaceId } from "../api/path-id.ts";
import { useCall } from "../api/query.ts";
import { useMay } from "../api/workspace.ts";
import { Icon, type Shapes } from "../kit/icon.tsx";
import { type PagePath, pathTo, To } from "../kit/to.tsx";
import { words } from "../words/en.ts";
import { formatCount } from "../words/format.ts";

interface Entry {
  name: string;
  page: PagePath;
  /** Only roles with this scope see the entry; null shows it to everyone. */
  scope: Scope | null;
  /** Only operators see the entry. */
  isForOperators?: true;
  /** The number that is shown beside the entry. */
  count?: keyof Counts;
}

/** A top entry of the navigation with its pages; it opens the first page. */
interface Room {
  name: string;
  icon: Shapes;
  pages: readonly Entry[];
}

const names = words.navigation;

/** The navigation, most used entries first. */
const ROOMS: readonly Room[] = [
  { name: names.home, icon: house, pages: [{ name: names.home, page: "/", scope: "campaigns:read" }] },
  {
    name: names.campaigns,
    icon: send,
    pages: [
      { name: names.campaigns, page: "/campaigns", scope: "campaigns:read" },
      { name: names.templates, page: "/templates", scope: "campaigns:read" },
    ],
  },
  {
    name: names.inbox,
    icon: inbox,
    pages: [
      { name: names.inbox, page: "/inbox", scope: "inbox:read", count: "unread" },
      { name: names.approvals, page: "/approvals", scope: "inbox:read", count: "approvals" },
    ],
  },
  {
    name: names.leads,
    icon: users,
    pages: [
      { name: names.leads, page: "/leads", scope: "leads:read" },
      { name: names.lists, page: "/lists", scope: "lead_lists:read" },
      { name: names.fields, page: "/fields", scope: "custom_fields:read" },
      { name: names.verification, page: "/verification", scope: "verification:read" },
      { name: names.blockList, page: "/block-list", scope: "block_list:read" },
    ],
  },
  {
    name: names.mailboxes,
    icon: mail,
    pages: [
      { name: names.mailboxes, page: "/mailboxes", scope: "mailboxes:read" },
      { name: names.deliverability, page: "/deliverability", scope: "deliverability:read" },
    ],
  },
  {
    name: names.integrations,
    icon: plug,
    pages: [
      { name: names.webhooks, page: "/webhooks", scope: "webhooks:read" },
      { name: names.conversions, page: "/conversions", scope: "analytics:read" },
      { name: names.keys, page: "/keys", scope: null },
      { name: names.connections, page: "/connections", scope: null },
    ],
  },
  {
    name: names.settings,
    icon: settings,
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

/** The rooms of which the person may open a page, each with these pages, and the room that is open. */
export function useRooms(): { rooms: readonly Room[]; open: Room | undefined } {
  const may = useMay();
  const workspaceId = useWorkspaceId();
  const { pathname } = useLocation();
  const isOperator = useCall("get /session", {}).data?.isOperator === true;
  const isOpenTo = ({ scope, isForOperators }: Entry) =>
    (scope === null || may(scope)) && (isForOperators !== true || isOperator);
  const rooms = ROOMS.map((room) => ({ ...room, pages: room.pages.filter(isOpenTo) })).filter(
    ({ pages }) => pages.length > 0,
  );
  const isOpen = ({ page }: Entry) => {
    const path = pathTo(workspaceId, page);
    return pathname === path || (page !== "/" && pathname.startsWith(`${path}/`));
  };
  return { rooms, open: rooms.find(({ pages }) => pages.some(isOpen)) };
}

interface Counts {
  unread: number;
  approvals: number;
}

const EVERY_MS = 60_000;

/** What waits for a person. A number that cannot be read is not shown: the page behind it says why. */
function useCounts(): Counts {
  const isOff = !useMay()("inbox:read");
  const inbox = useCall("get /inbox/summary", {}, { every: EVERY_MS, isOff });
  const approvals = useCall("get /approvals", { status: "PENDING", pageSize: 1 }, { every: EVERY_MS, isOff });
  return { unread: inbox.data?.unread ?? 0, approvals: approvals.data?.total ?? 0 };
}

interface NavigationProps {
  /** Whether the pages of the open area are shown below it. */
  hasPages: boolean;
  /** Called when a link is followed. */
  onOpen?: () => void;
}

export function Navigation({ hasPages, onOpen }: NavigationProps) {
  const { rooms, open } = useRooms();
  const counts = useCounts();
  return (
    <nav aria-label={words.frame.navigation} className="navigation">
      <ul>
        {rooms.map((room) => {
          const [first] = room.pages;
          const isOpen = room === open;
          // The link of the area opens the page that has its name
          const inner = isOpen && hasPages ? room.pages.filter(({ name }) => name !== room.name) : [];
          // An area has the sum of the numbers of its pages that are not shown
          const count = sumOf(
            counts,
            room.pages.filter((page) => !inner.includes(page)),
          );
          return (
            <li key={room.name}>
              {first !== undefined && (
                <To
                  page={first.page}
                  isNavigation
                  {...(isOpen && { className: "active" })}
                  {...(!hasPages && { hint: room.name })}
                  {...(onOpen && { onOpen })}
                >
                  <Icon of={room.icon} />
                  <span className="name">{room.name}</span>
                  <Count count={count} />
                </To>
              )}
              {inner.length > 0 && (
                <ul className="inner">
                  {inner.map(({ name, page, count }) => (
                    <li key={page}>
                      <To page={page} isNavigation>
                        <span className="name">{name}</span>
                        {count !== undefined && <Count count={counts[count]} />}
                      </To>
                    </li>
                  ))}
                </ul>
              )}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function sumOf(counts: Counts, pages: readonly Entry[]): number {
  return pages.reduce((sum, { count }) => sum + (count === undefined ? 0 : counts[count]), 0);
}

function Count({ count }: { count: number }) {
  return count === 0 ? null : <span className="count">{formatCount(count)}</span>;
}

/** The pages of the open area in a row, where the sidebar has no space for them. */
export function RoomTabs() {
  const { open } = useRooms();
  if (open === undefined || open.pages.length < 2) return null;
  return (
    <nav aria-label={open.name} className="tabs">
      {open.pages.map(({ name, page }) => (
        <To key={page} page={page} isNavigation>
          {name}
        </To>
      ))}
    </nav>
  );
}

/** The entries of the bar at the bottom of a phone, beside the menu. */
const ON_PHONES = 4;

export function PhoneLinks() {
  const { rooms, open } = useRooms();
  const counts = useCounts();
  return (
    <nav aria-label={words.frame.shortcuts}>
      {rooms.slice(0, ON_PHONES).map((room) => {
        const [first] = room.pages;
        return (
          first !== undefined && (
            <To key={room.name} page={first.page} isNavigation {...(room === open && { className: "active" })}>
              <Icon of={room.icon} />
              <span>{room.name}</span>
              <Count count={sumOf(counts, room.pages)} />
            </To>
          )
        );
      })}
    </nav>
  );
}

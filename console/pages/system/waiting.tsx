import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useWorkspaceId } from "../../api/path-id.ts";
import type { Called } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { type Column, type PageOf, Table } from "../../kit/table.tsx";
import { type PagePath, pathTo } from "../../kit/to.tsx";
import { When } from "../../kit/when.tsx";
import { systemWords as says } from "../../words/en/system.ts";
import { History } from "./history.tsx";
import type { System } from "./parts.tsx";
import { Resolve, type UnknownSend } from "./resolve.tsx";

interface ListProps {
  system: System;
  called: Called<System>;
}

/** Wraps entries of the answer as a single page of a table. */
function asPage<T>(called: Called<System>, items: readonly (T & { id: string })[]): Called<PageOf<T & { id: string }>> {
  return {
    ...called,
    refusal: null,
    isLooking: false,
    data: { items: [...items], total: items.length, page: 1, pageSize: items.length },
  };
}

export function Unknown({ system: { unknown }, called }: ListProps) {
  const workspaceId = useWorkspaceId();
  const may = useMay();
  const [asked, setAsked] = useState<UnknownSend | null>(null);
  if (unknown.items.length === 0) return null;
  const columns: Column<UnknownSend & { id: string }>[] = [
    { head: says.recipient, cell: (send) => <Person {...send} /> },
    {
      head: says.campaign,
      cell: ({ campaignId, campaignName, isMember }) =>
        campaignName ?? (campaignId === null && isMember ? says.noCampaign : says.none),
    },
    { head: says.workspace, cell: ({ workspaceName, workspaceId }) => workspaceName ?? workspaceId },
    { head: says.since, cell: ({ unknownAt }) => (unknownAt === null ? says.none : <When at={unknownAt} />) },
    {
      head: says.becameOf,
      cell: (send) => {
        if (!send.isMember) return <span className="fine">{says.byMember}</span>;
        if (send.campaignId === null) return says.none;
        if (send.workspaceId !== workspaceId) {
          return (
            <PlaceLink place={send} page="/system">
              {says.elsewhere(send.workspaceName ?? send.workspaceId)}
            </PlaceLink>
          );
        }
        if (!may("campaigns:launch")) return says.none;
        return (
          <button type="button" aria-label={says.resolveOf(send.email ?? send.sendId)} onClick={() => setAsked(send)}>
            {says.resolve}
          </button>
        );
      },
    },
  ];
  const rows = asPage(
    called,
    unknown.items.map((send) => ({ ...send, id: send.sendId })),
  );
  return (
    <section>
      <h2>{says.unknownTitle}</h2>
      <p>{says.unknownLead}</p>
      <Table label={says.unknownTitle} rows={rows} columns={columns} empty={says.none} />
      <p className="fine">{says.firstOf(unknown.items.length, unknown.count)}</p>
      {asked !== null && asked.campaignId !== null && (
        <Resolve send={asked} campaignId={asked.campaignId} onClose={() => setAsked(null)} />
      )}
    </section>
  );
}

function historyColumn<T extends { id: string }>({ engine }: System, noun: "recipient" | "mailbox-sync"): Column<T>[] {
  if (engine.runsUrl === null) return [];
  return [{ head: says.history, cell: ({ id }) => <History noun={noun} id={id} /> }];
}

type Late = System["overdue"]["items"][number];

export function Overdue({ system, called }: ListProps) {
  const { overdue } = system;
  if (overdue.items.length === 0) return null;
  const columns: Column<Late & { id: string }>[] = [
    { head: says.recipient, cell: (recipient) => <Person {...recipient} /> },
    { head: says.campaign, cell: ({ campaignName }) => campaignName ?? says.none },
    { head: says.workspace, cell: ({ workspaceName, workspaceId }) => workspaceName ?? workspaceId },
    { head: says.due, cell: ({ dueAt }) => (dueAt === null ? says.none : <When at={dueAt} />) },
    ...historyColumn<Late & { id: string }>(system, "recipient"),
  ];
  const rows = asPage(
    called,
    overdue.items.map((recipient) => ({ ...recipient, id: recipient.recipientId })),
  );
  return (
    <section>
      <h2>{says.overdueTitle}</h2>
      <p>{says.overdueLead}</p>
      <Table label={says.overdueTitle} rows={rows} columns={columns} empty={says.none} />
      <p className="fine">{says.firstOf(overdue.items.length, overdue.count)}</p>
    </section>
  );
}

type PersonProps = Pick<
  UnknownSend,
  "workspaceId" | "workspaceName" | "isMember" | "campaignId" | "recipientId" | "email"
>;

/** A recipient, with a link to the reason why they wait. */
function Person({ campaignId, recipientId, email, ...place }: PersonProps) {
  if (campaignId === null || recipientId === null) return email ?? says.foreign;
  return (
    <PlaceLink
      place={place}
      page="/campaigns/$campaignId"
      ids={{ campaignId }}
      view={{ open: recipientId, search: email ?? "" }}
    >
      {email ?? recipientId}
    </PlaceLink>
  );
}

type Unreached = System["mailboxes"]["items"][number];

export function Unread({ system, called }: ListProps) {
  const { mailboxes } = system;
  if (mailboxes.items.length === 0) return null;
  const columns: Column<Unreached & { id: string }>[] = [
    { head: says.mailbox, cell: ({ email }) => email ?? <span className="fine">{says.foreign}</span> },
    { head: says.workspace, cell: ({ workspaceName, workspaceId }) => workspaceName ?? workspaceId },
    { head: says.lastRead, cell: ({ lastSyncAt }) => (lastSyncAt === null ? says.never : <When at={lastSyncAt} />) },
    ...historyColumn<Unreached & { id: string }>(system, "mailbox-sync"),
  ];
  const rows = asPage(
    called,
    mailboxes.items.map((mailbox) => ({ ...mailbox, id: mailbox.mailboxId })),
  );
  return (
    <section>
      <h2>{says.mailboxesTitle}</h2>
      <p>{says.mailboxesLead}</p>
      <Table label={says.mailboxesTitle} rows={rows} columns={columns} empty={says.none} />
      <p className="fine">{says.firstOf(mailboxes.items.length, mailboxes.unsynced)}</p>
    </section>
  );
}

interface Placed {
  workspaceId: string;
  workspaceName: string | null;
  isMember: boolean;
}

interface PlaceLinkProps {
  place: Placed;
  page: PagePath;
  ids?: Readonly<Record<string, string>>;
  view?: Readonly<Record<string, string>>;
  children: ReactNode;
}

/** A link to a page of another workspace; plain text for people who are not its members. */
function PlaceLink({ place: { workspaceId, isMember }, page, ids, view = {}, children }: PlaceLinkProps) {
  if (!isMember) return <span className="fine">{says.foreign}</span>;
  return (
    <Link to={pathTo(workspaceId, page, ids)} search={view}>
      {children}
    </Link>
  );
}

import type { Brand } from "../domain/access/brand.ts";
import { Workspace } from "../models/access/workspace.ts";
import { Mailbox } from "../models/mailboxes/mailbox.ts";
import { trusted } from "../mongo/collection.ts";
import { sessionOption } from "../mongo/direct.ts";

const IN_USE = ["PENDING", "VERIFIED"] as const;

/**
 * Whether a workspace has entered this name for its portal and the name is VERIFIED or PENDING. The proxy may request a
 * certificate for both (rules/tracking 4.2).
 */
export async function isPortalName(domain: string): Promise<boolean> {
  const wanted = { "portalDomain.domain": domain, "portalDomain.status": trusted({ $in: IN_USE }), deletedAt: null };
  return (await Workspace.findOne(wanted, { _id: 1 }).lean()) !== null;
}

/** The workspace whose portal is served under a host name. It has proved that it owns the name, and is not deleted. */
export function findPortalOwner(domain: string): Promise<Pick<Workspace, "_id" | "name" | "portal"> | null> {
  return Workspace.findOne(
    { "portalDomain.domain": domain, "portalDomain.status": "VERIFIED", deletedAt: null },
    { name: 1, portal: 1 },
  )
    .lean<Pick<Workspace, "_id" | "name" | "portal">>()
    .exec();
}

/** The name and colours of the workspace that uses a tracking domain, or of its agency; null for none. */
export async function findTrackingBrand(domain: string): Promise<Brand | null> {
  const verifiedDomain = { "trackingDomain.domain": domain, "trackingDomain.status": "VERIFIED" as const };
  const whole = await Workspace.findOne({ ...verifiedDomain, deletedAt: null }, { _id: 1 }).lean<
    Pick<Workspace, "_id">
  >();
  if (whole !== null) return brandOf(whole._id);
  const mailbox = await Mailbox.findOne(verifiedDomain, { workspaceId: 1 }, { acrossWorkspaces: true }).lean<
    Pick<Mailbox, "workspaceId">
  >();
  return mailbox === null ? null : brandOf(mailbox.workspaceId);
}

/** The verified portal at which the people of a client workspace sign in: its own, or its agency's; null for none. */
export async function findPortalOfClient(workspaceId: string): Promise<{ domain: string; name: string } | null> {
  const fields = { name: 1, portal: 1, portalDomain: 1, parentWorkspaceId: 1 };
  const own = await Workspace.findOne({ _id: workspaceId }, fields, sessionOption()).lean<Workspace>();
  if (own === null || own.parentWorkspaceId === null) return null;
  if (own.portalDomain?.status === "VERIFIED") return shownPortal(own);
  const agency = { _id: own.parentWorkspaceId, deletedAt: null };
  const parent = await Workspace.findOne(agency, fields, sessionOption()).lean<Workspace>();
  return parent === null ? null : shownPortal(parent);
}

function shownPortal({ name, portal, portalDomain }: Workspace): { domain: string; name: string } | null {
  return portalDomain?.status === "VERIFIED" ? { domain: portalDomain.domain, name: portal?.name ?? name } : null;
}

async function brandOf(workspaceId: string): Promise<Brand | null> {
  const own = await Workspace.findOne(
    { _id: workspaceId, deletedAt: null },
    { portal: 1, parentWorkspaceId: 1 },
  ).lean<Workspace>();
  if (own === null || own.portal || own.parentWorkspaceId === null) return own?.portal ?? null;
  const parent = await Workspace.findOne(
    { _id: own.parentWorkspaceId, deletedAt: null },
    { portal: 1 },
  ).lean<Workspace>();
  return parent?.portal ?? null;
}

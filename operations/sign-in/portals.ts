import { type Brand, darkPalette, lightPalette, type Palette } from "../../domain/access/brand.ts";
import { findPortalOfClient, findPortalOwner, findTrackingBrand } from "../../store/portals.ts";

/** How a page looks that is asked for by a name of a workspace's own. */
export interface Look {
  name: string;
  light: Palette;
  dark: Palette;
}

/**
 * A name of a workspace's own at which people sign in to it and to its clients, and to nothing else (rules/access 6).
 */
export interface Portal {
  /** The workspace whose portal it is. */
  workspaceId: string;
  domain: string;
  look: Look;
}

const REMEMBERED_MS = 1_000;
const MOST_REMEMBERED = 10_000;
const LONGEST_NAME = 253;

/** The portal that answers under a host name; null for none. What it answers is at most 1 s old. */
export const findPortal = rememberBriefly(async (domain): Promise<Portal | null> => {
  const owner = await findPortalOwner(domain);
  if (owner === null) return null;
  const { _id: workspaceId, name, portal } = owner;
  return { workspaceId, domain, look: lookOf(portal ?? { name, accent: null, background: null }) };
});

/**
 * How pages look under a name that is a portal or a tracking domain; null: as ours. What it answers is at most 2 s old.
 */
export const findLook = rememberBriefly(async (domain): Promise<Look | null> => {
  const portal = await findPortal(domain);
  if (portal !== null) return portal.look;
  const brand = await findTrackingBrand(domain);
  return brand === null ? null : lookOf(brand);
});

/** The base address of a portal: protocol and port are the service's, and it answers from its root on. */
export function portalUrl(publicUrl: string, domain: string): string {
  const url = new URL(publicUrl);
  url.hostname = domain;
  return url.origin;
}

/**
 * Where who is invited to a workspace signs in, and what that is called: clients of an agency at its portal, everybody
 * else at the service's own address.
 */
export async function signInPlace(publicUrl: string, workspaceId: string): Promise<{ url: string; name: string }> {
  const portal = await findPortalOfClient(workspaceId);
  if (portal === null) return { url: publicUrl, name: "Outreach" };
  return { url: portalUrl(publicUrl, portal.domain), name: portal.name.replace(/\s+/g, " ") };
}

/** Whether a portal opens a workspace: its owner's own, and those that are clients of it (rules/access 1.6). */
export function isOpenAt(portalId: string, workspace: { _id: string; parentWorkspaceId: string | null }): boolean {
  return workspace._id === portalId || workspace.parentWorkspaceId === portalId;
}

function lookOf(brand: Brand): Look {
  return { name: brand.name, light: lightPalette(brand), dark: darkPalette(brand) };
}

/** Strangers may ask for any name as often as they like, so an answer is kept for a second. */
function rememberBriefly<T>(find: (domain: string) => Promise<T | null>): (host: string) => Promise<T | null> {
  const known = new Map<string, { found: T | null; until: number }>();
  return async (host) => {
    const domain = host.toLowerCase();
    if (domain.length > LONGEST_NAME) return null;
    const before = known.get(domain);
    if (before !== undefined && before.until > performance.now()) return before.found;
    const found = await find(domain);
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(domain, { found, until: performance.now() + REMEMBERED_MS });
    return found;
  };
}

import { type Brand, darkPalette, lightPalette, type Palette } from "../../domain/access/brand.ts";
import { findPortalOfClient, findPortalOwner, findTrackingBrand } from "../../store/portals.ts";

/** The branding of pages on a workspace's own domain. */
export interface Look {
  name: string;
  light: Palette;
  dark: Palette;
}

/**
 * A workspace's own domain at which people sign in to that workspace and its clients, and to nothing else (rules/access
 * 6).
 */
export interface Portal {
  /** The workspace that owns the portal. */
  workspaceId: string;
  domain: string;
  look: Look;
}

const REMEMBERED_MS = 1_000;
const MOST_REMEMBERED = 10_000;
const LONGEST_NAME = 253;

/** The portal of a host name; null without one. The result is at most 1 s old. */
export const findPortal = rememberBriefly(async (domain): Promise<Portal | null> => {
  const owner = await findPortalOwner(domain);
  if (owner === null) return null;
  const { _id: workspaceId, name, portal } = owner;
  return { workspaceId, domain, look: lookOf(portal ?? { name, accent: null, background: null }) };
});

/**
 * The branding for the host name of a portal or tracking domain; null for our own branding. The result is at most 2 s
 * old.
 */
export const findLook = rememberBriefly(async (domain): Promise<Look | null> => {
  const portal = await findPortal(domain);
  if (portal !== null) return portal.look;
  const brand = await findTrackingBrand(domain);
  return brand === null ? null : lookOf(brand);
});

/** The base URL of a portal: it has the protocol and port of the service, and no path. */
export function portalUrl(publicUrl: string, domain: string): string {
  const url = new URL(publicUrl);
  url.hostname = domain;
  return url.origin;
}

/**
 * Where a person invited to a workspace signs in, and the name of that place: clients of an agency at its portal, all
 * others at the service's own address.
 */
export async function signInPlace(publicUrl: string, workspaceId: string): Promise<{ url: string; name: string }> {
  const portal = await findPortalOfClient(workspaceId);
  if (portal === null) return { url: publicUrl, name: "Outreach" };
  return { url: portalUrl(publicUrl, portal.domain), name: portal.name.replace(/\s+/g, " ") };
}

/**
 * Returns true for the workspaces that a portal opens: its owner's workspace and the clients of it (rules/access 1.6).
 */
export function isOpenAt(portalId: string, workspace: { _id: string; parentWorkspaceId: string | null }): boolean {
  return workspace._id === portalId || workspace.parentWorkspaceId === portalId;
}

function lookOf(brand: Brand): Look {
  return { name: brand.name, light: lightPalette(brand), dark: darkPalette(brand) };
}

/** Caches each result for a second, because anyone can send requests with any host name. */
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

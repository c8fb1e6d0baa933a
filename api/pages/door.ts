import type { Response } from "express";
import { type Portal, portalUrl } from "../../operations/sign-in/portals.ts";

/** The host name by which a browser reached the service: its own address, or the portal of a workspace. */
export interface Door {
  /** The base address of its pages. */
  url: string;
  /** The workspace whose portal it is; null at the service's own address. */
  portalId: string | null;
}

/** The host name of a request, as `api/public/tracking-hosts.ts` resolved it. */
export function doorOf(res: Response, publicUrl: string): Door {
  const portal: Portal | undefined = res.locals["portal"];
  if (portal === undefined) return { url: publicUrl, portalId: null };
  return { url: portalUrl(publicUrl, portal.domain), portalId: portal.workspaceId };
}

/** Prefixes a path with the base path of the public URL, without protocol and host. */
export function at({ url }: Door, path: string): string {
  return `${new URL(url).pathname.replace(/\/+$/, "")}${path}`;
}

import type { Response } from "express";
import { type Portal, portalUrl } from "../../operations/sign-in/portals.ts";

/** By which of its names a browser reached the service: its own address, or the portal of a workspace. */
export interface Door {
  /** The base address of its pages. */
  url: string;
  /** The workspace whose portal it is; null at the service's own address. */
  portalId: string | null;
}

/** The door of a request, as `api/public/tracking-hosts.ts` found it by the name of the host. */
export function doorOf(res: Response, publicUrl: string): Door {
  const portal: Portal | undefined = res.locals["portal"];
  if (portal === undefined) return { url: publicUrl, portalId: null };
  return { url: portalUrl(publicUrl, portal.domain), portalId: portal.workspaceId };
}

/** A path of this service below the path of the door, for every protocol by which the browser reached us. */
export function at({ url }: Door, path: string): string {
  return `${new URL(url).pathname.replace(/\/+$/, "")}${path}`;
}

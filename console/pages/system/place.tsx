import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { type PagePath, pathTo } from "../../kit/to.tsx";
import { systemWords as says } from "../../words/en/system.ts";

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

/** A link to a page of another workspace, for its members. */
export function PlaceLink({ place: { workspaceId, isMember }, page, ids, view = {}, children }: PlaceLinkProps) {
  if (!isMember) return <span className="fine">{says.foreign}</span>;
  return (
    <Link to={pathTo(workspaceId, page, ids)} search={view}>
      {children}
    </Link>
  );
}

import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** A path in `routes.tsx`; a test checks that every link has a route. */
export type PagePath = `/${string}`;

interface ToProps {
  page: PagePath;
  ids?: Readonly<Record<string, string>>;
  view?: Readonly<Record<string, string>>;
  className?: string;
  /** The text on hover, where only an icon is visible. */
  hint?: string;
  /** Called when the link is followed, for example to close the dialog that contains it. */
  onOpen?: () => void;
  /** A navigation link is marked when its page or a page below it is open; "/" only when that page itself is open. */
  isNavigation?: boolean;
  children: ReactNode;
}

/** A link to a page of the open workspace. */
export function To({ page, ids = {}, view = {}, className, hint, onOpen, isNavigation = false, children }: ToProps) {
  const { workspaceId = "" }: { workspaceId?: string } = useParams({ strict: false });
  return (
    <Link
      to={pathTo(workspaceId, page, ids)}
      search={view}
      {...(className !== undefined && { className })}
      {...(hint !== undefined && { title: hint })}
      {...(onOpen !== undefined && { onClick: onOpen })}
      {...(isNavigation && { activeOptions: { exact: page === "/", includeSearch: false } })}
    >
      {children}
    </Link>
  );
}

/** The URL path of a page, such as `/w/wsp_1/campaigns/cmp_1`. */
export function pathTo(workspaceId: string, page: PagePath, ids: Readonly<Record<string, string>> = {}): string {
  const path = page.replaceAll(/\$(\w+)/g, (_, name: string) => encodeURIComponent(ids[name] ?? ""));
  return `/w/${encodeURIComponent(workspaceId)}${path === "/" ? "" : path}`;
}

import { useParams } from "@tanstack/react-router";

/** An id in this page's URL, such as `campaignId`. */
export function usePathId(name: string): string {
  const ids: Record<string, string | undefined> = useParams({ strict: false });
  const id = ids[name];
  if (id === undefined) throw new Error(`The address of this page names no ${name}`);
  return id;
}

/** The id of the workspace in this page's URL; empty on pages without a workspace. */
export function useWorkspaceId(): string {
  const { workspaceId = "" }: { workspaceId?: string } = useParams({ strict: false });
  return workspaceId;
}

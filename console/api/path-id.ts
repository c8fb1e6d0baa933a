import { useParams } from "@tanstack/react-router";

/** An id in the address of this page, such as `campaignId`. */
export function usePathId(name: string): string {
  const ids: Record<string, string | undefined> = useParams({ strict: false });
  const id = ids[name];
  if (id === undefined) throw new Error(`The address of this page names no ${name}`);
  return id;
}

/** The workspace in the address; empty on pages outside of every workspace. */
export function useWorkspaceId(): string {
  const { workspaceId = "" }: { workspaceId?: string } = useParams({ strict: false });
  return workspaceId;
}

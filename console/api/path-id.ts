import { useParams } from "@tanstack/react-router";

/** An id that the address of this page names, such as `campaignId`. */
export function usePathId(name: string): string {
  const ids: Record<string, string | undefined> = useParams({ strict: false });
  const id = ids[name];
  if (id === undefined) throw new Error(`The address of this page names no ${name}`);
  return id;
}

/** The workspace that the address names; empty outside of every workspace. */
export function useWorkspaceId(): string {
  const { workspaceId = "" }: { workspaceId?: string } = useParams({ strict: false });
  return workspaceId;
}

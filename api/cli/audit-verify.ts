import { parseArgs } from "node:util";
import { verify } from "../../operations/audit.ts";
import { firstWorkspace } from "../../operations/workspaces.ts";
import { onDatabase } from "./database.ts";

// Walks the audit log of a workspace, the first one when none is named; exit code 1 when a link is broken
await onDatabase(async () => {
  const { workspace } = parseArgs({ options: { workspace: { type: "string" } } }).values;
  const workspaceId = workspace ?? (await firstWorkspace());
  if (workspaceId === null) throw new Error("There is no workspace yet");
  const { entries, brokenAt } = await verify(workspaceId);
  if (brokenAt !== null) throw new Error(`${workspaceId}: the chain is broken at entry ${brokenAt}; ${entries} before it are whole`);
  return `${workspaceId}: ${entries} entries, the chain is whole`;
});

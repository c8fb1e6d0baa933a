import { parseArgs } from "node:util";
import { endWorkspaceSuspension } from "../../operations/abuse/suspend.ts";
import { onDatabase } from "./database.ts";

const USAGE = "usage: npm run workspace:resume -- <workspace id> [--reason <text for its audit log>]";

// Ends a suspension. The kill switch of the workspace itself stays as it is
await onDatabase(async () => {
  const options = { reason: { type: "string" } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [workspaceId, ...others] = positionals;
  if (workspaceId === undefined || others.length > 0) throw new Error(USAGE);
  const resumed = await endWorkspaceSuspension(workspaceId, values.reason);
  return `${workspaceId} is no longer suspended, ${resumed} ${resumed === 1 ? "campaign continues" : "campaigns continue"}`;
});

import { parseArgs } from "node:util";
import { suspend } from "../../operations/abuse/suspend.ts";
import { onDatabase } from "./database.ts";

const USAGE = "usage: npm run workspace:suspend -- <workspace id> --reason <text that its members read>";

// Suspends a workspace: once the command has ended, no email of the workspace leaves
await onDatabase(async () => {
  const options = { reason: { type: "string" } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [workspaceId, ...others] = positionals;
  if (workspaceId === undefined || others.length > 0 || values.reason === undefined) throw new Error(USAGE);
  const paused = await suspend(workspaceId, values.reason);
  return `${workspaceId} is suspended, ${paused} ${paused === 1 ? "campaign is" : "campaigns are"} paused`;
});

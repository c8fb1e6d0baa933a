import { parseArgs } from "node:util";
import { limit } from "../../operations/abuse/limit.ts";
import { onDatabase } from "./database.ts";

const USAGE =
  "usage: npm run workspace:limit -- <workspace id> --daily <emails a day, or none> --reason <text that its members read>";

// Limits how many emails a workspace may send on a UTC day
await onDatabase(async () => {
  const options = { daily: { type: "string" }, reason: { type: "string" } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [workspaceId, ...others] = positionals;
  const { daily, reason } = values;
  if (workspaceId === undefined || others.length > 0 || daily === undefined || reason === undefined)
    throw new Error(USAGE);
  if (daily !== "none" && !/^\d{1,7}$/.test(daily)) throw new Error(USAGE);
  await limit(workspaceId, daily === "none" ? null : Number(daily), reason);
  return daily === "none"
    ? `${workspaceId} has no limit of the operator`
    : `${workspaceId} may send ${daily} emails a day`;
});

import { parseArgs } from "node:util";
import { type JudgedWorkspace, listWorkspaces } from "../../operations/abuse/list.ts";
import { suspend } from "../../operations/abuse/suspend.ts";
import { onDatabase } from "./database.ts";

const USAGE = "usage: npm run workspace:suspend -- [<workspace id> --reason <text that its members read>]";
const COLUMNS = ["id", "name", "owner", "state", "emails", "bounced", "reported", "in junk", "domains listed"];

// Suspends a workspace and its clients: once the command has ended, no email of them leaves. Without an id it lists the
// first 200 workspaces that are suspended, slowed, sending or limited, with their rates of the last three days
await onDatabase(async () => {
  const options = { reason: { type: "string" } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [workspaceId, ...others] = positionals;
  if (workspaceId === undefined && values.reason === undefined)
    return [COLUMNS, ...(await listWorkspaces(null, { most: 200 })).items.map(cellsOf)]
      .map((cells) => cells.join("\t"))
      .join("\n");
  if (workspaceId === undefined || others.length > 0 || values.reason === undefined) throw new Error(USAGE);
  const paused = await suspend(workspaceId, values.reason);
  return `${workspaceId} is suspended, ${paused} ${paused === 1 ? "campaign is" : "campaigns are"} paused`;
});

function cellsOf({ workspaceId, name, ownerEmail, suspension, cap, figures, rates }: JudgedWorkspace): string[] {
  const share = (count: number, rate: number | null) =>
    rate === null ? String(count) : `${count} (${(rate * 100).toFixed(1)} %)`;
  const limit = cap === null ? "sending" : `at most ${cap.most} a day`;
  return [
    workspaceId,
    JSON.stringify(name), // a name may contain a tab or a line break
    ownerEmail,
    suspension === null ? limit : `suspended: ${JSON.stringify(suspension.reason)}`,
    String(figures.mails),
    share(figures.bounced, rates.bounces),
    share(figures.complained, rates.complaints),
    `${share(figures.inSpam, rates.spam)} of ${figures.seen}`,
    `${figures.listed} of ${figures.domains}`,
  ];
}

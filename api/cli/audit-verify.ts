import { parseArgs } from "node:util";
import { type ChainVerdict, findChainedWorkspaces, verifyChain } from "../../store/audit-chain.ts";
import { onDatabase } from "./database.ts";

// Verifies the audit log of every workspace, or of the named one; the exit code is 1 when any chain is broken
await onDatabase(async () => {
  const { workspace } = parseArgs({ options: { workspace: { type: "string" } } }).values;
  const all = await findChainedWorkspaces();
  const workspaceIds = workspace === undefined ? all : all.filter((id) => id === workspace);
  if (workspaceIds.length === 0)
    throw new Error(workspace === undefined ? "There is no workspace yet" : `There is no workspace ${workspace}`);
  const verdicts: ChainVerdict[] = [];
  for (const id of workspaceIds) verdicts.push(await verifyChain(id));
  const lines = verdicts.map((verdict, index) => `${workspaceIds[index]}: ${sentenceOf(verdict)}`).join("\n");
  if (verdicts.some(({ brokenAt }) => brokenAt !== null)) throw new Error(lines);
  return lines;
});

function sentenceOf({ entries, brokenAt }: ChainVerdict): string {
  const verified = `${entries} ${entries === 1 ? "entry" : "entries"} verified`;
  return brokenAt === null
    ? `${verified}, the chain is intact`
    : `${verified}, the chain is broken at entry ${brokenAt}`;
}

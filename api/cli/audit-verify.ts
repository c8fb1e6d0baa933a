import { parseArgs } from "node:util";
import { chained, type Verdict, verify } from "../../operations/access/audit.ts";
import { onDatabase } from "./database.ts";

// Verifies the audit log of every workspace, or of the named one; the exit code is 1 when any chain is broken
await onDatabase(async () => {
  const { workspace } = parseArgs({ options: { workspace: { type: "string" } } }).values;
  const all = await chained();
  const asked = workspace === undefined ? all : all.filter((id) => id === workspace);
  if (asked.length === 0) throw new Error(workspace === undefined ? "There is no workspace yet" : `There is no workspace ${workspace}`);
  const verdicts: Verdict[] = [];
  for (const id of asked) verdicts.push(await verify(id));
  const lines = verdicts.map((verdict, index) => `${asked[index]}: ${sentenceOf(verdict)}`).join("\n");
  if (verdicts.some(({ brokenAt }) => brokenAt !== null)) throw new Error(lines);
  return lines;
});

function sentenceOf({ entries, brokenAt }: Verdict): string {
  if (brokenAt === null) return `${entries} entries, the chain is whole`;
  return `the chain is broken at entry ${brokenAt}; ${entries} before it are whole`;
}

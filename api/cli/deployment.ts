import { parseArgs } from "node:util";
import { readConfig } from "../../config.ts";
import { type DeploymentCommand, DeploymentRefusal, runDeploymentCommand } from "../../runtime/deployment.ts";

const USAGE = `usage: npm run deployment -- show
       npm run deployment -- current [<build id>]
       npm run deployment -- ramp <percent from 0 to 100> [<build id>]
       npm run deployment -- rollback`;

// Shows which version of the workers gets the work, or changes it. Without a build id it is the version of this program
const command = readArguments();
try {
  if (command === null) throw new DeploymentRefusal(USAGE);
  console.log(await runDeploymentCommand(readConfig(), command));
} catch (err) {
  process.stderr.write(`${err instanceof Error ? err.message : String(err)}\n`);
  process.exitCode = 1;
}

/** Null for arguments that are not in USAGE. */
function readArguments(): DeploymentCommand | null {
  let words: string[];
  try {
    words = parseArgs({ options: {}, allowPositionals: true }).positionals;
  } catch {
    return null;
  }
  const [kind, ...rest] = words;
  if ((kind === "show" || kind === "rollback") && rest.length === 0) return { kind };
  if (kind === "current" && rest.length < 2) return { kind, buildId: rest[0] ?? null };
  const [percent = "", buildId = null] = rest;
  if (kind !== "ramp" || rest.length > 2 || !/^\d{1,3}$/.test(percent) || Number(percent) > 100) return null;
  return { kind, percent: Number(percent), buildId };
}

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { SETUP_STATUSES, type SetupFinding } from "../../domain/readiness.ts";
import { fail } from "./finding.ts";

const DOCTOR = fileURLToPath(new URL("../../api/cli/doctor.ts", import.meta.url));
/** Milliseconds; longer than every check together waits for servers that do not answer. */
const LONGEST_MS = 90_000;

const Printed = z.object({
  checks: z.array(
    z.object({
      check: z.string(),
      status: z.enum(SETUP_STATUSES),
      found: z.string(),
      advice: z.string().nullable(),
    }),
  ),
});

/**
 * Runs `npm run doctor` in a process of its own, because its checks open and close connections that this process needs.
 * Callers share a run that is under way. `env` is the environment of that process; the one of this process when unset.
 */
export function createSetupCheck(stopping: AbortSignal, env?: NodeJS.ProcessEnv): () => Promise<SetupFinding[]> {
  let underWay: Promise<SetupFinding[]> | null = null;
  return () => {
    underWay ??= runDoctor(stopping, env).finally(() => {
      underWay = null;
    });
    return underWay;
  };
}

/** The exit code is 1 when a check failed, so only what was printed counts. */
function runDoctor(signal: AbortSignal, env?: NodeJS.ProcessEnv): Promise<SetupFinding[]> {
  const options = { signal, timeout: LONGEST_MS, ...(env && { env }) };
  return new Promise((resolve) => {
    execFile(process.execPath, ["--no-warnings", DOCTOR, "--json"], options, (_error, stdout) =>
      resolve(readFindings(stdout)),
    );
  });
}

function readFindings(text: string): SetupFinding[] {
  try {
    return Printed.parse(JSON.parse(text)).checks;
  } catch {
    return [fail("Check of the set-up", "it ended without a result", "Run `npm run doctor` where the service runs")];
  }
}

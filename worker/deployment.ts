import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@temporalio/client";
import manifest from "../package.json" with { type: "json" };
import type { Log } from "../runtime/log.ts";
import { refusalOf } from "../temporal/search-attributes.ts";

/** The name of our worker deployment in Temporal. */
export const DEPLOYMENT = "outreach";

const ROOT = join(import.meta.dirname, "..");
/**
 * The folders whose code affects the replay of a workflow. They are hashed from the sources, because only one process
 * bundles the workflows.
 */
const SOURCES = ["workflows", "domain"];
const RETRY_MS = 250;
/** Milliseconds after which the log reports why the version is not current yet. */
const SILENT_MS = 30_000;
const CALL_MS = 5_000;

/** The build id of this process in Temporal: the release, and a hash of the workflow code. */
export function buildIdOfSources(): string {
  const hash = createHash("sha256");
  for (const folder of SOURCES) {
    const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).filter((file) =>
      /\.(ts|json)$/.test(file),
    );
    for (const file of files.sort()) hash.update(`${folder}/${file}\0`).update(readFileSync(join(ROOT, folder, file)));
  }
  return `${manifest.version}-${hash.digest("hex").slice(0, 12)}`;
}

interface Candidate {
  /** Null while Temporal is unreachable. */
  client: () => Client | null;
  buildId: string;
  log: Log;
  stopping: AbortSignal;
}

/**
 * Makes this build the current version, which gets all workflow runs, also those started under other versions. The
 * server accepts it once this build polls every queue of the previous version, so that no work is left without a
 * worker. The build that started last wins. Resolves when it is current, when the server refuses permanently, or at
 * shutdown.
 */
export async function makeCurrent({ client, buildId, log, stopping }: Candidate): Promise<void> {
  const started = performance.now();
  let isSilent = true;
  while (!stopping.aborted) {
    const failure = await setCurrent(client(), buildId);
    if (failure === null) return;
    const { refusal, details } = failure;
    if (refusal !== null) {
      const help = `temporal worker deployment set-current-version --deployment-name ${DEPLOYMENT} --build-id ${buildId}`;
      log.error(
        { buildId, refusal },
        `Temporal does not let this worker become the current version: an operator must run \`${help}\``,
      );
      return;
    }
    if (isSilent && performance.now() - started > SILENT_MS) {
      isSilent = false;
      log.warn(
        { buildId, details },
        "The previous version keeps the work until workers of this version poll all of its task queues",
      );
    }
    await delay(RETRY_MS, undefined, { signal: stopping }).catch(() => {});
  }
}

/** Null when the build is now the current version. */
async function setCurrent(
  client: Client | null,
  buildId: string,
): Promise<{ refusal: string | null; details: string } | null> {
  if (client === null) return { refusal: null, details: "Temporal is unreachable" };
  const { namespace, identity } = client.options;
  const request = { namespace, deploymentName: DEPLOYMENT, buildId, identity };
  try {
    await client.withDeadline(Date.now() + CALL_MS, () =>
      client.workflowService.setWorkerDeploymentCurrentVersion(request),
    );
    return null;
  } catch (err) {
    const details = err instanceof Error && "details" in err ? String(err.details) : "no answer";
    return { refusal: refusalOf(err), details };
  }
}

import type { ConsoleFiles } from "../../api/console/pages.ts";
import type { PlacementLimits } from "../../domain/deliverability/placement.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { until } from "../fakes/wait.ts";
import { mailboxIn } from "../inbox/mailbox-in.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

/** A test that waits for seconds where the service waits for half an hour. */
export const QUICK: PlacementLimits = {
  missingAfterMs: 6_000,
  graceMs: 3_000,
  firstPauseMs: 200,
  longestPauseMs: 1_000,
};

export interface PlacementWorld {
  world: World;
  sandbox: Sandbox;
  /** Where mail to a mailbox goes; null: nowhere. INBOX unless set. */
  folders: Map<string, string | null>;
  /** A workspace with all mailboxes of the sandbox, by address. */
  workspace(): Promise<Awaited<ReturnType<World["workspace"]>> & { ids: Record<string, string> }>;
  /** Connects all mailboxes of the sandbox to a workspace, and returns their ids by address. */
  mailboxesIn(workspaceId: string): Promise<Record<string, string>>;
  close(): Promise<void>;
}

export const SENDERS = ["ann@a.test", "bob@b.test"];
export const SEEDS = ["inbox@seed.test", "junk@seed.test", "never@seed.test"];

/** For the one test that reads all that arrives: mail of other workspaces of the file would be a stranger's there. */
export const QUIET = ["from@quiet.test", "to@quiet.test"];

/** Two mailboxes that send and three kept for tests. Without `isWorked` the caller brings a worker. */
export async function startPlacementWorld({
  isWorked = true,
  limits = QUICK,
  console,
}: {
  isWorked?: boolean;
  limits?: PlacementLimits;
  /** The built console to serve. */
  console?: ConsoleFiles;
} = {}): Promise<PlacementWorld> {
  const certificate = await makeCertificate();
  const folders = new Map<string, string | null>([
    ["junk@seed.test", "Junk"],
    ["never@seed.test", null],
  ]);
  const filing = (recipient: string) => (folders.has(recipient) ? (folders.get(recipient) ?? null) : "INBOX");
  const mailboxes = [...SENDERS, ...SEEDS, ...QUIET];
  const sandbox = await startSandbox({ mailboxes, certificate, filing, reactionMs: { min: 20, max: 60 } });
  const worker = isWorked
    ? { worker: realWorker({ extraCa: certificate.cert, placement: limits }) }
    : { temporal: true };
  const world = await startWorld({
    ...worker,
    ...(console !== undefined && { console }),
    settings: { egressAllow: "localhost:*,127.0.0.1:*" },
  });
  const mailboxesIn = async (workspaceId: string) => {
    const ids: Record<string, string> = {};
    for (const email of mailboxes) ids[email] = await mailboxIn(world, workspaceId, email, sandbox);
    return ids;
  };
  return {
    world,
    sandbox,
    folders,
    async workspace() {
      const workspace = await world.workspace();
      return { ...workspace, ids: await mailboxesIn(workspace.workspaceId) };
    },
    mailboxesIn,
    async close() {
      await world.close();
      await sandbox.close();
    },
  };
}

/** A test once it has ended. */
export async function endedTest(rest: Rest, id: string, deadlineMs = 60_000) {
  const path = `/deliverability/placement-tests/${id}`;
  return until(async () => ((await rest.get(path)).body.finishedAt === null ? null : (await rest.get(path)).body), {
    deadlineMs,
    what: "the placement test to end",
  });
}

/** The outcome of each email: who wrote to whom, and where the email lies or why it lies nowhere. */
export function placesOf(
  test: { results: { mailboxId: string; address: string; folder: string | null; error: { code: string } | null }[] },
  ids: Record<string, string>,
) {
  const nameOf = (id: string) => Object.entries(ids).find(([, known]) => known === id)?.[0] ?? id;
  return test.results
    .map(
      ({ mailboxId, address, folder, error }) =>
        `${nameOf(mailboxId)} > ${address}: ${folder ?? error?.code ?? "open"}`,
    )
    .sort();
}

import type { CrmWaits } from "../../domain/crm/limits.ts";
import { isUnderWay } from "../../domain/job.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { startCrm } from "../fakes/crm.ts";
import type { FakeCrm } from "../fakes/crm-account.ts";
import { until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

export type Vendor = "HUBSPOT" | "SALESFORCE" | "PIPEDRIVE";
export const VENDORS: Vendor[] = ["HUBSPOT", "SALESFORCE", "PIPEDRIVE"];
/** A segment as each vendor names it. */
export const SEGMENT: Record<Vendor, string> = { HUBSPOT: "7", SALESFORCE: "Contact/00B7", PIPEDRIVE: "7" };

const QUICK: CrmWaits = { rateMs: 30, dailyMs: 60, awayMs: 20, longestAwayMs: 40, callMs: 1_000 };

export interface CrmWorld {
  world: World;
  crm: FakeCrm;
  lines: string[];
  /** A workspace with a connection to the vendor, by consent. */
  connected(vendor: Vendor): Promise<Connected>;
  /** Opens the page to which a consent sends the browser back. */
  browse(back: URL): Promise<{ status: number; text: string }>;
  /** Runs a round now that otherwise runs by the clock. */
  round(workflow: "syncCrm" | "writeCrmBack"): Promise<number>;
  close(): Promise<void>;
}

export interface Connected {
  workspaceId: string;
  rest: Rest;
  key: string;
  connectionId: string;
  /** Imports a segment and waits for the end. */
  imported(segmentId: string, more?: object): Promise<ImportAnswer>;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are checked by the test that reads them
type ImportAnswer = any;

export async function startCrmWorld(waits: Partial<CrmWaits> = {}): Promise<CrmWorld> {
  const crm = await startCrm();
  const lines: string[] = [];
  const world = await startWorld({
    worker: realWorker({ crmWaits: { ...QUICK, ...waits }, onLog: (line) => lines.push(line) }),
    settings: { crm: crm.providers },
  });

  await noClock(world);

  async function browse(back: URL) {
    const answer = await fetch(new URL(back.pathname + back.search, world.baseUrl));
    return { status: answer.status, text: await answer.text() };
  }

  return {
    world,
    crm,
    lines,
    browse,
    async connected(vendor) {
      const { workspaceId, rest, key } = await world.workspace();
      const { body } = await rest.post("/crm/connect", { action: "start", provider: vendor });
      await browse(crm.consent(body.authUrl));
      const [connection] = (await rest.get("/crm/connections")).body.items;
      const connectionId: string = connection.id;
      return {
        workspaceId,
        rest,
        key,
        connectionId,
        async imported(segmentId, more = {}) {
          const started = await rest.post("/crm/import", { connectionId, segmentId, ...more });
          if (started.status !== 200) throw new Error(JSON.stringify(started.body));
          return ended(rest, started.body.id);
        },
      };
    },
    async round(workflow) {
      return (
        (await world.temporal?.client.workflow.execute(workflow, {
          taskQueue: "engine",
          workflowId: newId("tst"),
          args: [],
        })) ?? 0
      );
    },
    async close() {
      await world.close();
      await crm.close();
    },
  };
}

/** Stops the schedules of the rounds: each test says itself when a round runs. */
async function noClock({ temporal }: World): Promise<void> {
  for (const id of ["crm-sync", "crm-write-back"]) {
    const pause = async () =>
      (await temporal?.client.schedule
        .getHandle(id)
        .pause("a test says when")
        .then(
          () => true,
          () => false,
        )) ?? true;
    await until(pause, { deadlineMs: 20_000, what: "the schedule" });
  }
}

/** The job of an import when it has ended. */
export async function ended(rest: Rest, jobId: string, deadlineMs = 30_000): Promise<ImportAnswer> {
  return until(
    async () => {
      const { body } = await rest.post("/crm/import", { action: "status", jobId });
      return isUnderWay(body.status) ? null : body;
    },
    { deadlineMs, what: "the import to end" },
  );
}

/** The addresses of the leads of a list, sorted. */
export async function membersOf(workspaceId: string, listId: string): Promise<string[]> {
  const leads = await scoped(workspaceId).Lead.find({ listIds: listId }, { select: { email: 1 } });
  return leads.map(({ email }) => email).sort();
}

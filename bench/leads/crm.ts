import { CRM_VENDORS, crmCall } from "../../connectors/crm/vendors.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { usualMapping } from "../../domain/crm/contact.ts";
import type { CrmProviderName } from "../../domain/crm/provider.ts";
import { scoped } from "../../models/scoped.ts";
import { people, startCrm } from "../../test/fakes/crm.ts";
import type { FakeCrm } from "../../test/fakes/crm-account.ts";
import { until } from "../../test/fakes/wait.ts";
import { type Rig, startRig } from "../rig.ts";
import type { Measured, Row } from "../table.ts";

const CONTACTS = 20_000;
/** Milliseconds that the simulated vendor takes for each answer, like a fast vendor nearby. */
const ANSWER_MS = 150;
const KILLS = 10;
const GOAL = 1.3;
const TOKEN_VENDORS: CrmProviderName[] = ["HUBSPOT", "PIPEDRIVE"];

/**
 * Measures imports of a large segment: compared with the time to read its pages only, and while the worker is killed
 * repeatedly.
 */
export async function run(): Promise<Row> {
  const crm = await startCrm();
  const rig = await startRig({ HUBSPOT_URL: crm.url, PIPEDRIVE_API_URL: crm.url });
  try {
    crm.settings.delayMs = ANSWER_MS;
    crm.segments.set("7", people(CONTACTS));
    await rig.worker([], { crm: crm.providers });
    const measured: Measured[] = [];
    for (const vendor of TOKEN_VENDORS) measured.push(...(await measure(rig, crm, vendor)));
    measured.push(...(await killed(rig, crm)));
    return {
      title: "CRM import",
      how: `A segment of ${CONTACTS.toLocaleString("en")} new contacts into a list, from a simulated vendor that takes ${ANSWER_MS} ms for each answer, compared with reading its pages by the same adapter without storing them. HubSpot's pages have 200 contacts and are three calls, Pipedrive's 500 with their companies and are six. Then the worker is killed ${KILLS} times during one import.`,
      measured,
    };
  } finally {
    await rig.close();
    await crm.close();
  }
}

async function measure(rig: Rig, crm: FakeCrm, vendor: CrmProviderName): Promise<Measured[]> {
  const bare = await readBare(crm, vendor);
  const { begin, ended } = await importOf(rig, crm, vendor);
  const started = performance.now();
  const jobId = await begin();
  const created = await ended(jobId);
  const seconds = (performance.now() - started) / 1_000;
  if (created !== CONTACTS) throw new Error(`${created} leads instead of ${CONTACTS}`);
  const times = seconds / bare;
  return [
    {
      what: `${vendor}: import, compared with reading the pages only`,
      goal: `${GOAL} times`,
      measured: times.toFixed(2),
      met: times <= GOAL,
    },
    {
      what: `${vendor}: reading the pages; import`,
      goal: "",
      measured: `${bare.toFixed(1)} s; ${seconds.toFixed(1)} s`,
      met: null,
    },
  ];
}

/** Seconds to read the pages without storing anything. */
async function readBare(crm: FakeCrm, vendor: CrmProviderName): Promise<number> {
  const egress = createEgress({ allow: parseAllow("localhost:*"), ownAddresses: [] });
  try {
    const session = { base: crm.url, token: crm.apiToken(vendor), isApiToken: true };
    const call = crmCall(egress, CRM_VENDORS[vendor], session, {
      timeoutMs: 20_000,
      signal: AbortSignal.timeout(600_000),
    });
    const fields = Object.keys(usualMapping(vendor, "7"));
    const started = performance.now();
    for (let cursor: string | null = null; ; ) {
      const page = await CRM_VENDORS[vendor].readPage(call, { segmentId: "7", fields, cursor });
      if (page.next === null) return (performance.now() - started) / 1_000;
      cursor = page.next;
    }
  } finally {
    await egress.close();
  }
}

async function importOf(rig: Rig, crm: FakeCrm, provider: CrmProviderName) {
  const { rest, workspaceId } = await rig.workspace();
  const { body: connection } = await rest.post("/crm/connect", {
    action: "connect",
    provider,
    apiToken: crm.apiToken(provider),
  });
  const { body: list } = await rest.post("/lead-lists", { name: "Bench" });
  const { Job, Lead } = scoped(workspaceId);
  return {
    workspaceId,
    listId: String(list.id),
    async begin(): Promise<string> {
      const { body } = await rest.post("/crm/import", { connectionId: connection.id, segmentId: "7", listId: list.id });
      return body.id;
    },
    async ended(jobId: string): Promise<number> {
      const what = "the import to end";
      await until(async () => (await Job.get(jobId))?.finishedAt, { deadlineMs: 900_000, what, longestMs: 100 });
      return Lead.count();
    },
    processed: async (jobId: string) => (await Job.get(jobId))?.processed ?? 0,
  };
}

async function killed(rig: Rig, crm: FakeCrm): Promise<Measured[]> {
  const { workspaceId, listId, begin, ended, processed } = await importOf(rig, crm, "PIPEDRIVE");
  const jobId = await begin();
  for (let kill = 1; kill <= KILLS; kill++) {
    const at = (CONTACTS / (KILLS + 1)) * kill;
    await until(async () => (await processed(jobId)) >= at, {
      deadlineMs: 300_000,
      what: `the import to be at ${at}`,
      longestMs: 50,
    });
    await rig.killWorker();
    await rig.worker([], { crm: crm.providers });
  }
  await ended(jobId);
  const { Job, Lead, LeadList } = scoped(workspaceId);
  const [leads, once, list, job] = [
    await Lead.count(),
    (await Lead.find({})).filter(({ imports }) => imports.length === 1).length,
    await LeadList.get(listId),
    await Job.get(jobId),
  ];
  const met = (count: number) => ({ goal: String(CONTACTS), measured: String(count), met: count === CONTACTS });
  return [
    { what: `${KILLS} kills: leads`, ...met(leads) },
    { what: "written exactly once", ...met(once) },
    { what: "members of the list, as it counts", ...met(list?.memberCount ?? 0) },
    { what: "contacts that the job counts", ...met(job?.processed ?? 0) },
  ];
}

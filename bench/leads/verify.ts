import { setTimeout as sleep } from "node:timers/promises";
import { verificationJob } from "../../activities/verification/verification-job.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import { ETIQUETTE } from "../../domain/verification/etiquette.ts";
import { scoped } from "../../models/scoped.ts";
import { VerifiedDomain } from "../../models/verification/verified-domain.ts";
import { createWorkspace } from "../../operations/access/workspaces.ts";
import { createLog } from "../../runtime/log.ts";
import { completeJob, loadJob, takeUp } from "../../store/jobs.ts";
import { newLead } from "../../store/leads/new-lead.ts";
import { requestVerification } from "../../store/verification/job.ts";
import { startDns, type Zone } from "../../test/fakes/dns.ts";
import { startDatabase } from "../rig.ts";
import { cpuMsOf } from "../system/processes.ts";
import { median, type Row, spread } from "../table.ts";

const ADDRESSES = 20_000;
const DOMAINS = 1_000;
const ROUNDS = 3;
const PAGE = 1_000;

interface Round {
  rate: number;
  /** Processor seconds of this process and of the database. */
  cpu: number[];
  /** The longest time in milliseconds for which the process was blocked. */
  longestMs: number;
  questions: number;
}

/**
 * Measures the verification of leads without asking mail servers, at domains that are not known yet, each time in a
 * fresh workspace.
 */
export async function run(): Promise<Row> {
  const database = await startDatabase();
  const zone: Zone = {};
  for (let n = 0; n < DOMAINS; n++) zone[`d${n}.example`] = { MX: [`10 in.d${n}.example`] };
  const dns = await startDns(zone);
  const egress = createEgress({ allow: [], ownAddresses: [], dnsServers: [dns.server] });
  try {
    const rounds: Round[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const before = dns.questions.length;
      const measured = await verifyOnce(egress, database.mongod.pid);
      if (round > 0) rounds.push({ ...measured, questions: dns.questions.length - before });
    }
    const rates = rounds.map(({ rate }) => rate);
    return {
      title: "Verification without probes",
      how: `${ADDRESSES.toLocaleString("en")} leads of ${DOMAINS.toLocaleString("en")} domains in one list, ${ROUNDS} times, each in a workspace of its own and with nothing known of the domains; a name server on loopback in the same process as the work, MongoDB beside it. A round that is not counted comes first.`,
      measured: [
        {
          what: "addresses a second",
          goal: "at least 2,000",
          measured: `${median(rates).toFixed(0)} (${spread(rates, 0)})`,
          met: median(rates) >= 2_000,
        },
      ],
      runs: {
        head: ["addresses/s", "questions to DNS", "longest stop of the process, ms", "CPU s: process", "mongod"],
        lines: rounds.map(({ rate, questions, longestMs, cpu }) => [
          ...[rate.toFixed(0), questions, longestMs.toFixed(0)],
          ...cpu.map((seconds) => seconds.toFixed(1)),
        ]),
      },
    };
  } finally {
    await egress.close();
    await dns.close();
    await database.close();
  }
}

async function verifyOnce(
  egress: ReturnType<typeof createEgress>,
  mongodPid: number,
): Promise<Omit<Round, "questions">> {
  const { workspaceId } = await createWorkspace({ name: "Bench", email: `owner-${Date.now()}@bench.example` });
  await VerifiedDomain.deleteMany({});
  const list = await scoped(workspaceId).LeadList.insert({
    _id: `lst_${workspaceId.slice(4)}`,
    name: "All",
    type: "STATIC",
  });
  for (let start = 0; start < ADDRESSES; start += PAGE) {
    const leads = Array.from({ length: PAGE }, (_, n) => leadOf(start + n, list._id));
    await scoped(workspaceId).Lead.bulk(leads.map((lead) => ({ insert: lead })));
  }
  const job = await requestVerification(workspaceId, { listId: list._id }, "MANUAL");
  const kind = verificationJob({ egress, helo: null, etiquette: ETIQUETTE, log: createLog("silent") });
  const taken = await takeUp(workspaceId, job._id);
  if (taken === null) throw new Error("There is no job");
  const stops = watchStops();
  const clocks = () => Promise.all([process.pid, mongodPid].map(cpuMsOf));
  const before = await clocks();
  const started = performance.now();
  const left = await kind.work(taken, { signal: new AbortController().signal, leftMs: () => Number.POSITIVE_INFINITY });
  const seconds = (performance.now() - started) / 1000;
  const longestMs = stops();
  const cpu = (await clocks()).map((ms, part) => (ms - (before[part] ?? 0)) / 1000);
  const worked = await loadJob(workspaceId, job._id);
  const done = worked === null ? null : await completeJob(worked, kind.resultOf);
  if (left !== null || done?.status !== "COMPLETED" || done.processed !== ADDRESSES)
    throw new Error("The job did not end");
  return { rate: ADDRESSES / seconds, longestMs, cpu };
}

function leadOf(n: number, listId: string) {
  const domain = `d${n % DOMAINS}.example`;
  const email = `person${n}@${domain}`;
  const names = {
    firstName: "Ada",
    lastName: null,
    fullName: "Ada",
    company: null,
    website: null,
    jobTitle: null,
    phone: null,
  };
  const place = {
    city: null,
    state: null,
    country: null,
    timezone: null,
    tags: [],
    customFields: {},
    phoneStatus: "not_revealed" as const,
  };
  const content = { email, emailDomain: domain, ...names, ...place, searchWords: [email], facets: [] };
  return {
    ...newLead(content, [], { kind: "IMPORT", actor: null, name: null, id: null, source: "CSV", at: new Date() }),
    listIds: [listId],
  };
}

/**
 * Measures the longest time for which the process is blocked, until the returned function is called. That function
 * returns it in milliseconds.
 */
function watchStops(): () => number {
  let longestMs = 0;
  let isOver = false;
  void (async () => {
    for (let last = performance.now(); !isOver; last = performance.now()) {
      await sleep(5);
      longestMs = Math.max(longestMs, performance.now() - last - 5);
    }
  })();
  return () => {
    isOver = true;
    return longestMs;
  };
}

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { createEgress } from "../../connectors/net/connect.ts";
import { POSTMASTER_SCOPES, PostmasterTrouble, postmasterClient } from "../../connectors/postmaster.ts";
import { complianceIn, DomainsAnswer, StatsAnswer, statIn } from "../../connectors/postmaster-answers.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { type FakePostmaster, startPostmaster } from "../fakes/postmaster.ts";

/** The client that Google publishes, with the discovery document of that day in it. */
export const GOOGLE_CLIENT = "google-api-python-client==2.202.0";

const DAYS = { since: "2026-08-01", until: "2026-11-20" };
const DOMAIN = "mail.acme.com";

const Found = z.object({
  domains: z.array(z.looseObject({ name: z.string() })),
  stats: z.array(z.unknown()),
  compliance: z.unknown(),
  refusal: z.object({ status: z.number() }).loose(),
});

/** Google's own client and ours read the same stand-in: their requests are equal, and so are their results. */
export async function tryPostmaster(tools: string): Promise<string> {
  const google = await startPostmaster();
  try {
    fill(google);
    const ours = await readByOurs(google);
    const [requests, grants] = [google.asked.splice(0), google.grants.splice(0)];
    const query = requests.find(({ path }) => path.endsWith("domainStats:query"))?.body;
    const theirs = await readByTheirs(google, tools, query);
    const half = google.asked.length / 2;
    for (const [number, found] of theirs.entries()) {
      assert.deepEqual(google.asked.slice(number * half, (number + 1) * half), requests);
      assert.deepEqual(
        DomainsAnswer.parse({ domains: found.domains }).domains.map(nameOf).sort(),
        ours.domains.toSorted(),
      );
      assert.deepEqual(StatsAnswer.parse({ domainStats: found.stats }).domainStats.flatMap(statIn), ours.stats);
      assert.deepEqual(complianceIn(found.compliance), ours.compliance);
      assert.equal(found.refusal.status, 403);
    }
    assert.equal(ours.refusal, "FORBIDDEN");
    const fieldsOf = (all: Record<string, string>[]) =>
      all.map((one) =>
        Object.keys(one)
          .filter((name) => name !== "scope")
          .sort(),
      );
    assert.deepEqual(fieldsOf(google.grants), fieldsOf(grants));
    return `${requests.length} requests and ${grants.length} grants are equal, and so is what was found`;
  } finally {
    await google.close();
  }
}

function fill(google: FakePostmaster): void {
  google.settings.pageSize = 3;
  for (let number = 0; number < 4; number++) google.domains.set(`d${number}.test`, { days: {} });
  google.domains.set("somebodys.test", { days: {}, verificationState: "UNVERIFIED" });
  const rowData = [{ requirement: "SPF_AND_DKIM", status: { status: "COMPLIANT" } }];
  google.domains.set(DOMAIN, {
    days: {
      "2026-10-05": { SPAM_RATE: { doubleValue: 0.001 }, FEEDBACK_LOOP_ID: { stringList: { values: ["news"] } } },
      "2026-10-06": { SPAM_RATE: { intValue: "0" }, 'AUTH_SUCCESS_RATE auth_type = "spf"': { doubleValue: 0.5 } },
      "2026-10-08": { 'TLS_ENCRYPTION_RATE traffic_direction = "inbound"': { floatValue: 1 } },
    },
    compliance: {
      complianceData: { domainId: "acme.com", rowData },
      subdomainComplianceData: { domainId: DOMAIN, rowData },
    },
  });
}

async function readByOurs(google: FakePostmaster) {
  const egress = createEgress({ allow: parseAllow("localhost:*"), ownAddresses: [] });
  const signal = AbortSignal.timeout(30_000);
  try {
    const client = postmasterClient(egress, { credentials: google.account, url: google.url });
    const domains = [...(await client.listDomains(signal)).keys()];
    const stats = await client.readStats(DOMAIN, DAYS, signal);
    const compliance = await client.readCompliance(DOMAIN, signal);
    const refusal = await client.readCompliance("somebodys.test", signal).catch((err: unknown) => err);
    await postmasterClient(egress, { credentials: google.person, url: google.url }).readCompliance(DOMAIN, signal);
    google.asked.pop(); // that was for the sake of the person's grant
    return { domains, stats, compliance, refusal: refusal instanceof PostmasterTrouble ? refusal.code : refusal };
  } finally {
    await egress.close();
  }
}

async function readByTheirs(google: FakePostmaster, tools: string, query: unknown) {
  const script = fileURLToPath(new URL("postmaster_client.py", import.meta.url));
  const child = spawn(join(tools, "venv/bin/python"), [script], { stdio: ["pipe", "pipe", "pipe"] });
  const { url, account, person } = google;
  child.stdin.end(JSON.stringify({ url, account, person, query, domain: DOMAIN, scopes: POSTMASTER_SCOPES }));
  const [said, complained, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  if (code !== 0) throw new Error(complained);
  return z.array(Found).length(2).parse(JSON.parse(said));
}

function nameOf({ name }: { name: string }): string {
  return name.replace(/^domains\//, "");
}

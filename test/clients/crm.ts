import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { CRM_VENDORS, crmCall } from "../../connectors/crm/vendors.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import { redeem, refresh } from "../../connectors/oauth.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { CRM_PROVIDERS, type CrmProviderName } from "../../domain/crm/provider.ts";
import { REFUSALS, startCrm } from "../fakes/crm.ts";
import type { AskedOfCrm, FakeCrm } from "../fakes/crm-account.ts";

/** The clients that the vendors publish, and Salesforce's usual one. */
export const CRM_CLIENTS = { "@hubspot/api-client": "14.0.1", jsforce: "3.10.26", pipedrive: "33.7.0" };

const SEGMENT: Record<CrmProviderName, string> = { HUBSPOT: "7", SALESFORCE: "Contact/00B7", PIPEDRIVE: "7" };
const FIELDS: Record<CrmProviderName, string[]> = {
  HUBSPOT: ["email", "firstname", "lastname"],
  SALESFORCE: ["Email", "FirstName", "LastName"],
  PIPEDRIVE: ["email", "first_name", "last_name"],
};
const AT = new Date("2026-11-01T09:30:00Z");
const PEOPLE = [1, 2, 3, 4, 5].map((id) => ({
  id,
  email: `p${id}@x.example`,
  first: `First${id}`,
  last: `Last${id}`,
  company: `Company ${id}`,
}));
const Theirs = z.record(z.enum(CRM_PROVIDERS), z.object({ emails: z.array(z.string()), refused: z.unknown() }));

/** The vendors' own clients and ours read the same stand-in: their requests are equal, and so are their results. */
export async function tryCrms(tools: string): Promise<string> {
  const crm = await startCrm();
  const egress = createEgress({ allow: parseAllow("localhost:*"), ownAddresses: [] });
  try {
    crm.segments.set(SEGMENT.HUBSPOT, PEOPLE);
    crm.segments.set(SEGMENT.SALESFORCE, PEOPLE);
    crm.settings.pageSize = 3;
    const [asked, grants, emails]: Record<string, unknown>[] = [{}, {}, {}];
    for (const vendor of CRM_PROVIDERS) {
      const found = await readByOurs(crm, egress, vendor);
      Object.assign(asked ?? {}, { [vendor]: crm.asked.splice(0).map(shown) });
      Object.assign(grants ?? {}, { [vendor]: crm.grants.splice(0).map(fieldsOf) });
      Object.assign(emails ?? {}, { [vendor]: found });
    }
    const theirs = await readByTheirs(crm, tools);
    let compared = 0;
    for (const vendor of CRM_PROVIDERS) {
      // The last one is the refused request
      const requests = crm.asked
        .filter((one) => one.vendor === vendor)
        .map(shown)
        .slice(0, -1);
      assert.deepEqual(requests, asked?.[vendor], `${vendor} is asked otherwise`);
      assert.deepEqual(theirs[vendor]?.emails, emails?.[vendor]);
      assert.ok(theirs[vendor]?.refused, `${vendor}'s client does not take our refusal for one`);
      compared += requests.length;
    }
    assert.deepEqual(
      crm.grants.map(fieldsOf),
      [grants?.["SALESFORCE"], grants?.["PIPEDRIVE"], grants?.["HUBSPOT"]].flat(),
    );
    return `${compared} requests and ${crm.grants.length} grants are equal, and so is what was found`;
  } finally {
    await egress.close();
    await crm.close();
  }
}

async function readByOurs(
  crm: FakeCrm,
  egress: ReturnType<typeof createEgress>,
  vendor: CrmProviderName,
): Promise<string[]> {
  const client = crm.providers[vendor].oauth;
  if (client === null) throw new Error("The stand-in has no client");
  const redirectUri = "http://localhost:3000/back";
  const code =
    crm.consent(`${client.authUrl}?redirect_uri=${encodeURIComponent(redirectUri)}&state=s`).searchParams.get("code") ??
    "";
  const first = await redeem(egress, client, { code, verifier: null, redirectUri });
  const { accessToken: token } = await refresh(egress, client, first.refreshToken ?? "");
  const adapter = CRM_VENDORS[vendor];
  const call = crmCall(
    egress,
    adapter,
    { base: crm.url, token, isApiToken: false },
    { timeoutMs: 5_000, signal: AbortSignal.timeout(60_000) },
  );
  await adapter.listSegments(call);
  const emails: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await adapter.readPage(call, { segmentId: SEGMENT[vendor], fields: FIELDS[vendor], cursor });
    emails.push(...page.contacts.map(({ email }) => email ?? ""));
    if (page.next === null) break;
    cursor = page.next;
  }
  const contact = vendor === "SALESFORCE" ? "Contact/0031" : "1";
  await adapter.writeActivity(call, contact, {
    deed: "SENT",
    at: AT,
    subject: "Mail sent: Spring",
    body: "Mail sent.",
  });
  await adapter.writeDoNotContact(call, contact, "p1@x.example");
  return emails;
}

async function readByTheirs(crm: FakeCrm, tools: string): Promise<z.output<typeof Theirs>> {
  await copyFile(fileURLToPath(new URL("crm-clients.mjs", import.meta.url)), join(tools, "crm-clients.mjs"));
  const child = spawn(process.execPath, ["--no-warnings", "crm-clients.mjs"], {
    cwd: tools,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const codes = CRM_PROVIDERS.map((vendor) => {
    const auth = `${crm.providers[vendor].oauth?.authUrl}?redirect_uri=${encodeURIComponent("http://localhost:3000/back")}&state=s`;
    return [vendor, crm.consent(auth).searchParams.get("code")];
  });
  const { clientId, clientSecret } = crm.providers.HUBSPOT.oauth ?? {};
  child.stdin.end(
    JSON.stringify({ url: crm.url, codes: Object.fromEntries(codes), clientId, clientSecret, fields: FIELDS, at: AT }),
  );
  child.stderr.pipe(process.stderr);
  // A client must report a refusal as a refusal
  crm.settings.fault = ({ headers, vendor }) =>
    headers["x-refuse"] === "1" || String(headers["user-agent"]).includes("refuse") ? REFUSALS[vendor].gone : null;
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  if (code !== 0) throw new Error(said.slice(-4_000));
  return Theirs.parse(JSON.parse(said.trim().split("\n").at(-1) ?? ""));
}

/** The parts of a request that matter: method, path, query, body, and who asks. */
function shown({ method, path, query, body, headers }: AskedOfCrm): object {
  const version = path.replace(/^\/services\/data\/v[\d.]+/, "/services/data/v");
  const who = String(headers.authorization ?? "").split(" ")[0];
  return { method, path: version, query, body: body ?? null, who };
}

function fieldsOf(grant: Record<string, string>): string[] {
  return Object.keys(grant).sort();
}

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { createEgress } from "../../connectors/net/connect.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { type PostmasterClient, PostmasterTrouble, postmasterClient } from "../../connectors/postmaster.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import type { GoogleCredentials } from "../../domain/access/google-credentials.ts";
import { type FakePostmaster, type GoogleFault, refusal, startPostmaster } from "../fakes/postmaster.ts";
import type { GoogleValue } from "../fakes/postmaster-stats.ts";

const DAYS = { since: "2026-10-01", until: "2026-10-31" };
const forever = new AbortController().signal;

let google: FakePostmaster;
let egress: Egress;
let client: PostmasterClient;

beforeAll(() => {
  egress = createEgress({ allow: parseAllow("localhost:*"), ownAddresses: [] });
});
afterAll(() => egress.close());

beforeEach(async () => {
  google = await startPostmaster();
  client = clientOf(google.account);
});
afterEach(() => google.close());

function clientOf(credentials: GoogleCredentials, waitsMs = [5, 5]): PostmasterClient {
  return postmasterClient(egress, { credentials, url: google.url }, waitsMs);
}

function valuesOn(...days: string[]): Record<string, Record<string, GoogleValue>> {
  return Object.fromEntries(days.map((day, number) => [day, { SPAM_RATE: { doubleValue: number / 1_000 } }]));
}

/** The first request gets this answer, the following ones the right answers. */
function failOnce(fault: GoogleFault): void {
  let isDone = false;
  google.settings.fault = () => {
    if (isDone) return null;
    isDone = true;
    return fault;
  };
}

const troubleOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (err: unknown) => err,
  );
  return error instanceof PostmasterTrouble ? error.code : error;
};

test("a token for a service account or a user is requested once for concurrent calls and reused until shortly before expiry", async () => {
  for (const credentials of [google.account, google.person]) {
    google.grants.length = 0;
    const one = clientOf(credentials);
    await Promise.all(Array.from({ length: 5 }, () => one.listDomains(forever)));
    await one.listDomains(forever);
    expect(google.grants).toHaveLength(1);
  }
  google.settings.lifeSeconds = 59;
  const short = clientOf(google.person);
  google.grants.length = 0;
  await short.listDomains(forever);
  await short.listDomains(forever);
  expect(google.grants).toHaveLength(2);
});

test("after Google rotates the refresh token, the next request uses the new refresh token", async () => {
  google.settings.rotates = true;
  const one = clientOf(google.person);
  for (let again = 0; again < 3; again++) {
    await one.listDomains(forever);
    google.expire();
  }
  const used = google.grants.map(({ refresh_token }) => refresh_token);
  expect(new Set(used).size).toBe(3);
});

test("a token that expires midway is renewed once, and a further 401 is reported as CREDENTIALS_REFUSED", async () => {
  google.domains.set("acme.com", { days: valuesOn("2026-10-05", "2026-10-06") });
  await client.listDomains(forever);
  google.expire();
  expect(await client.readStats("acme.com", DAYS, forever)).toHaveLength(2);
  expect(google.grants).toHaveLength(2);
  google.settings.fault = () => ({ status: 401, body: refusal(401, "UNAUTHENTICATED", "authError") });
  google.asked.length = 0;
  expect(await troubleOf(client.readStats("acme.com", DAYS, forever))).toBe("CREDENTIALS_REFUSED");
  expect(google.asked).toHaveLength(2);
});

test("refused credentials are reported as CREDENTIALS_REFUSED, and a failing token endpoint as UNAVAILABLE", async () => {
  const wrong = clientOf({ ...google.person, refresh_token: "of-yesterday" });
  expect(await troubleOf(wrong.listDomains(forever))).toBe("CREDENTIALS_REFUSED");
  google.settings.grantFault = () => ({ status: 503 });
  expect(await troubleOf(client.listDomains(forever))).toBe("UNAVAILABLE");
  google.settings.grantFault = () => "half";
  expect(await troubleOf(client.listDomains(forever))).toBe("UNAVAILABLE");
});

test("a token_uri in the credentials follows the egress rules and gets no request when its host is not allowed", async () => {
  const inside = createEgress({ allow: parseAllow(new URL(google.url).host), ownAddresses: [] });
  // The same endpoint by its address, which no one allowed
  const led = { ...google.person, token_uri: google.person.token_uri.replace("localhost", "127.0.0.1") };
  const one = postmasterClient(inside, { credentials: led, url: google.url }, []);
  expect(await troubleOf(one.listDomains(forever))).toBe("UNAVAILABLE");
  expect(google.grants).toEqual([]);
  await inside.close();
});

test("all pages of domains and figures are read, and a repeated page token ends the reading as ANSWER_INVALID", async () => {
  for (let number = 0; number < 7; number++) google.domains.set(`d${number}.test`, { days: {} });
  google.domains.set("acme.com", {
    days: valuesOn("2026-10-05", "2026-10-06", "2026-10-07", "2026-09-30"),
    verificationState: "VERIFIED",
  });
  google.settings.pageSize = 2;
  expect([...(await client.listDomains(forever)).keys()]).toHaveLength(8);
  const stats = await client.readStats("acme.com", DAYS, forever);
  expect(stats.map(({ day, value }) => [day, value]).sort()).toEqual([
    ["2026-10-05", 0],
    ["2026-10-06", 0.001],
    ["2026-10-07", 0.002],
  ]);
  google.settings.fault = () => ({ status: 200, body: { domains: [], nextPageToken: "again" } });
  expect(await troubleOf(client.listDomains(forever))).toBe("ANSWER_INVALID");
});

test("the requests equal those of Google's own client", async () => {
  google.domains.set("acme.com", { days: {} });
  await client.listDomains(forever);
  await client.readStats("acme.com", DAYS, forever);
  await client.readCompliance("acme.com", forever);
  const metric = (name: string, standardMetric: string, filter?: string) => ({
    name,
    baseMetric: { standardMetric },
    ...(filter && { filter }),
  });
  expect(google.asked).toEqual([
    { method: "GET", path: "/v2/domains", query: { pageSize: "200", alt: "json" }, body: null },
    {
      method: "POST",
      path: "/v2/domains/acme.com/domainStats:query",
      query: { alt: "json" },
      body: {
        metricDefinitions: [
          metric("spamRate", "SPAM_RATE"),
          metric("spfRate", "AUTH_SUCCESS_RATE", 'auth_type = "spf"'),
          metric("dkimRate", "AUTH_SUCCESS_RATE", 'auth_type = "dkim"'),
          metric("dmarcRate", "AUTH_SUCCESS_RATE", 'auth_type = "dmarc"'),
          metric("tlsRate", "TLS_ENCRYPTION_RATE", 'traffic_direction = "inbound"'),
          metric("deliveryErrorRate", "DELIVERY_ERROR_RATE"),
          metric("feedbackLoops", "FEEDBACK_LOOP_ID"),
        ],
        timeQuery: {
          dateRanges: {
            dateRanges: [{ start: { year: 2026, month: 10, day: 1 }, end: { year: 2026, month: 10, day: 31 } }],
          },
        },
        aggregationGranularity: "DAILY",
        pageSize: 200,
      },
    },
    { method: "GET", path: "/v2/domains/acme.com/complianceStatus", query: { alt: "json" }, body: null },
  ]);
  expect(Object.keys(google.grants[0] ?? {}).sort()).toEqual(["assertion", "grant_type"]);
});

test("figures are read from numbers, numeric text and lists; a value that is not a rate is null, never zero", async () => {
  const day = "2026-10-05";
  google.domains.set("acme.com", {
    days: {
      [day]: {
        SPAM_RATE: { intValue: "0" },
        'AUTH_SUCCESS_RATE auth_type = "spf"': { floatValue: 0.5 },
        'AUTH_SUCCESS_RATE auth_type = "dkim"': { stringValue: "much" },
        'AUTH_SUCCESS_RATE auth_type = "dmarc"': { intValue: "17" },
        FEEDBACK_LOOP_ID: { stringList: { values: ["news", "offers"] } },
      },
    },
  });
  const found = await client.readStats("acme.com", DAYS, forever);
  expect(Object.fromEntries(found.map(({ metric, value }) => [metric, value]))).toEqual({
    spamRate: 0,
    spfRate: 0.5,
    dkimRate: null,
    dmarcRate: null,
    feedbackLoops: ["news", "offers"],
  });
});

test("a domain without mail has no figures, and a domain without a verdict has no compliance rows", async () => {
  google.domains.set("acme.com", { days: {} });
  expect(await client.readStats("acme.com", DAYS, forever)).toEqual([]);
  expect(await client.readCompliance("acme.com", forever)).toEqual([]);
});

test("the compliance of a subdomain comes from the subdomain's own rows and verdicts, and an unspecified status is UNKNOWN", async () => {
  const rows = (status: string) => ({ rowData: [{ requirement: "SPF", status: { status } }] });
  google.domains.set("mail.acme.com", {
    days: {},
    compliance: {
      complianceData: rows("COMPLIANT"),
      subdomainComplianceData: {
        domainId: "mail.acme.com",
        rowData: [
          { requirement: "SPF", status: { status: "NEEDS_WORK" } },
          { requirement: "ENCRYPTION", status: { status: "STATE_UNSPECIFIED" } },
          { requirement: "COMPLIANCE_REQUIREMENT_UNSPECIFIED", status: { status: "COMPLIANT" } },
        ],
        honorUnsubscribeVerdict: { status: { status: "COMPLIANT" } },
      },
    },
  });
  expect(await client.readCompliance("mail.acme.com", forever)).toEqual([
    { requirement: "HONOR_UNSUBSCRIBE", status: "COMPLIANT" },
    { requirement: "SPF", status: "NEEDS_WORK" },
    { requirement: "ENCRYPTION", status: "UNKNOWN" },
  ]);
});

test.each<[string, GoogleFault, string]>([
  ["a refusal", { status: 403, body: refusal(403, "PERMISSION_DENIED", "forbidden") }, "FORBIDDEN"],
  ["a domain that is gone", { status: 404, body: refusal(404, "NOT_FOUND", "notFound") }, "NOT_FOUND"],
  [
    "a request that Google does not take",
    { status: 400, body: refusal(400, "INVALID_ARGUMENT", "badRequest") },
    "REFUSED",
  ],
  ["a redirect", { status: 302, headers: { location: "http://localhost:1/" } }, "ANSWER_INVALID"],
  ["half of an answer", "half", "ANSWER_INVALID"],
  ["an answer that breaks off behind its last bracket", "short", "ANSWER_INVALID"],
  ["another shape", { status: 200, body: { domainStats: "none" } }, "ANSWER_INVALID"],
  ["a connection that breaks", "reset", "UNAVAILABLE"],
])("%s fails with its own error code and is not retried", async (_, fault, code) => {
  google.domains.set("acme.com", { days: valuesOn("2026-10-05") });
  failOnce(fault);
  expect(await troubleOf(client.readStats("acme.com", DAYS, forever))).toBe(code);
  expect(google.asked).toHaveLength(1);
  expect(await client.readStats("acme.com", DAYS, forever)).toHaveLength(1);
});

test.each<[string, GoogleFault]>([
  ["429", { status: 429, body: refusal(429, "RESOURCE_EXHAUSTED", "rateLimitExceeded") }],
  ["429 with an instant", { status: 429, headers: { "retry-after": "0" } }],
  ["403 for the rate", { status: 403, body: refusal(403, "PERMISSION_DENIED", "userRateLimitExceeded") }],
  ["503", { status: 503 }],
])("%s is retried after a wait, a few times at most", async (name, fault) => {
  google.domains.set("acme.com", { days: valuesOn("2026-10-05") });
  failOnce(fault);
  expect(await client.readStats("acme.com", DAYS, forever)).toHaveLength(1);
  expect(google.asked).toHaveLength(2);
  google.settings.fault = () => fault;
  expect(await troubleOf(client.readStats("acme.com", DAYS, forever))).toBe(
    name === "503" ? "UNAVAILABLE" : "RATE_LIMITED",
  );
  expect(google.asked).toHaveLength(5);
});

test("a request that hangs ends at the deadline, and a retry wait beyond the deadline ends as RATE_LIMITED", async () => {
  google.domains.set("acme.com", { days: {} });
  google.settings.fault = () => "hang";
  await expect(client.readStats("acme.com", DAYS, AbortSignal.timeout(200))).rejects.toThrow(/aborted|timeout/i);
  google.settings.fault = () => ({ status: 429, headers: { "retry-after": "3600" } });
  expect(await troubleOf(client.readStats("acme.com", DAYS, AbortSignal.timeout(500)))).toBe("RATE_LIMITED");
});

test("the error for refused credentials contains neither the refresh token nor the client secret", async () => {
  const wrong = { ...google.person, refresh_token: "a-refresh-token" };
  const error: unknown = await clientOf(wrong)
    .listDomains(forever)
    .catch((err: unknown) => err);
  const texts: string[] = [];
  for (let one = error; one instanceof Error; one = one.cause)
    texts.push(one.message, one.stack ?? "", JSON.stringify(one));
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.join("\n")).not.toMatch(/a-refresh-token|secret\./);
});

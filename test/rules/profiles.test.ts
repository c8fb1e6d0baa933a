import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { readConfig } from "../../config.ts";
import { readMongodbUri } from "../../mongo/uri.ts";
import { temporalSettings } from "../../temporal/link.ts";
import { makeCertificate } from "../fakes/certificate.ts";

/** The settings that docs/profiles.md shows for each place, read as the service reads them. */
const page = readFileSync("docs/profiles.md", "utf8");
const folder = mkdtempSync(join(tmpdir(), "profiles-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const login = await makeCertificate();
const FILES: Record<string, string> = {
  "secret-key": Buffer.from("0123456789abcdef0123456789abcdeF").toString("base64"),
  "mongodb-uri": "mongodb://outreach:password@db-1:27017,db-2:27017,db-3:27017/outreach?replicaSet=rs0",
  "temporal-api-key": "key-of-temporal",
  "temporal-client.pem": login.cert,
  "temporal-client.key": login.key,
};
for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), `${text}\n`);

/** The block of settings under a heading, with its files in a folder of this test. */
function profile(heading: string): Record<string, string> {
  const section = page.split(/^#{2,3} /m).find((one) => one.startsWith(`${heading}\n`));
  const [, block = ""] = /```env\n([^`]+)```/.exec(section ?? "") ?? [];
  const lines = block.trim().split("\n");
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = "", value = ""] = /^([A-Z_]+)=(.*)$/.exec(line) ?? [];
      return [name, value.replace(/^\/run\/secrets\//, `${folder}/`)];
    }),
  );
}

const ATLAS = profile("MongoDB Atlas");
const OWN = profile("Your own replica set");

test("every block of settings on the page belongs to a profile that is tested here", () => {
  expect(page.match(/```env/g)).toHaveLength(7);
});

test("with embedded servers neither MongoDB nor Temporal has an address", () => {
  const settings = profile("Embedded servers");
  expect(settings).toEqual({ DATA_DIR: ".data" });
  expect(readConfig(settings)).toMatchObject({ MONGODB_URI: null, TEMPORAL_ADDRESS: null, HOST: "127.0.0.1" });
});

test("Compose needs only PUBLIC_URL in .env", () => {
  expect(Object.keys(profile("Compose"))).toEqual(["PUBLIC_URL"]);
  const required = readFileSync("docker-compose.yml", "utf8").matchAll(/\$\{([A-Z_]+):\?/g);
  expect([...required].map(([, name]) => name)).toEqual(["PUBLIC_URL"]);
});

test.each([
  ["MongoDB Atlas", ATLAS, { isSrv: true, servers: ["cluster0.example.mongodb.net"], database: "outreach" }],
  ["a replica set", OWN, { isSrv: false, servers: ["db-1:27017", "db-2:27017", "db-3:27017"], database: "outreach" }],
])("the service accepts the settings for %s, with its secrets in files", (_name, settings, expected) => {
  const config = readConfig(settings);
  expect(config.SECRET_KEY).toBe(FILES["secret-key"]);
  expect(readMongodbUri(config.MONGODB_URI ?? "")).toMatchObject(expected);
});

test("a self-hosted Temporal server is reached in its namespace, without TLS", () => {
  const config = readConfig({ ...OWN, ...profile("Self-hosted, on PostgreSQL") });
  expect(temporalSettings(config)).toEqual({
    namespace: "outreach",
    connection: { address: "temporal-frontend.temporal.svc.cluster.local:7233" },
  });
});

test("Temporal Cloud is reached by TLS with the API key from its file", () => {
  const config = readConfig({ ...ATLAS, ...profile("Temporal Cloud, by API key") });
  expect(temporalSettings(config)).toEqual({
    namespace: "outreach.a1b2c",
    connection: { address: "eu-central-1.aws.api.temporal.io:7233", apiKey: "key-of-temporal", tls: true },
  });
});

test("Temporal Cloud is reached by TLS with the client certificate from its files", () => {
  const config = readConfig({ ...ATLAS, ...profile("Temporal Cloud, by client certificate") });
  const { namespace, connection } = temporalSettings(config);
  const pair = typeof connection.tls === "object" ? connection.tls?.clientCertPair : undefined;
  expect([namespace, connection.address]).toEqual(["outreach.a1b2c", "outreach.a1b2c.tmprl.cloud:7233"]);
  expect([String(pair && Buffer.from(pair.crt)), String(pair && Buffer.from(pair.key))]).toEqual([
    `${login.cert}\n`,
    `${login.key}\n`,
  ]);
});

import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { NativeConnection } from "@temporalio/worker";
import { readConfig, temporalEnv } from "../../config.ts";
import { checkTemporal } from "../../runtime/doctor/temporal.ts";
import { temporalSettings } from "../../temporal/link.ts";
import { type Certificate, makeCertificate } from "../fakes/certificate.ts";
import { newNamespace, type TestNamespace } from "../support/server-host.ts";
import { type HostedAccess, type RefusingTemporal, startRefusingTemporal } from "./refusing-temporal.ts";

const API_KEY = randomBytes(16).toString("hex");

let folder: string;
let own: Certificate;
let client: Certificate;
let engine: TestNamespace;
const opened: RefusingTemporal[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "outreach-hosted-"));
  const [authority, found] = await Promise.all([makeCertificate(), newNamespace()]);
  engine = found;
  // The library of workers accepts no authority as a server's own certificate
  [own, client] = await Promise.all([makeCertificate([], authority), makeCertificate()]);
  await Promise.all([
    writeFile(file("server-ca.pem"), authority.cert),
    writeFile(file("client.pem"), client.cert),
    writeFile(file("client.key"), client.key),
    writeFile(file("api-key"), `${API_KEY}\n`),
  ]);
});
afterAll(async () => {
  for (const server of opened) server.close();
  await rm(folder, { recursive: true, force: true });
});

function file(name: string): string {
  return join(folder, name);
}

/** The settings for a hosted server in front of the Temporal server of the tests. */
async function hosted(access: Omit<HostedAccess, "certificate">): Promise<Record<string, string>> {
  const server = await startRefusingTemporal(engine.address, { certificate: own, ...access });
  opened.push(server);
  return {
    TEMPORAL_ADDRESS: server.address,
    TEMPORAL_NAMESPACE: engine.namespace,
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: file("server-ca.pem"),
    TEMPORAL_TLS_SERVER_NAME: "localhost",
  };
}

/** What doctor finds about the server: its status and what it says. */
async function findServer(env: Record<string, string>): Promise<string> {
  const findings = await checkTemporal(temporalSettings(readConfig(env)), { isEmbedded: false });
  const { status, found } = findings.find(({ check }) => check === "Temporal") ?? {};
  return `${status}: ${found}`;
}

test("a Temporal server that requires an API key is reached with the key in a setting or in a file, by the API and by workers", async () => {
  const env = await hosted({ apiKey: API_KEY });
  expect(await findServer({ ...env, TEMPORAL_API_KEY: API_KEY })).toBe("OK: it answers");
  const fromFile = { ...env, TEMPORAL_API_KEY_FILE: file("api-key") };
  expect(await findServer(fromFile)).toBe("OK: it answers");
  const worker = await NativeConnection.connect(temporalSettings(readConfig(fromFile)).connection);
  await worker.close();
  expect(await findServer({ ...env, TEMPORAL_API_KEY: "another" })).toBe("FAIL: it refuses the connection");
  expect(await findServer({ ...env, TEMPORAL_TLS: "1" })).toBe("FAIL: it refuses the connection");
});

test("a Temporal server that requires a client certificate is reached with the certificate and key in files, by the API and by workers", async () => {
  const env = await hosted({ clientAuthority: client.cert });
  const login = {
    ...env,
    TEMPORAL_TLS_CLIENT_CERT_PATH: file("client.pem"),
    TEMPORAL_TLS_CLIENT_KEY_PATH: file("client.key"),
  };
  expect(await findServer(login)).toBe("OK: it answers");
  const worker = await NativeConnection.connect(temporalSettings(readConfig(login)).connection);
  await worker.close();
  expect(await findServer({ ...env, TEMPORAL_TLS: "1" })).toMatch(/^FAIL: /);
});

test("a certificate without its key, a file that cannot be read and another word than 0 or 1 are refused by name", () => {
  const half = { TEMPORAL_TLS_CLIENT_CERT_PATH: file("client.pem") };
  expect(() => readConfig(half)).toThrow("TEMPORAL_TLS_CLIENT_KEY_PATH must be set too");
  expect(() => readConfig({ TEMPORAL_TLS_CLIENT_KEY_PATH: file("client.key") })).toThrow(
    "TEMPORAL_TLS_CLIENT_CERT_PATH must be set too",
  );
  expect(readConfig({ ...half, TEMPORAL_TLS_CLIENT_KEY_DATA: client.key }).TEMPORAL_TLS_CLIENT_KEY_PATH).toBeNull();
  expect(() => readConfig({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: file("none") })).toThrow(
    /^TEMPORAL_TLS_SERVER_CA_CERT_PATH cannot be used: names a file that cannot be read/,
  );
  expect(() => readConfig({ TEMPORAL_TLS: "on" })).toThrow("TEMPORAL_TLS cannot be used");
});

test("a TLS file without a usable certificate or key is refused by the name of its setting, in the service's own words", async () => {
  await writeFile(file("text"), "a text");
  const login = (cert: string, key: string) => ({
    TEMPORAL_TLS_CLIENT_CERT_PATH: file(cert),
    TEMPORAL_TLS_CLIENT_KEY_PATH: file(key),
  });
  const refusals = [
    [{ TEMPORAL_TLS_SERVER_CA_CERT_PATH: file("text") }, "TEMPORAL_TLS_SERVER_CA_CERT_PATH", "no usable certificate"],
    [login("text", "client.key"), "TEMPORAL_TLS_CLIENT_CERT_PATH", "the file has no usable certificate"],
    [login("client.pem", "text"), "TEMPORAL_TLS_CLIENT_KEY_PATH", "the file has no usable private key"],
    [login("server-ca.pem", "client.key"), "TEMPORAL_TLS_CLIENT_KEY_PATH", "it is not the key of the certificate"],
  ] as const;
  for (const [env, name, why] of refusals) {
    expect(() => readConfig(env)).toThrow(new RegExp(`^${name} cannot be used: .*${why}$`));
  }
});

test("doctor says that a certificate in a variable of Temporal's own cannot be used", async () => {
  const tls = { clientCertPair: { crt: Buffer.from("a text"), key: Buffer.from("a text") } };
  const [found] = await checkTemporal(
    { namespace: "default", connection: { address: "127.0.0.1:1", tls } },
    { isEmbedded: false },
  );
  expect(found).toMatchObject({ check: "Temporal", status: "FAIL", found: "the TLS settings cannot be used" });
});

test("an empty variable of Temporal counts as unset, and one that only Temporal's library knows is passed on", () => {
  const empty = { TEMPORAL_TLS: "", TEMPORAL_TLS_SERVER_NAME: "", TEMPORAL_API_KEY: "", TEMPORAL_PROFILE: "" };
  expect(temporalEnv(readConfig(empty), empty)).toEqual({});
  const more = { TEMPORAL_GRPC_META_TEAM: "mail", TEMPORAL_NAMESPACE: "mail", PATH: "/bin" };
  expect(temporalEnv(readConfig(more), more)).toEqual({ TEMPORAL_GRPC_META_TEAM: "mail", TEMPORAL_NAMESPACE: "mail" });
});

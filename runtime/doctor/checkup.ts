import { readFile } from "node:fs/promises";
import tls from "node:tls";
import { type Config, mailProviders, systemSmtp } from "../../config.ts";
import type { EvidenceKey } from "../../domain/evidence/signature.ts";
import type { SetupFinding } from "../../domain/readiness.ts";
import { runningMongod } from "../../embedded/mongod.ts";
import { findRunningTemporal } from "../../embedded/temporal.ts";
import { disconnect } from "../../models/connect.ts";
import { type TemporalSettings, temporalSettings } from "../../temporal/link.ts";
import { createConfiguredEgress } from "../egress.ts";
import { checkDisk } from "./disk.ts";
import { fail, skip } from "./finding.ts";
import { type CheckedMongodb, checkMongodb, skipMongodb } from "./mongodb.ts";
import { checkDns, checkMailEgress, type MailProtocol, type MailTarget } from "./network.ts";
import { checkPublicUrl } from "./public-url.ts";
import { checkSecretKey, checkSettings } from "./settings.ts";
import { checkTemporal, skipTemporal } from "./temporal.ts";

/** The mail servers that the operator names for this check. */
export type NamedTargets = Partial<Record<MailProtocol, MailTarget>>;

const START = "Start the service with `npm start`, and run this command again while it runs";

/** Checks the deployment that the settings describe. Changes nothing in it. */
export async function checkSetup(named: NamedTargets): Promise<SetupFinding[]> {
  const { config, findings } = checkSettings();
  if (config === null) return [...findings, skip("All other checks", "they need settings that can be used")];
  const uri = config.MONGODB_URI ?? (await runningMongod(config.DATA_DIR));
  try {
    const mongodb = await mongodbOf(uri);
    const isKeyUsable = findings.every(({ status }) => status === "OK");
    const { keys, reported } = isKeyUsable ? await secretKeyOf(config, mongodb) : { keys: null, reported: [] };
    return [
      ...findings,
      ...reported,
      ...mongodb.findings,
      ...(await temporalOf(config)),
      ...(await networkOf(config, uri, named, keys)),
      await checkDisk(config.MONGODB_URI !== null && config.TEMPORAL_ADDRESS !== null ? null : config.DATA_DIR),
    ];
  } finally {
    await disconnect();
  }
}

async function mongodbOf(uri: string | null): Promise<CheckedMongodb> {
  if (uri !== null) return checkMongodb(uri);
  return { findings: skipMongodb("the embedded server does not run", START), isOpen: false };
}

async function secretKeyOf(config: Config, { isOpen }: CheckedMongodb) {
  const { finding, keys } = await checkSecretKey(config, isOpen);
  return { keys, reported: [finding] };
}

async function temporalOf(config: Config): Promise<SetupFinding[]> {
  const isEmbedded = config.TEMPORAL_ADDRESS === null;
  const running = isEmbedded ? await findRunningTemporal(config.DATA_DIR) : null;
  if (isEmbedded && running === null) return skipTemporal("the embedded server does not run", START);
  let settings: TemporalSettings;
  try {
    settings = temporalSettings(config, running);
  } catch {
    const found = "its variables TEMPORAL_* or its profile file cannot be read";
    return [fail("Temporal", found, "Correct them; the files that they name must exist and be readable")];
  }
  return checkTemporal(settings, { isEmbedded });
}

async function networkOf(
  config: Config,
  uri: string | null,
  named: NamedTargets,
  keys: readonly EvidenceKey[] | null,
): Promise<SetupFinding[]> {
  const extra = await readExtraCa(config);
  const readable = extra === null ? { ...config, EXTRA_CA_FILE: null } : config;
  const egress = await createConfiguredEgress(readable, uri ?? "");
  try {
    const authorities = extra ? { ca: [...tls.getCACertificates("default"), extra] } : {};
    const groups = await Promise.all([
      extra === null ? [fail("EXTRA_CA_FILE", "the file cannot be read", "Correct its path and its permissions")] : [],
      checkDns(egress),
      checkMailEgress(egress, "smtp", named.smtp ?? configuredTarget(config, "smtp")),
      checkMailEgress(egress, "imap", named.imap ?? configuredTarget(config, "imap")),
      checkPublicUrl(config.PUBLIC_URL, { keys, ...authorities }),
    ]);
    return groups.flat();
  } finally {
    await egress.close();
  }
}

/** The text of EXTRA_CA_FILE, empty when the setting is unset; null when the file cannot be read. */
async function readExtraCa({ EXTRA_CA_FILE: file }: Config): Promise<string | null> {
  return file === null ? "" : readFile(file, "utf8").catch(() => null);
}

/** The system's own mail server, or that of a mail provider with settings. */
function configuredTarget(config: Config, protocol: MailProtocol): MailTarget | null {
  const { A, B } = mailProviders(config);
  const own = protocol === "smtp" ? systemSmtp(config)?.server : undefined;
  const server = own ?? A.servers?.[protocol] ?? B.servers?.[protocol];
  return server === undefined ? null : { host: server.host, ports: [server.port] };
}

import { createEgress } from "../../connectors/net/connect.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { keyRing } from "../../domain/access/seal.ts";
import type { CrmProviders } from "../../domain/crm/provider.ts";
import type { MailProviders } from "../../domain/mailboxes/provider.ts";
import type { WarmupWaits } from "../../domain/warmup/engagement.ts";
import type { Queue } from "../../domain/workflow-contract.ts";
import { connect } from "../../models/connect.ts";
import { loadSigningKeys } from "../../operations/access/signing-keys.ts";
import { createLog } from "../../runtime/log.ts";
import { linkTemporal } from "../../temporal/link.ts";
import { startWorker } from "../../worker/queues.ts";
import { installRuntime } from "../../worker/runtime.ts";
import { answer } from "./processes.ts";

export interface WorkerOrders {
  mongodbUri: string;
  temporalAddress: string;
  secretKey: string;
  certificate: string;
  codePath: string;
  queues?: readonly Queue[];
  warmupWaits?: WarmupWaits;
  crm?: CrmProviders;
  providers?: MailProviders;
}

/** All queues except imap, because most mailboxes of the benchmarks have no inbox to watch. */
const QUEUES: Queue[] = ["engine", "smtp", "webhook", "feed", "jobs"];

/** The workers of the service in their own process. */
const orders: WorkerOrders = JSON.parse(process.argv[2] ?? "{}");
const log = createLog("error");
installRuntime(log, null);
await connect(orders.mongodbUri);
const temporal = { namespace: "default", connection: { address: orders.temporalAddress } };
const ring = keyRing(orders.secretKey, []);
const { stop } = await startWorker({
  temporal,
  client: linkTemporal(temporal).client,
  keyRing: ring,
  signing: await loadSigningKeys(ring),
  egress: createEgress({ allow: parseAllow("localhost:*,127.0.0.1:*"), ownAddresses: [], extraCa: orders.certificate }),
  trackUrl: "http://localhost:3000",
  publicUrl: "http://localhost:3000",
  log,
  queues: orders.queues ?? QUEUES,
  ...(orders.crm && { crm: orders.crm }),
  ...(orders.providers && { providers: orders.providers }),
  ...(orders.warmupWaits && { warmupWaits: orders.warmupWaits }),
  bundle: { codePath: orders.codePath },
  graceMs: 1_000,
});
answer({}, stop);

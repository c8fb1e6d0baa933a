import type { WatchLimits } from "../../activities/inbox/listen.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { keyRing } from "../../domain/access/seal.ts";
import type { AgentAccess } from "../../domain/agent/model-access.ts";
import type { CrmProviders } from "../../domain/crm/provider.ts";
import type { PlacementLimits } from "../../domain/deliverability/placement.ts";
import type { LeadSearchAccess } from "../../domain/lead-search/source.ts";
import type { MailProviders } from "../../domain/mailboxes/provider.ts";
import type { Etiquette } from "../../domain/verification/etiquette.ts";
import type { WarmupWaits } from "../../domain/warmup/engagement.ts";
import { connect } from "../../models/connect.ts";
import { loadSigningKeys } from "../../operations/access/signing-keys.ts";
import { createLog } from "../../runtime/log.ts";
import { linkTemporal } from "../../temporal/link.ts";
import { startWorker } from "../../worker/queues.ts";
import { installRuntime } from "../../worker/runtime.ts";

/** A separate worker process, to be killed: the real workers. One argument says where everything is. */
export interface WorkerOrders {
  /** For the listening side alone: whose mailboxes it reads. */
  workspaceId?: string;
  mongodbUri: string;
  temporalAddress: string;
  /** Namespace `default` unless named. */
  namespace?: string;
  secretKey: string;
  certificate: string;
  trackUrl: string;
  codePath: string;
  placement?: PlacementLimits;
  warmupWaits?: WarmupWaits;
  watching?: Partial<WatchLimits>;
  /** The mail providers with their APIs. */
  providers?: MailProviders;
  /** How addresses are verified, and where it reaches out to. */
  verification?: { dnsServers: string[]; allow: string; verifyHelo: string; etiquette: Etiquette };
  leadSearch?: LeadSearchAccess;
  crm?: CrmProviders;
  /** How the model server of the inbox agent is reached. */
  agent?: AgentAccess;
}

const [, , argument = "{}"] = process.argv;
const orders: WorkerOrders = JSON.parse(argument);
const { verification: verifying } = orders;
const log = createLog("error");
installRuntime(log, null);
await connect(orders.mongodbUri);
const temporal = { namespace: orders.namespace ?? "default", connection: { address: orders.temporalAddress } };
const link = linkTemporal(temporal);
const ring = keyRing(orders.secretKey, []);
await startWorker({
  temporal,
  client: link.client,
  keyRing: ring,
  signing: await loadSigningKeys(ring),
  egress: createEgress({
    allow: parseAllow(verifying?.allow ?? "localhost:*,127.0.0.1:*"),
    ownAddresses: [],
    dnsServers: verifying?.dnsServers,
    extraCa: orders.certificate,
  }),
  ...(verifying !== undefined && { verifyHelo: verifying.verifyHelo, etiquette: verifying.etiquette }),
  trackUrl: orders.trackUrl,
  publicUrl: orders.trackUrl,
  log,
  ...(orders.agent !== undefined && { agent: orders.agent }),
  ...(orders.crm !== undefined && { crm: orders.crm }),
  ...(orders.placement !== undefined && { placement: orders.placement }),
  ...(orders.providers !== undefined && { providers: orders.providers }),
  ...(orders.watching !== undefined && { watching: orders.watching }),
  ...(orders.warmupWaits !== undefined && { warmupWaits: orders.warmupWaits }),
  ...(orders.leadSearch !== undefined && { leadSearch: orders.leadSearch }),
  bundle: { codePath: orders.codePath },
  reconcileEveryMs: 5_000,
});
process.stdout.write("ready\n");

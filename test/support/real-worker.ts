import type { WatchLimits } from "../../activities/inbox/listen.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import type { AgentAccess } from "../../domain/agent/model-access.ts";
import type { StripeAccess } from "../../domain/billing/plans.ts";
import type { CrmWaits } from "../../domain/crm/limits.ts";
import type { BlockList } from "../../domain/deliverability/block-lists.ts";
import type { PlacementLimits } from "../../domain/deliverability/placement.ts";
import type { PostmasterAccess } from "../../domain/deliverability/postmaster.ts";
import type { LeadSearchAccess } from "../../domain/lead-search/source.ts";
import type { SystemSmtp } from "../../domain/mailboxes/system-smtp.ts";
import type { Etiquette } from "../../domain/verification/etiquette.ts";
import type { WarmupWaits } from "../../domain/warmup/engagement.ts";
import type { Queue } from "../../domain/workflow-contract.ts";
import { createLog } from "../../runtime/log.ts";
import { startWorker } from "../../worker/queues.ts";
import { installRuntime } from "../../worker/runtime.ts";
import { sharedBundle } from "./server-host.ts";
import type { WorldOptions } from "./world.ts";

/** A process has one runtime. */
let isInstalled = false;

/**
 * `startWorld({ worker: realWorker({ extraCa }) })`: every queue, the dispatcher and the reconciler, in this process.
 */
export function realWorker({
  allow = "localhost:*,127.0.0.1:*",
  extraCa,
  dnsServers,
  systemSmtp = null,
  abuseContact = null,
  blockLists = [],
  warmupWaits,
  placement,
  watching,
  postmaster = null,
  verifyHelo = null,
  etiquette,
  leadSearch = null,
  stripe = null,
  agent = null,
  crmWaits,
  onLog,
  buildId,
  queues,
}: {
  allow?: string;
  extraCa?: string;
  /** `host:port` of the name server that DNS checks ask. */
  dnsServers?: string[];
  systemSmtp?: SystemSmtp | null;
  /** The value of X-Abuse in emails to recipients. */
  abuseContact?: string | null;
  blockLists?: BlockList[];
  /** How long people take to read and answer warmup mail. */
  warmupWaits?: WarmupWaits;
  placement?: PlacementLimits;
  watching?: Partial<WatchLimits>;
  postmaster?: PostmasterAccess | null;
  /** The name that greets mail servers when they are asked about an address, and how politely. */
  verifyHelo?: string | null;
  etiquette?: Etiquette;
  leadSearch?: LeadSearchAccess | null;
  stripe?: StripeAccess | null;
  agent?: AgentAccess | null;
  /** How long an import waits for a CRM. */
  crmWaits?: CrmWaits;
  /** Gets the lines of the log. */
  onLog?: (line: string) => void;
  /** Makes it a worker of this version. */
  buildId?: string;
  queues?: Queue[];
} = {}): NonNullable<WorldOptions["worker"]> {
  return async ({ services, temporal: { address, namespace, client } }) => {
    const log = createLog(onLog ? "info" : "silent", { write: (line) => onLog?.(line) });
    if (!isInstalled) installRuntime(log, null);
    isInstalled = true;
    const egress = createEgress({
      allow: parseAllow(allow),
      ownAddresses: [],
      dnsServers,
      ...(extraCa !== undefined && { extraCa }),
    });
    const worker = await startWorker({
      temporal: { namespace, connection: { address } },
      client: () => client,
      keyRing: services.keyRing,
      signing: services.signing,
      egress,
      trackUrl: services.settings.trackUrl,
      publicUrl: services.settings.publicUrl,
      providers: services.settings.providers,
      crm: services.settings.crm,
      calendars: services.settings.calendars,
      ...(crmWaits !== undefined && { crmWaits }),
      sheetsUrl: services.settings.sheetsUrl,
      rspamdUrl: services.settings.rspamdUrl,
      systemSmtp,
      abuseContact,
      blockLists,
      ...(warmupWaits !== undefined && { warmupWaits }),
      ...(placement !== undefined && { placement }),
      ...(watching !== undefined && { watching }),
      postmaster,
      verifyHelo,
      ...(etiquette !== undefined && { etiquette }),
      leadSearch,
      stripe,
      billingPlans: services.settings.billing?.plans,
      agent,
      creditsPerMonth: services.settings.creditsPerMonth,
      log,
      bundle: await sharedBundle(),
      graceMs: 500,
      ...(buildId !== undefined && { buildId }),
      ...(queues !== undefined && { queues }),
    });
    return async () => {
      await worker.stop();
      await egress.close();
    };
  };
}

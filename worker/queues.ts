import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Client } from "@temporalio/client";
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker, type WorkerOptions } from "@temporalio/worker";
import { agencyReports } from "../activities/agency-reports.ts";
import { agentReplyActivities } from "../activities/agent/draft-reply.ts";
import { agentModelsActivities } from "../activities/agent/list-models.ts";
import { billingActivities } from "../activities/billing.ts";
import { calendarActivities } from "../activities/calendar.ts";
import { audienceActivities } from "../activities/campaigns/audience.ts";
import { contentScoreActivities } from "../activities/campaigns/content-scores.ts";
import { campaignActivities } from "../activities/campaigns/feeder.ts";
import { leadProviders } from "../activities/campaigns/lead-providers.ts";
import { crmConnectActivities } from "../activities/crm/connect.ts";
import { crmImport } from "../activities/crm/import.ts";
import { crmRoundActivities } from "../activities/crm/rounds.ts";
import { crmSegmentActivities } from "../activities/crm/segments.ts";
import { createCrmSessions } from "../activities/crm/sessions.ts";
import { openToLook } from "../activities/deliverability/open-places.ts";
import { placementActivities, placementLookActivities } from "../activities/deliverability/placement.ts";
import { postmasterLegs } from "../activities/deliverability/postmaster.ts";
import { deliverabilityReview } from "../activities/deliverability/review.ts";
import { createOpenApi, type OpenApi } from "../activities/inbox/api-access.ts";
import type { WatchLimits } from "../activities/inbox/listen.ts";
import type { WarmupReader } from "../activities/inbox/read.ts";
import { imapActivities } from "../activities/inbox/watch-mailbox.ts";
import { jobActivities } from "../activities/jobs.ts";
import { leadSearchActivities } from "../activities/lead-search/answer.ts";
import { fillJob } from "../activities/lead-search/fill-job.ts";
import { revealJob } from "../activities/lead-search/reveal-job.ts";
import { findMailHosts } from "../activities/mail-hosts.ts";
import { connectionActivities, rowAttempt } from "../activities/mailboxes/connection.ts";
import { consentActivities } from "../activities/mailboxes/consent.ts";
import { probeActivities } from "../activities/mailboxes/dkim-probe.ts";
import { dnsActivities } from "../activities/mailboxes/dns.ts";
import { freedActivities } from "../activities/mailboxes/freed.ts";
import { healthActivities } from "../activities/mailboxes/health.ts";
import { createLogins } from "../activities/mailboxes/logins.ts";
import { actActivities } from "../activities/recipients/non-mail-step.ts";
import { postActivities } from "../activities/recipients/post-step.ts";
import { rollUpActivities } from "../activities/roll-ups.ts";
import { createConnections } from "../activities/sending/connections.ts";
import { singleSendActivities } from "../activities/sending/one-off.ts";
import { sendActivities } from "../activities/sending/send-step.ts";
import { createSendSlots } from "../activities/sending/slots.ts";
import { createSendTurns } from "../activities/sending/turns.ts";
import { sheetActivities } from "../activities/sheets.ts";
import { systemMail } from "../activities/system-mail.ts";
import { verificationJob } from "../activities/verification/verification-job.ts";
import { openToTreat } from "../activities/warmup/open-mailbox.ts";
import { warmupActivities } from "../activities/warmup/turns.ts";
import { deliveryActivities } from "../activities/webhook-deliveries.ts";
import { feedActivities } from "../activities/webhooks/feed.ts";
import type { Egress } from "../connectors/net/egress.ts";
import type { KeyRing } from "../domain/access/seal.ts";
import { type CalendarProviders, NO_CALENDARS } from "../domain/agent/calendar-provider.ts";
import type { AgentAccess } from "../domain/agent/model-access.ts";
import { type BillingPlans, NO_PLANS, type StripeAccess } from "../domain/billing/plans.ts";
import { CRM_WAITS, type CrmWaits } from "../domain/crm/limits.ts";
import { type CrmProviders, NO_CRM } from "../domain/crm/provider.ts";
import type { BlockList } from "../domain/deliverability/block-lists.ts";
import type { PlacementLimits } from "../domain/deliverability/placement.ts";
import type { PostmasterAccess } from "../domain/deliverability/postmaster.ts";
import type { LeadSearchAccess } from "../domain/lead-search/source.ts";
import { type MailProviders, NO_PROVIDERS } from "../domain/mailboxes/provider.ts";
import type { SystemSmtp } from "../domain/mailboxes/system-smtp.ts";
import { ETIQUETTE, type Etiquette } from "../domain/verification/etiquette.ts";
import type { WarmupWaits } from "../domain/warmup/engagement.ts";
import { QUEUES, type Queue } from "../domain/workflow-contract.ts";
import type { SigningKeys } from "../operations/access/signing-keys.ts";
import type { Log } from "../runtime/log.ts";
import { sendMetrics } from "../runtime/metrics.ts";
import { tracing } from "../runtime/tracing.ts";
import { heedReply } from "../store/agent/prepare-reply.ts";
import { validateCampaign } from "../store/campaigns/validation.ts";
import { workspaceExport } from "../store/evidence/export-job.ts";
import { longestUnreadMs } from "../store/inbox/unread.ts";
import { prospectLeads } from "../store/lead-search/leads-job.ts";
import { leadChange } from "../store/leads/change-job.ts";
import { leadImport } from "../store/leads/import-job.ts";
import { mailboxImport } from "../store/mailboxes/import.ts";
import { personErasure } from "../store/privacy/erase-person.ts";
import type { KnownNetworks } from "../store/tracking/settle-hits.ts";
import { heedWarmup, isFromWarmupPartner, knownWarmupIds } from "../store/warmup/arrival.ts";
import { DEPLOYMENT } from "../temporal/deployment.ts";
import type { TemporalSettings } from "../temporal/link.ts";
import { startLoops } from "./loops.ts";

export interface WorkerSettings {
  temporal: TemporalSettings;
  /** The client through which the dispatcher signals; null while Temporal is unreachable. */
  client: () => Client | null;
  keyRing: KeyRing;
  signing: SigningKeys;
  egress: Egress;
  trackUrl: string;
  publicUrl: string;
  /** Where recipients report abuse, for the X-Abuse header. Without it emails have none. */
  abuseContact?: string | null;
  /** The configured mail providers. Without them no provider is known. */
  providers?: MailProviders;
  /** The spreadsheet server. Without it no spreadsheets are read. */
  sheetsUrl?: string | null;
  /** How the lead search provider is reached. Without it people are searched in the data set. */
  leadSearch?: LeadSearchAccess | null;
  /** How the model server of the inbox agent is reached. Without it no email is drafted. */
  agent?: AgentAccess | null;
  /** Credits that each workspace gets a month; none unless given. */
  creditsPerMonth?: number;
  /** How Stripe is reached. Without it there is no billing. */
  stripe?: StripeAccess | null;
  /** The plans that are sold there. */
  billingPlans?: BillingPlans | undefined;
  /** The spam filter that scores emails. Without it none has a score. */
  rspamdUrl?: string | null;
  /** The server for emails of the service itself. Without it none are sent. */
  systemSmtp?: SystemSmtp | null;
  /** The DNS block lists in which sending domains are looked up. Without them none are asked. */
  blockLists?: readonly BlockList[];
  /** How long and how often placement tests look; as in rules/deliverability 6.4 if absent. */
  placement?: PlacementLimits;
  /** How Google's Postmaster Tools are reached. Without it nothing is read there. */
  postmaster?: PostmasterAccess | null;
  /** The name with which mail servers are greeted when they are asked about an address. Without it none are asked. */
  verifyHelo?: string | null;
  /** The limits for asking them; those of rules/verification 3 if absent. */
  etiquette?: Etiquette;
  /** How calendars are read. Without it none are. */
  calendars?: CalendarProviders;
  /** How CRMs are reached. Without it none are. */
  crm?: CrmProviders;
  /** How long an import waits for a CRM; as in rules/crm 3 if absent. */
  crmWaits?: CrmWaits;
  /** Networks of mail scanners and relays. Without them no hit is judged by its network. */
  networks?: KnownNetworks;
  /** How long a mailbox is watched over one connection, and how often its folders are read; the defaults if absent. */
  watching?: Partial<WatchLimits>;
  /** How long people take to read and answer warmup emails; the real times if absent. */
  warmupWaits?: WarmupWaits;
  log: Log;
  queues?: readonly Queue[];
  /** Milliseconds that an email in flight may take once the worker must stop; by default a minute. */
  graceMs?: number;
  /**
   * Names this code among the versions of the deployment (`worker/deployment.ts`). Without it the worker belongs to no
   * version.
   */
  buildId?: string;
  /** A prebuilt bundle, if the image carries one. */
  bundle?: { code: string } | { codePath: string };
  reconcileEveryMs?: number;
}

export interface RunningWorker {
  /** The state of the poller of each queue that this process serves; RUNNING in normal operation. */
  pollerStates(): Partial<Record<Queue, string>>;
  stop(): Promise<void>;
}

/** Activity slots per queue (rules/sending 11.6). Mail servers are slow; the database is not. */
const SLOTS: Record<Queue, number> = { engine: 50, smtp: 50, imap: 500, webhook: 256, feed: 256, jobs: 20 };
/**
 * Milliseconds for which activities may continue once the worker must stop, so that an email in flight and a request to
 * a subscriber end well. Activities that only listen or wait are cancelled immediately, and another worker takes them
 * over; a feed then takes no more deliveries, and itself gives its requests under way that time.
 */
const GRACE_MS: Record<Queue, number> = { engine: 0, smtp: 60_000, imap: 0, webhook: 4_000, feed: 0, jobs: 0 };
/** Milliseconds after which running activities are cut off. Every activity is built to survive that. */
const CUT_MS = 7_500;
const CUT_AFTER_GRACE_MS = 3_000;
const COPIES_MS = 2_000;

/**
 * Polls the queues that this process serves. When `engine` is among them, it also takes its share of the dispatcher of
 * the outbox, the reconciler, the settler and the purger.
 */
export async function startWorker(settings: WorkerSettings): Promise<RunningWorker> {
  const { temporal, log, queues = QUEUES, buildId } = settings;
  const connection = await NativeConnection.connect(temporal.connection);
  const { egress, keyRing, providers = NO_PROVIDERS } = settings;
  const logins = createLogins({ egress, keyRing, providers, log });
  const connections = createConnections(egress, logins, log, providers);
  const traced = tracing();
  const { warmupWaits } = settings;
  const warmup: WarmupReader = {
    heed: (arrival) => heedWarmup(arrival, warmupWaits),
    isFromPartner: isFromWarmupPartner,
    known: knownWarmupIds,
  };
  const imap = imapActivities({
    egress,
    logins,
    providers,
    signing: settings.signing,
    warmup,
    heedReply,
    log,
    limits: settings.watching ?? {},
  });
  const activities = activitiesOf(settings, imap, connections, logins, createOpenApi({ egress, logins, providers }));
  const served = queues.filter((queue) => queue === "engine" || Object.keys(activities[queue]).length > 0);
  const workers = await Promise.all(served.map((queue) => workerOf(queue))).catch(async (error) => {
    await connection.close();
    throw error;
  });

  async function workerOf(queue: Queue): Promise<Worker> {
    const graceMs = Math.min(GRACE_MS[queue], settings.graceMs ?? GRACE_MS.smtp);
    const base: WorkerOptions = {
      connection,
      namespace: temporal.namespace,
      taskQueue: queue,
      activities: activities[queue],
      maxConcurrentActivityTaskExecutions: SLOTS[queue],
      shutdownGraceTime: graceMs,
      ...(traced !== null && { interceptors: traced.worker, sinks: traced.sinks }),
      shutdownForceTime: Math.max(CUT_MS, graceMs + CUT_AFTER_GRACE_MS),
      ...(buildId !== undefined && {
        workerDeploymentOptions: {
          useWorkerVersioning: true,
          version: { deploymentName: DEPLOYMENT, buildId },
          defaultVersioningBehavior: "AUTO_UPGRADE",
        },
      }),
    };
    if (queue !== "engine") return Worker.create(base);
    // A bundle from an image has no interceptors
    const bundle = (traced === null ? settings.bundle : null) ?? (await bundleWorkflows(log, traced?.workflowModules));
    return Worker.create({ ...base, workflowBundle: bundle, maxCachedWorkflows: 200, reuseV8Context: true });
  }

  const running = workers.map((worker) =>
    worker.run().catch((error) => log.error({ err: error, queue: worker.options.taskQueue }, "a worker failed")),
  );
  const loops = queues.includes("engine") ? await startLoops(settings) : null;
  return {
    pollerStates: () => Object.fromEntries(workers.map((worker) => [worker.options.taskQueue, worker.getState()])),
    async stop() {
      connections.end();
      for (const worker of workers) if (worker.getState() === "RUNNING") worker.shutdown();
      await Promise.all([...running, waitAtMost(CUT_MS, Promise.resolve(loops?.stop()))]);
      loops?.cut();
      await waitAtMost(COPIES_MS, imap.copiesFiled());
      connections.close();
      imap.end();
      await connection.close();
    },
  };
}

function waitAtMost(ms: number, work: Promise<unknown>): Promise<unknown> {
  return Promise.race([work, delay(ms, undefined, { ref: false })]);
}

function activitiesOf(
  settings: WorkerSettings,
  imap: ReturnType<typeof imapActivities>,
  connections: ReturnType<typeof createConnections>,
  logins: ReturnType<typeof createLogins>,
  openApi: OpenApi,
): Record<Queue, object> {
  const {
    egress,
    keyRing,
    signing,
    trackUrl,
    publicUrl,
    log,
    providers = NO_PROVIDERS,
    sheetsUrl = null,
    systemSmtp = null,
    rspamdUrl = null,
    leadSearch = null,
    agent = null,
    creditsPerMonth = 0,
    postmaster = null,
    stripe = null,
    billingPlans: plans = NO_PLANS,
  } = settings;
  const calendars = calendarActivities({ egress, keyRing, calendars: settings.calendars ?? NO_CALENDARS, log });
  const review = deliverabilityReview({ egress, lists: settings.blockLists ?? [], providers, smtp: systemSmtp, log });
  // Postmaster data is read first, so that alerts include it
  const furtherLegs = [...postmasterLegs({ egress, postmaster, log }), review.leg];
  const onChecked = ({ workspaceId, email }: { workspaceId: string; email: string }) =>
    review.reviewDomain(workspaceId, email);
  const sending = {
    connections,
    turns: createSendTurns({ unreadMs: () => longestUnreadMs(Date.now()) }),
    slots: createSendSlots(SLOTS.smtp),
    keys: signing,
    trackUrl,
    abuseContact: settings.abuseContact ?? null,
    metrics: sendMetrics,
    findHosts: findMailHosts(egress),
  };
  const { nextWarmup, closeWarmupDay, warmupSend, warmupEngage, planWarmupDay } = warmupActivities({
    ...sending,
    open: openToTreat(imap.openOf, openApi),
    waits: settings.warmupWaits,
    log,
    onChanged: review.judgeWorkspace,
  });
  const { crm = NO_CRM, crmWaits = CRM_WAITS } = settings;
  const ofCrm = { egress, keyRing, crm, waits: crmWaits, log, onLost: review.judgeWorkspace };
  const crmSessions = createCrmSessions(ofCrm);
  return {
    engine: {
      ...campaignActivities({
        validate: (campaign) => validateCampaign(campaign, rspamdUrl === null ? null : { trackUrl }),
        findProviders: leadProviders({ egress, providers, log }),
        log,
      }),
      ...actActivities(),
      ...freedActivities(),
      nextWarmup,
      closeWarmupDay,
    },
    smtp: { ...sendActivities(sending), ...singleSendActivities(sending), warmupSend },
    imap: {
      ...imap.activities,
      warmupEngage,
      ...connectionActivities({ egress, keyRing, log }),
      ...consentActivities({ egress, keyRing, providers, log }),
      ...probeActivities({ openOf: imap.openOf, egress, logins, providers }, log),
      ...placementLookActivities({
        open: openToLook(imap.openOf, openApi),
        log,
        ...(settings.placement !== undefined && { limits: settings.placement }),
      }),
    },
    // A model may take as long as a subscriber, and the queue of jobs has few slots
    webhook: {
      ...deliveryActivities({ egress, keyRing }),
      ...postActivities(egress),
      ...agentReplyActivities({ egress, agent, readBusy: calendars.readBusy, log }),
    },
    feed: feedActivities({ egress, keyRing }),
    jobs: {
      ...jobActivities({
        keyRing,
        kinds: {
          LEAD_IMPORT: leadImport,
          MAILBOX_IMPORT: mailboxImport({ keyRing, attempt: rowAttempt({ egress, log }) }),
          LEAD_CHANGE: leadChange,
          LEAD_SUPPRESSION: leadChange,
          LIST_MEMBERS: leadChange,
          SYSTEM_MAIL: systemMail({ egress, smtp: systemSmtp, log }),
          VERIFICATION: verificationJob({
            egress,
            helo: settings.verifyHelo ?? null,
            etiquette: settings.etiquette ?? ETIQUETTE,
            log,
          }),
          REVEAL: revealJob({ egress, leadSearch, creditsPerMonth }),
          LIST_FILL: fillJob({ egress, leadSearch }),
          PROSPECT_LEADS: prospectLeads,
          CRM_IMPORT: crmImport(crmSessions, ofCrm),
          WORKSPACE_EXPORT: workspaceExport,
          PERSON_ERASURE: personErasure,
        },
      }),
      ...sheetActivities({ egress, keyRing, sheetsUrl }),
      ...agentModelsActivities({ egress, agent, log }),
      ...leadSearchActivities({ egress, keyRing, leadSearch, log }),
      ...calendars,
      ...agencyReports({ egress, smtp: systemSmtp, log }),
      ...billingActivities({ egress, keyRing, stripe, plans, creditsPerMonth, log }),
      ...crmConnectActivities(ofCrm),
      ...crmSegmentActivities(crmSessions, ofCrm),
      ...crmRoundActivities(crmSessions, ofCrm),
      ...contentScoreActivities({ egress, rspamdUrl, log }),
      ...dnsActivities({ egress, trackUrl, publicUrl, log, furtherLegs, onChecked }),
      ...audienceActivities(log),
      ...placementActivities(),
      ...rollUpActivities(log),
      planWarmupDay,
      ...healthActivities({ log, onChanged: review.judgeWorkspace }),
    },
  };
}

/** The workflows as one script. It is built once per process, or taken prebuilt from the image. */
export function bundleWorkflows(
  log: Log,
  workflowInterceptorModules: string[] = [],
): ReturnType<typeof bundleWorkflowCode> {
  return bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL("../workflows/versions.ts", import.meta.url)),
    workflowInterceptorModules,
    logger: new DefaultLogger("WARN", ({ level, message }) => log.warn({ level }, message)),
  });
}

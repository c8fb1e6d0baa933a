import { Gauge, Registry } from "prom-client";
import { JOB_STATUSES } from "../domain/job.ts";
import { MISSING_CODES, type Missing } from "../domain/readiness.ts";
import { MAILBOX_STATUSES } from "../domain/states.ts";
import { type Backlog, loadBacklog } from "../store/backlog.ts";

/** Milliseconds for which one reading serves all scrapes. */
const KEPT_MS = 10_000;

const registry = new Registry();

/** Metrics of the whole deployment. Every process that works on the queue `engine` exports the same values. */
const gauges = {
  recipientsOverdue: gauge("outreach_recipients_overdue", "Open recipients that have been overdue for five minutes"),
  heldBack: gauge("outreach_mails_held_back", "Emails held back now because the database is slow, 10,000 at most"),
  mailboxes: gauge("outreach_mailboxes", "Mailboxes by state", "status"),
  imapLag: gauge("outreach_imap_lag_seconds", "Seconds since the connected mailbox that was read longest ago was read"),
  outboxRows: gauge("outreach_outbox_rows", "Rows of the outbox that nobody has carried out, 10,000 at most"),
  outboxLag: gauge("outreach_outbox_lag_seconds", "Age of the oldest row of the outbox that nobody has carried out"),
  webhooksWaiting: gauge(
    "outreach_webhook_deliveries_waiting",
    "Deliveries that wait for their first attempt, 10,000 at most",
  ),
  webhookLag: gauge("outreach_webhook_lag_seconds", "Seconds by which the most overdue attempt of a delivery is late"),
  jobs: gauge("outreach_jobs_open", "Jobs that have not ended, by state", "status"),
  jobLag: gauge("outreach_job_lag_seconds", "Seconds since the open job that moved longest ago moved"),
  missing: gauge("outreach_missing", "1 while something is missing for accepted work to be done, by its code", "code"),
};

/**
 * The lines of the gauges, read from the database at most every ten seconds. While the database does not answer there
 * are none.
 */
export function createInstallationMetrics(findMissing: () => Promise<Missing[]>): () => Promise<string> {
  let readAt = Number.NEGATIVE_INFINITY;
  let text: Promise<string> = Promise.resolve("");
  const readGauges = async () => {
    const [backlog, missing] = await Promise.all([loadBacklog(Date.now()), findMissing()]);
    set(backlog, missing);
    return registry.metrics();
  };
  return () => {
    if (performance.now() - readAt > KEPT_MS) {
      readAt = performance.now();
      text = readGauges().catch(() => "");
    }
    return text;
  };
}

function set(backlog: Backlog, missing: readonly Missing[]): void {
  gauges.recipientsOverdue.set(backlog.recipientsOverdue);
  gauges.heldBack.set(backlog.heldBack);
  for (const status of MAILBOX_STATUSES) gauges.mailboxes.set({ status }, backlog.mailboxes[status] ?? 0);
  gauges.imapLag.set(backlog.imapLagMs / 1_000);
  gauges.outboxRows.set(backlog.outboxRows);
  gauges.outboxLag.set(backlog.outboxLagMs / 1_000);
  gauges.webhooksWaiting.set(backlog.webhooksWaiting);
  gauges.webhookLag.set(backlog.webhookLagMs / 1_000);
  for (const status of JOB_STATUSES.slice(0, 2)) gauges.jobs.set({ status }, backlog.jobs[status] ?? 0);
  gauges.jobLag.set(backlog.jobLagMs / 1_000);
  for (const code of MISSING_CODES) gauges.missing.set({ code }, missing.some((one) => one.code === code) ? 1 : 0);
}

function gauge(name: string, help: string, label?: string): Gauge {
  return new Gauge({ name, help, ...(label !== undefined && { labelNames: [label] }), registers: [registry] });
}

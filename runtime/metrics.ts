import type { RequestListener, ServerResponse } from "node:http";
import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import type { SendMetrics } from "../activities/sending/send-step.ts";
import { type Ready, readiness } from "../api/health.ts";
import type { Config } from "../config.ts";
import { ownNames } from "../domain/access/own-hosts.ts";
import { OWN_PAGES_ALONE, requestRefusalOf, say } from "../embedded/front.ts";
import type { HitMetrics } from "../operations/tracking/hit-batches.ts";
import { type Listener, listen } from "./listen.ts";

export interface MetricsOptions {
  config: Pick<Config, "METRICS_HOST" | "PUBLIC_URL" | "ALLOWED_HOSTS">;
  port: number;
  /** The environment variable that changes the port. */
  variable: "METRICS_PORT" | "API_METRICS_PORT";
  /** Lines of another registry that are served with ours. */
  more?: () => Promise<string>;
  ready: Ready;
  /** Whether the process is ready, as `/readyz` answers. */
  isWorking: () => boolean;
}

/** HTTP methods of requests; methods that a client invents count as OTHER. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Serves `/metrics` to requests that use one of our host names, and `/healthz` and `/readyz` to anyone, since they
 * contain nothing secret.
 */
export function serveMetrics({ config, port, variable, more, ready, isWorking }: MetricsOptions): Promise<Listener> {
  const { METRICS_HOST, PUBLIC_URL, ALLOWED_HOSTS } = config;
  const rules = { names: ownNames([METRICS_HOST, ...ALLOWED_HOSTS], [PUBLIC_URL]), writes: false };
  const answer: RequestListener = (req, res) => {
    const [path] = (req.url ?? "").split("?");
    const refusal = path === "/healthz" || path === "/readyz" ? null : requestRefusalOf(req, rules);
    if (refusal !== null) say(res, refusal.status, refusal.message);
    else if (path === "/healthz") answerJson(res, 200, {}, { status: "ok" });
    else if (path === "/readyz")
      void readiness(ready, isWorking()).then(({ status, headers, body }) => answerJson(res, status, headers, body));
    else if (path === "/metrics" || path === "/") void answerMetrics(res, more);
    else say(res, 404, "The metrics are at /metrics");
  };
  return listen(answer, port, { host: METRICS_HOST, variable });
}

async function answerMetrics(res: ServerResponse, more: MetricsOptions["more"]): Promise<void> {
  try {
    const texts = await Promise.all([registry.metrics(), more?.() ?? ""]);
    res.writeHead(200, { ...OWN_PAGES_ALONE, "Content-Type": registry.contentType, "Cache-Control": "no-store" });
    res.end(texts.join("\n"));
  } catch {
    say(res, 502, "The metrics could not be read: try again");
  }
}

function answerJson(res: ServerResponse, status: number, headers: Record<string, string>, body: object): void {
  res.writeHead(status, { ...headers, "Content-Type": "application/json; charset=utf-8" });
  res.end(JSON.stringify(body));
}

/** Counts the emails of this process. */
export const sendMetrics: SendMetrics = {
  sent(slotAt) {
    mailsSent.inc();
    if (slotAt !== null) lateness.observe(Math.max(0, Date.now() - slotAt.getTime()) / 1_000);
  },
  withdrawn: () => mailsWithdrawn.inc(),
  heldBack: (why) => mailsHeldBack.inc({ why }),
  claim: (outcome) => claims.inc({ outcome }),
  refused: (fault) => mailsRefused.inc({ fault }),
  unknown: () => mailsUnknown.inc(),
};

/** Counts the hits of this process. */
export const hitMetrics: HitMetrics = {
  stored: (count) => hitsStored.inc(count),
  lost: (why, count) => hitsLost.inc({ why }, count),
};

/** Counts an answered request by the pattern of its route, never by its address. */
export function countRequest({
  method,
  route,
  status,
  ms,
}: {
  method: string;
  route: string | null;
  status: number;
  ms: number;
}): void {
  const routeLabel = route ?? "none";
  // 499: the caller left before the answer (rules/limits 1.10)
  const statusLabel = status === 499 ? "ABANDONED" : String(status);
  httpRequests.inc({ method: METHODS.has(method) ? method : "OTHER", route: routeLabel, status: statusLabel });
  httpDurations.observe({ route: routeLabel }, ms / 1_000);
}

/**
 * The metrics of this process. Names and labels are an interface: dashboards and alerts of operators use them (ops/).
 */
const registry = new Registry();
collectDefaultMetrics({ register: registry });

const registers = [registry];
/** Seconds. An email is on time within a minute; a window that closes delays it by a night or a weekend. */
const LATENESS = [1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400, 259_200];
/** Seconds. Verbs that await a mail server take the longest. */
const DURATIONS = [0.005, 0.025, 0.1, 0.25, 1, 5, 30];

const mailsSent = new Counter({ name: "outreach_mails_sent", help: "Emails that a mail server accepted", registers });
const mailsRefused = new Counter({
  name: "outreach_mails_refused",
  help: "Emails that a mail server refused, by the cause of the refusal",
  labelNames: ["fault"],
  registers,
});
const mailsUnknown = new Counter({
  name: "outreach_mails_unknown",
  help: "Emails with an unknown outcome, because the response of the mail server was not read",
  registers,
});
const mailsWithdrawn = new Counter({
  name: "outreach_mails_withdrawn",
  help: "Emails that were claimed but not sent, because a stop came before their content was transmitted",
  registers,
});
const mailsHeldBack = new Counter({
  name: "outreach_mails_held_back_total",
  help: "Attempts to send an email that ended because the database was slow, by reason",
  labelNames: ["why"],
  registers,
});
const claims = new Counter({
  name: "outreach_claims_total",
  help: "Attempts to claim an email, by outcome: claimed, or the reason why not",
  labelNames: ["outcome"],
  registers,
});
const lateness = new Histogram({
  name: "outreach_send_lateness_seconds",
  help: "Seconds from the send slot of an email until a mail server accepted it",
  buckets: LATENESS,
  registers,
});
const hitsStored = new Counter({
  name: "outreach_hits_stored_total",
  help: "Requests for pixels and links in emails that were stored",
  registers,
});
const hitsLost = new Counter({
  name: "outreach_hits_lost_total",
  help: "Requests for pixels and links in emails that were not stored, by reason",
  labelNames: ["why"],
  registers,
});
const httpRequests = new Counter({
  name: "outreach_http_requests_total",
  help: "HTTP requests by route pattern and status",
  labelNames: ["method", "route", "status"],
  registers,
});
const httpDurations = new Histogram({
  name: "outreach_http_request_duration_seconds",
  help: "Seconds from the arrival of an HTTP request to the end of its response",
  labelNames: ["route"],
  buckets: DURATIONS,
  registers,
});

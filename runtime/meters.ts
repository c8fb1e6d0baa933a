import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";

/** What this process counts. Names and labels are an interface: dashboards and alerts of operators use them (ops/). */
export const registry = new Registry();
collectDefaultMetrics({ register: registry });

const registers = [registry];
/** Seconds. A mail is on time within a minute; a window that closes moves it by a night or a weekend. */
const LATENESS = [1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400, 259_200];
/** Seconds. Verbs that await a mail server take the longest. */
const DURATIONS = [0.005, 0.025, 0.1, 0.25, 1, 5, 30];

export const mailsSent = new Counter({ name: "outreach_mails_sent", help: "Mails a server accepted", registers });
export const mailsRefused = new Counter({
  name: "outreach_mails_refused",
  help: "Refusals by whose fault they were",
  labelNames: ["fault"],
  registers,
});
export const mailsUnknown = new Counter({ name: "outreach_mails_unknown", help: "Mails whose outcome was not read", registers });
export const mailsWithdrawn = new Counter({
  name: "outreach_mails_withdrawn",
  help: "Mails that were claimed and not sent, because a stop came before their content",
  registers,
});
export const mailsHeldBack = new Counter({
  name: "outreach_mails_held_back_total",
  help: "Attempts to send an email that ended because the database was slow, by why",
  labelNames: ["why"],
  registers,
});
export const claims = new Counter({
  name: "outreach_claims_total",
  help: "Claims by how they ended: claimed, or why not",
  labelNames: ["outcome"],
  registers,
});
export const lateness = new Histogram({
  name: "outreach_send_lateness_seconds",
  help: "Seconds from the booked slot of a mail to its acceptance by a server",
  buckets: LATENESS,
  registers,
});
export const hitsStored = new Counter({
  name: "outreach_hits_stored_total",
  help: "Requests for pixels and links of mails that were stored",
  registers,
});
export const hitsLost = new Counter({
  name: "outreach_hits_lost_total",
  help: "Requests for pixels and links of mails that were not stored, by why",
  labelNames: ["why"],
  registers,
});
export const httpRequests = new Counter({
  name: "outreach_http_requests_total",
  help: "Requests by the pattern of their route and their status",
  labelNames: ["method", "route", "status"],
  registers,
});
export const httpDurations = new Histogram({
  name: "outreach_http_request_duration_seconds",
  help: "Seconds from the arrival of a request to the end of its answer",
  labelNames: ["route"],
  buckets: DURATIONS,
  registers,
});

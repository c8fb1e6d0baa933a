import { Runtime } from "@temporalio/worker";
import type { SendMetrics } from "../activities/send-step.ts";

/** Counters beside the SDK's own, at the same Prometheus address. */
export function sendMetrics(): SendMetrics {
  const meter = Runtime.instance().metricMeter;
  const sent = meter.createCounter("outreach_mails_sent", "1", "Mails a server accepted");
  const refused = meter.createCounter("outreach_mails_refused", "1", "Refusals by whose fault they were");
  const unknown = meter.createCounter("outreach_mails_unknown", "1", "Mails whose outcome was not read");
  return {
    sent: () => sent.add(1),
    refused: (fault) => refused.add(1, { fault }),
    unknown: () => unknown.add(1),
  };
}

/** Takes how many recipients are overdue: a gauge, zero while all is well. */
export function overdueMetric(): (count: number) => void {
  const name = "outreach_recipients_overdue";
  const gauge = Runtime.instance().metricMeter.createGauge(name, "int", "1", "Open recipients whom nobody has moved for five minutes");
  return (count) => gauge.set(count);
}

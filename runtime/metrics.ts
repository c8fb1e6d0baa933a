import { Runtime } from "@temporalio/worker";
import type { SendMetrics } from "../activities/sending/send-step.ts";
import type { Config } from "../config.ts";
import { ownNames } from "../domain/access/own-hosts.ts";
import { startFront } from "../embedded/front.ts";
import { freePort } from "../embedded/ports.ts";
import type { Listener } from "./listen.ts";

/**
 * Serves the metrics on their port to requests that use one of our host names. `install` makes the SDK serve them on another local port,
 * which answers anybody.
 */
export async function serveMetrics(config: Config, install: (port: number) => void): Promise<Listener> {
  const { METRICS_HOST, METRICS_PORT, PUBLIC_URL, ALLOWED_HOSTS } = config;
  const behind = await freePort();
  install(behind);
  return startFront({
    ...{ name: "The metrics", behind, host: METRICS_HOST, port: METRICS_PORT, variable: "METRICS_PORT" },
    ...{ names: ownNames([METRICS_HOST, ...ALLOWED_HOSTS], [PUBLIC_URL]), writes: false },
  });
}

/** Our counters, served at the same Prometheus URL as the SDK's own. */
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

/** A gauge of how many recipients are overdue. It is zero while all is well. */
export function overdueMetric(): (count: number) => void {
  const name = "outreach_recipients_overdue";
  const gauge = Runtime.instance().metricMeter.createGauge(name, "int", "1", "Open recipients whom nobody has moved for five minutes");
  return (count) => gauge.set(count);
}

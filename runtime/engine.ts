import type { Config } from "../config.ts";
import { linkTemporal, type TemporalLink, type TemporalSettings, temporalSettings } from "../temporal/link.ts";
import type { Shutdown } from "./shutdown.ts";
import { tracing } from "./tracing.ts";

/**
 * Milliseconds. Closing waits for the probe under way: its deadline, and the pause before the client's last attempt.
 */
const CLOSE_MS = 3_000;

/** Connects to Temporal by the configuration until the process ends. `address` is the address of an embedded server. */
export function linkEngine(
  config: Config,
  shutdown: Shutdown,
  address: string | null = null,
): { settings: TemporalSettings; link: TemporalLink } {
  const settings = temporalSettings(config, address);
  const link = linkTemporal(settings, tracing()?.client);
  shutdown.add("The connection to Temporal", CLOSE_MS, link.close);
  return { settings, link };
}

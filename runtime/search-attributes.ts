import { setTimeout as delay } from "node:timers/promises";
import { Client, Connection } from "@temporalio/client";
import type { TemporalSettings } from "../temporal/link.ts";
import {
  refusalOf,
  registerSearchAttributes,
  SEARCH_ATTRIBUTES,
  unusableSearchAttributes,
} from "../temporal/search-attributes.ts";
import type { Log } from "./log.ts";

/** Milliseconds. Within a minute, a new attribute is known in every part of the server. */
const USABLE_MS = 90_000;
const POLL_MS = 250;

/**
 * Ensures that the server knows the search attributes with which runs are started: without them it refuses every start.
 * If the server does not let us register any, they may exist already, so the worker starts anyway (rules/sending 11.7).
 * @throws Error when the server does not answer
 */
export async function provideSearchAttributes(
  { connection: options, namespace }: TemporalSettings,
  log: Log,
  stopping: AbortSignal,
) {
  const connection = await Connection.connect(options);
  try {
    const client = new Client({ connection, namespace });
    const lacking = await unusableSearchAttributes(client);
    if (lacking.length === 0) return;
    if (await register(connection, namespace, lacking, log)) await untilUsable(client, log, stopping);
  } finally {
    await connection.close();
  }
}

/** False when the server refused. */
async function register(
  connection: Connection,
  namespace: string,
  lacking: readonly string[],
  log: Log,
): Promise<boolean> {
  try {
    await registerSearchAttributes(connection, namespace);
    log.info({ searchAttributes: SEARCH_ATTRIBUTES }, "registered the search attributes with the Temporal server");
    return true;
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === null) throw error;
    log.error(
      { searchAttributes: lacking, refusal },
      "The Temporal server does not let this worker register search attributes: no run starts until the operator of that server registers them",
    );
    return false;
  }
}

async function untilUsable(client: Client, log: Log, stopping: AbortSignal): Promise<void> {
  const until = performance.now() + USABLE_MS;
  for (;;) {
    const lacking = await unusableSearchAttributes(client);
    if (lacking.length === 0) return;
    if (performance.now() > until) {
      log.error(
        { searchAttributes: lacking },
        "The Temporal server registered the search attributes, but does not accept them yet",
      );
      return;
    }
    await delay(POLL_MS, undefined, { signal: stopping });
  }
}

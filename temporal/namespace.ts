import type { Client } from "@temporalio/client";
import { grpcCodeOf } from "./search-attributes.ts";

const NOT_FOUND = 5; // of gRPC

export interface Namespace {
  /** How long Temporal keeps the history of a run that has ended; null when the server does not say. */
  retentionMs: number | null;
}

/** The namespace of the client; null when the server does not have it. @throws Error of gRPC for any other refusal */
export async function loadNamespace(client: Client): Promise<Namespace | null> {
  const { namespace } = client.options;
  try {
    const { config } = await client.workflowService.describeNamespace({ namespace });
    const { seconds } = config?.workflowExecutionRetentionTtl ?? {};
    return { retentionMs: seconds == null ? null : Number(seconds) * 1_000 };
  } catch (error) {
    if (grpcCodeOf(error) === NOT_FOUND) return null;
    throw error;
  }
}

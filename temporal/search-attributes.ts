import type { Client } from "@temporalio/client";

/**
 * The search attributes by which workflows can be listed. All are keywords: identifiers that are compared as a whole.
 */
export const SEARCH_ATTRIBUTES = [
  "WorkspaceId",
  "CampaignId",
  "MailboxId",
  "EntityState",
  "WebhookEvent",
  "JobType",
] as const;

const KEYWORD = 2; // temporal.api.enums.v1.IndexedValueType
const CALL_MS = 5_000;
/** Codes of gRPC. */
const INVALID_ARGUMENT = 3;
const ALREADY_EXISTS = 6;

type Connection = Client["connection"];

/**
 * Registers the search attributes that the namespace lacks. It needs operator rights, and several processes may do it
 * at the same time.
 * @throws Error of gRPC when the server refuses
 */
export async function registerSearchAttributes(
  connection: Pick<Connection, "operatorService" | "withDeadline">,
  namespace: string,
  names: readonly string[] = SEARCH_ATTRIBUTES,
): Promise<void> {
  await connection.withDeadline(Date.now() + CALL_MS, async () => {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    const missing = names.filter((name) => !customAttributes?.[name]);
    // One at a time: if another process registers one of several meanwhile, the server refuses them all
    for (const name of missing) {
      try {
        await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: { [name]: KEYWORD } });
      } catch (error) {
        if (grpcCodeOf(error) !== ALREADY_EXISTS) throw error;
      }
    }
  });
}

/**
 * The search attributes that cannot be used yet. It counts runs by them. That needs no operator rights, and also shows
 * an attribute that was registered a moment ago and is not known in every part of the server yet.
 */
export async function unusableSearchAttributes({ connection, options: { namespace } }: Client): Promise<string[]> {
  const isUsable = async (names: readonly string[]) => {
    try {
      const query = names.map((name) => `${name} = 'none'`).join(" OR ");
      await connection.workflowService.countWorkflowExecutions({ namespace, query });
      return true;
    } catch (error) {
      if (grpcCodeOf(error) === INVALID_ARGUMENT) return false;
      throw error;
    }
  };
  if (await isUsable(SEARCH_ATTRIBUTES)) return [];
  const usable = await Promise.all(SEARCH_ATTRIBUTES.map((name) => isUsable([name])));
  return SEARCH_ATTRIBUTES.filter((_, index) => !usable[index]);
}

/** The status code of a refused call; null when the error is none of gRPC. */
export function grpcCodeOf(error: unknown): number | null {
  return error instanceof Error && "code" in error && typeof error.code === "number" ? error.code : null;
}

/** Codes of gRPC for a call that is not allowed or does not exist. */
const REFUSALS: Record<number, string> = { 7: "PERMISSION_DENIED", 12: "UNIMPLEMENTED", 16: "UNAUTHENTICATED" };

/** Why the server refuses a call permanently; null for every other error. */
export function refusalOf(error: unknown): string | null {
  return REFUSALS[grpcCodeOf(error) ?? -1] ?? null;
}

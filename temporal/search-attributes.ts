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
 * Registers the search attributes that the namespace lacks. It needs operator rights. Several processes may do it at
 * the same time.
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
    // One at a time, because if another process registers one of several meanwhile, the server refuses all of them
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
 * The search attributes that cannot be used yet. It checks each by counting runs with it, which needs no operator
 * rights. This also detects an attribute that was just registered and is not known in every part of the server yet.
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

/** The gRPC status code of a refused call; null when the error does not come from gRPC. */
export function grpcCodeOf(error: unknown): number | null {
  return error instanceof Error && "code" in error && typeof error.code === "number" ? error.code : null;
}

/** Codes of gRPC for a call that is not allowed or does not exist. */
const REFUSALS: Record<number, string> = { 7: "PERMISSION_DENIED", 12: "UNIMPLEMENTED", 16: "UNAUTHENTICATED" };

/** Why the server refuses a call permanently; null for all other errors. */
export function refusalOf(error: unknown): string | null {
  return REFUSALS[grpcCodeOf(error) ?? -1] ?? null;
}

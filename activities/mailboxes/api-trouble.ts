import { USUAL_WAIT_MS } from "../../connectors/bearer-call.ts";
import { GmailTrouble } from "../../connectors/gmail/trouble.ts";
import { GraphTrouble } from "../../connectors/graph/trouble.ts";

/** A request that a provider's API did not answer with success. */
export type ApiTrouble = GmailTrouble | GraphTrouble;

export function isApiTrouble(error: unknown): error is ApiTrouble {
  return error instanceof GmailTrouble || error instanceof GraphTrouble;
}

/** Milliseconds until the provider may be asked again after a refusal for a limit. */
export function waitMsOf(error: ApiTrouble): number {
  if (error instanceof GraphTrouble) return error.waitMs ?? USUAL_WAIT_MS;
  return error.retryAt === null ? USUAL_WAIT_MS : Math.max(0, error.retryAt - Date.now());
}

import type { z } from "zod";
import {
  type BearerAccess,
  type BearerAnswer,
  type BearerRequest,
  callInQuota,
  QuotaWait,
  retryAfterMs,
  USUAL_WAIT_MS,
} from "../bearer-call.ts";
import { EgressError } from "../net/egress-error.ts";
import { GmailTrouble, troubleOf } from "./trouble.ts";
import { unitsOf } from "./units.ts";

/**
 * One request to the Gmail API. The token is the user's own, so paths say `me`. An answer that does not fit the schema
 * counts as no answer. A mailbox that has to wait before it may ask has the same trouble as after a refusal.
 * @throws GmailTrouble
 */
export async function callGmail<T extends z.ZodType>(
  access: BearerAccess,
  path: string,
  { schema, ...request }: BearerRequest & { schema: T },
): Promise<z.output<T>> {
  const { method = "GET" } = request;
  const quota = { units: unitsOf(method, path), waitOf };
  const { status, json } = await callInQuota(access, path, request, quota).catch((cause: unknown) => {
    if (cause instanceof QuotaWait) throw new GmailTrouble("rate", { retryAt: Date.now() + cause.waitMs, cause });
    throw cause instanceof EgressError ? new GmailTrouble("away", { cause }) : cause;
  });
  if (!isSuccess(status)) throw troubleOf(status, json, Date.now());
  const read = schema.safeParse(json);
  if (!read.success) throw new GmailTrouble("away", { cause: read.error });
  return read.data;
}

function waitOf(answer: BearerAnswer): number | null {
  const { status, json } = answer;
  if (isSuccess(status)) return null;
  const now = Date.now();
  const { kind, retryAt } = troubleOf(status, json, now);
  const namedMs = retryAt === null ? retryAfterMs(answer) : retryAt - now;
  return namedMs ?? (kind === "rate" ? USUAL_WAIT_MS : null);
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

import type { z } from "zod";
import type { GraphMailboxPath } from "../../domain/mailboxes/transport.ts";
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
import { GraphTrouble, troubleOf } from "./trouble.ts";

/** A mailbox at Microsoft Graph: the user's own as `/me`, a shared one or one of an app as `/users/<address>`. */
export interface GraphAccess extends BearerAccess {
  mailbox: GraphMailboxPath;
}

/** Ids that stay the same when a message is moved or sent. Links between pages work only with the same header. */
const IMMUTABLE = 'IdType="ImmutableId"';

/**
 * One request, and its answer of 2xx as it is. A mailbox that has to wait before it may ask has the same trouble as
 * after a refusal.
 * @throws GraphTrouble
 */
export async function askGraph(access: BearerAccess, path: string, request: BearerRequest): Promise<BearerAnswer> {
  const headers = { Prefer: IMMUTABLE, ...request.headers };
  const quota = { units: 1, waitOf };
  const answer = await callInQuota(access, path, { ...request, headers }, quota).catch((cause: unknown) => {
    if (cause instanceof QuotaWait) throw new GraphTrouble("rate", { waitMs: cause.waitMs, cause });
    throw cause instanceof EgressError ? new GraphTrouble("away", { cause }) : cause;
  });
  const { status, json } = answer;
  if (status < 200 || status > 299) throw troubleOf(status, json, answer.headers);
  return answer;
}

/** Graph asks to wait in answers of success too. */
function waitOf(answer: BearerAnswer): number | null {
  return retryAfterMs(answer) ?? (answer.status === 429 ? USUAL_WAIT_MS : null);
}

/** One request whose answer fits the schema; another answer counts as none. @throws GraphTrouble */
export async function callGraph<T extends z.ZodType>(
  access: BearerAccess,
  path: string,
  { schema, ...request }: BearerRequest & { schema: T },
): Promise<z.output<T>> {
  const { json } = await askGraph(access, path, request);
  const read = schema.safeParse(json);
  if (!read.success) throw new GraphTrouble("away", { cause: read.error });
  return read.data;
}

import type { z } from "zod";
import { type BearerAccess, type BearerRequest, callWithToken } from "../bearer-call.ts";
import { EgressError } from "../net/egress-error.ts";
import { GmailTrouble, troubleOf } from "./trouble.ts";

/**
 * One request to the Gmail API. The token is the user's own, so paths say `me`. An answer that does not fit the schema
 * counts as no answer.
 * @throws GmailTrouble
 */
export async function callGmail<T extends z.ZodType>(
  access: BearerAccess,
  path: string,
  { schema, ...request }: BearerRequest & { schema: T },
): Promise<z.output<T>> {
  const { status, json } = await callWithToken(access, path, request).catch((cause: unknown) => {
    throw cause instanceof EgressError ? new GmailTrouble("away", { cause }) : cause;
  });
  if (status < 200 || status > 299) throw troubleOf(status, json, Date.now());
  const read = schema.safeParse(json);
  if (!read.success) throw new GmailTrouble("away", { cause: read.error });
  return read.data;
}

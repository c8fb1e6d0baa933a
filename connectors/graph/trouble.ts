import { z } from "zod";
import type { AccessFault } from "../../domain/mailboxes/connection-error.ts";
import { retryAfterMs } from "../bearer-call.ts";

/**
 * Why Graph did not do what it was asked. `expired`: another access token may help. `rate`: this mailbox waits.
 * `limit`: the mailbox has sent or holds as much as it may today. `rights` and `off` need a person. `gone`: the item
 * does not exist. `stale`: the folder is read anew. `invalid`: the request will never be accepted. `away`: the request
 * may or may not have had an effect.
 */
export type GraphFault = "expired" | "rate" | "limit" | "rights" | "off" | "gone" | "stale" | "invalid" | "away";

/** A request that Graph did not answer with success. The message is ours; Microsoft's own words are for the log. */
export class GraphTrouble extends Error {
  readonly kind: GraphFault;
  /** Microsoft's code, such as `ErrorSendAsDenied`; null without one. */
  readonly code: string | null;
  /** The HTTP status; null without an answer. */
  readonly status: number | null;
  /** Milliseconds that Graph asks to wait; null when it does not say. */
  readonly waitMs: number | null;
  /** The lost access that the answer shows; null when it is about something else. */
  readonly access: AccessFault | null;
  constructor(
    kind: GraphFault,
    {
      code = null,
      status = null,
      waitMs = null,
      ...options
    }: ErrorOptions & { code?: string | null; status?: number | null; waitMs?: number | null },
  ) {
    super(`Graph: ${kind}`, options);
    this.name = "GraphTrouble";
    this.kind = kind;
    this.code = code;
    this.status = status;
    this.waitMs = waitMs;
    this.access = kind === "off" ? "NO_MAIL_SERVICE" : kind === "rights" ? rightMissing(code) : null;
  }
}

function rightMissing(code: string | null): AccessFault {
  return code?.toLowerCase() === "errorsendasdenied" ? "SEND_AS_DENIED" : "ACCESS_DENIED";
}

const Refusal = z.object({ error: z.object({ code: z.string().default(""), message: z.string().default("") }) });

/** Codes whose status says too little, in lower case: Microsoft spells some of them in several ways. */
const BY_CODE: Readonly<Record<string, GraphFault>> = {
  mailboxnotenabledforrestapi: "off",
  errormailboxnotenabledforrestapi: "off",
  errorexceededmessagelimit: "limit",
  errorquotaexceeded: "limit",
  applicationthrottled: "rate",
  mailboxconcurrency: "rate",
  erroritemnotfound: "gone",
  errorinvalidrecipients: "invalid",
  invalidinternetmessageheader: "invalid",
  errormessagesizeexceeded: "invalid",
  // Another change of the same item at the same time: a read or a patch may be repeated
  errorirresolvableconflict: "rate",
  syncstatenotfound: "stale",
  syncstateinvalid: "stale",
  resyncrequired: "stale",
  invalidsyncstatedata: "stale",
};
const BY_STATUS: Readonly<Record<number, GraphFault>> = {
  401: "expired",
  403: "rights",
  404: "gone",
  408: "away",
  410: "stale",
  423: "rate",
  429: "rate",
};

export function troubleOf(
  status: number,
  json: unknown,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): GraphTrouble {
  const read = Refusal.safeParse(json);
  const { code, message } = read.success ? read.data.error : { code: "", message: "" };
  const known = BY_CODE[code.toLowerCase()];
  const kind = known ?? BY_STATUS[status] ?? (status >= 400 && status < 500 ? "invalid" : "away");
  const waitMs = kind === "rate" ? retryAfterMs({ headers }) : null;
  return new GraphTrouble(kind, { code: code || null, status, waitMs, cause: new Error(`${status} ${message}`) });
}

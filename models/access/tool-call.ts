import { flag, instant, mixed, number, type Owned, oneOf, required, tenantModel, text } from "../../mongo/schema.ts";

/** DENIED: a scope is missing. UNKNOWN: there is no such tool, or it is not listed for this credential. */
const CALL_OUTCOMES = ["OK", "TOOL_ERROR", "DENIED", "UNKNOWN", "RATE_LIMITED"] as const;
type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** One POST to the tool server (rules/tools 6.2). */
export interface ToolCall extends Owned {
  at: Date;
  traceId: string;
  credentialId: string;
  kind: string;
  /** What the application calls itself: name and version, or its User-Agent. */
  client: string | null;
  method: string;
  tool: string | null;
  action: string | null;
  outcome: CallOutcome;
  code: string | null;
  ms: number;
  resultChars: number;
  truncated: boolean;
  /** The SHA-256 of the idempotency key of a call that sends email. */
  keyHash: string | null;
  replay: boolean;
  /**
   * The arguments of the call: ids, numbers, flags and words from a fixed list. Any other text is replaced by its
   * length.
   */
  arguments: Record<string, unknown> | null;
  expiresAt: Date;
}

export const ToolCall = tenantModel<ToolCall>(
  "ToolCall",
  "tool_calls",
  {
    at: { type: Date, required: true },
    traceId: required,
    credentialId: required,
    kind: required,
    client: text,
    method: required,
    tool: text,
    action: text,
    outcome: oneOf(CALL_OUTCOMES, "OK"),
    code: text,
    ms: { ...number, default: 0 },
    resultChars: { ...number, default: 0 },
    truncated: flag,
    keyHash: text,
    replay: flag,
    arguments: mixed,
    expiresAt: instant,
  },
  [{ fields: { workspaceId: 1, at: -1 } }, { fields: { expiresAt: 1 }, expireAfterSeconds: 0 }],
);

import { createHash } from "node:crypto";
import { DAY_MS, SECOND_MS } from "../../domain/time/durations.ts";
import { ToolCall } from "../../models/access/tool-call.ts";
import { newId } from "../../mongo/ids.ts";
import type { Principal } from "../context.ts";

/** The facts about one POST to the tool server. */
export interface CallFacts
  extends Pick<
    ToolCall,
    "traceId" | "client" | "method" | "tool" | "action" | "outcome" | "code" | "ms" | "resultChars"
  > {
  isTruncated: boolean;
  key: string | null;
  isReplay: boolean;
  arguments: unknown;
}

const KEPT_MS = 90 * DAY_MS;
const FLUSH_MS = SECOND_MS;
const MOST_WAITING = 1_000;
const LONGEST_NAME = 200;

const waiting: object[] = [];
let timer: NodeJS.Timeout | null = null;

/**
 * Records a call. Rows are written in batches within a second. The caller does not wait for it and does not fail
 * because of it.
 */
export function noteCall({ workspaceId, credentialId, kind }: Principal, facts: CallFacts): void {
  const { traceId, client, method, tool, action, outcome, code, ms, resultChars } = facts;
  const at = new Date();
  waiting.push({
    _id: newId("call"),
    workspaceId,
    credentialId,
    kind,
    at,
    traceId,
    outcome,
    code,
    ms: Math.round(ms),
    resultChars,
    client: client?.slice(0, LONGEST_NAME) ?? null,
    method: method.slice(0, LONGEST_NAME),
    tool,
    action,
    truncated: facts.isTruncated,
    replay: facts.isReplay,
    arguments: shownOf(facts.arguments),
    keyHash: facts.key === null ? null : createHash("sha256").update(facts.key).digest("base64url"),
    createdAt: at,
    updatedAt: at,
    expiresAt: new Date(at.getTime() + KEPT_MS),
  });
  if (waiting.length >= MOST_WAITING) waiting.shift(); // without a database, only the latest calls are kept
  timer ??= setTimeout(() => void flushCalls(), FLUSH_MS).unref();
}

/** Writes what is waiting now. */
export async function flushCalls(): Promise<void> {
  if (timer !== null) clearTimeout(timer);
  timer = null;
  const rows = waiting.splice(0);
  // Inserts plain objects: every field is named above, and creating documents would cost more than all other work of
  // recording a call
  if (rows.length > 0) await ToolCall.insertMany(rows, { ordered: false, lean: true }).catch(() => {});
}

const ID = /^[a-z]{2,5}_[0-9A-Za-z]{1,40}$/;
const WORD = /^[A-Z][A-Z_]{0,40}$|^[a-z][A-Za-z]{0,30}$/;
/** Fields whose text the caller chooses freely. */
const OWN_WORDS = /^(?:search|name|company|domain|text|subject|body|value|reason|notes?|label|key)$/i;

/**
 * Keeps ids, numbers, flags and fixed words, and only the size of everything else, so that no text of an email is
 * stored.
 */
function shownOf(given: unknown): Record<string, unknown> | null {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return null;
  const fields = Object.entries(given).filter(([name]) => name !== "idempotencyKey" && /^[A-Za-z]{1,40}$/.test(name));
  return Object.fromEntries(fields.slice(0, 40).map(([name, value]) => [name, shown(name, value)]));
}

function shown(name: string, value: unknown): unknown {
  if (typeof value === "number" || typeof value === "boolean" || value === null) return value;
  if (typeof value === "string" && (ID.test(value) || (WORD.test(value) && !OWN_WORDS.test(name)))) return value;
  if (typeof value === "string") return `${value.length} characters`;
  if (Array.isArray(value))
    return value.length <= 20 && value.every((one) => typeof one === "string" && ID.test(one))
      ? value
      : `${value.length} items`;
  return `${Object.keys(value ?? {}).length} fields`;
}

import { mixed, type Owned, oneOf, required, tenantModel, text, texts } from "../mongo/schema.ts";

/** DONE: something of it was committed. FAILED: nothing was. DENIED: the credential lacks the scope. */
export const AUDIT_OUTCOMES = ["DONE", "FAILED", "DENIED"] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** One link of a workspace's chain: never changed, never deleted (security.md 7). */
export interface AuditEntry extends Owned {
  seq: number;
  at: Date;
  /** CONSENT: whoever was shown the end of that consent to a mailbox, which is all that is known of them. */
  actor: { kind: "API_KEY" | "OAUTH" | "CONSOLE" | "CONSENT"; id: string };
  action: string;
  /** The ids that the call named, by the name of their field. */
  target: Record<string, unknown>;
  /** Names of the other fields of the call; what stood in them is not kept. */
  fields: string[];
  outcome: AuditOutcome;
  /** The code of the refusal. */
  code: string | null;
  /** SHA-256 of the one record that the call changed; null where there was none, or many. Absent in the entries of earlier versions. */
  before?: string | null;
  after?: string | null;
  /** Names of the keys of that record which changed; nothing of their values. */
  changed?: string[];
  ip: string | null;
  traceId: string | null;
  prevHash: string;
  /** SHA-256 of all of the above, in hexadecimal. */
  hash: string;
}

export const AuditEntry = tenantModel<AuditEntry>(
  "AuditEntry",
  "audit_entries",
  {
    seq: { type: Number, required: true },
    at: { type: Date, required: true },
    actor: mixed,
    action: required,
    target: mixed,
    fields: { type: [String], required: true, default: [] },
    outcome: oneOf(AUDIT_OUTCOMES, "DONE"),
    code: text,
    before: text,
    after: text,
    changed: texts,
    ip: text,
    traceId: text,
    prevHash: { type: String, default: "" },
    hash: required,
  },
  [{ fields: { workspaceId: 1, seq: 1 }, unique: true }],
);

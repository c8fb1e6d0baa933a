import { mixed, type Owned, oneOf, required, tenantModel, text, texts } from "../../mongo/schema.ts";

/**
 * DONE: at least a part of the call was committed. FAILED: nothing was committed. DENIED: the credential lacks the
 * scope. PLANNED: the call asked what would be sent. ASKED: the call asked a person to approve it.
 */
export const AUDIT_OUTCOMES = ["DONE", "FAILED", "DENIED", "PLANNED", "ASKED"] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** One link of a workspace's audit chain. It is never changed, and deleted only by a retention (rules/security 6.1). */
export interface AuditEntry extends Owned {
  seq: number;
  at: Date;
  /**
   * CONSENT: the person who saw the end of a consent to a mailbox. Nothing else is known about them. OPERATOR: a command
   * or a page of the operator. SERVICE: the service itself.
   */
  actor: { kind: "API_KEY" | "OAUTH" | "CONSOLE" | "CONSENT" | "OPERATOR" | "SERVICE"; id: string };
  action: string;
  /** The ids that the call named, by field name, and the reason of an operator. */
  target: Record<string, unknown>;
  /** The names of the other fields of the call. Their values are not stored. */
  fields: string[];
  outcome: AuditOutcome;
  /** The code of the refusal. */
  code: string | null;
  /**
   * The SHA-256 of the one record that the call changed; null when it changed none or many. Absent in entries of
   * earlier versions.
   */
  before?: string | null;
  after?: string | null;
  /** The names of the keys of that record that changed, without their values. */
  changed?: string[];
  ip: string | null;
  traceId: string | null;
  prevHash: string;
  /** The SHA-256 of all fields above, in hexadecimal. */
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

import { CREDIT_KINDS, type Posting } from "../../domain/credits.ts";
import { type Owned, oneOf, required, tenantModel, text } from "../../mongo/schema.ts";

/** One line of the credit ledger: written once, never changed. */
export interface CreditEntry extends Owned, Posting {
  /** The number of the entry in the ledger, from 1. */
  seq: number;
  /** The balance after it. */
  balance: number;
}

export const CreditEntry = tenantModel<CreditEntry>(
  "CreditEntry",
  "credit_entries",
  {
    seq: { type: Number, required: true },
    kind: oneOf(CREDIT_KINDS, CREDIT_KINDS[0]),
    amount: { type: Number, required: true },
    balance: { type: Number, required: true },
    key: required,
    subjectId: text,
    detail: text,
    reason: text,
    actor: text,
  },
  [
    { fields: { workspaceId: 1, key: 1 }, unique: true },
    { fields: { workspaceId: 1, seq: 1 }, unique: true },
    { fields: { workspaceId: 1, _id: -1 } },
    { fields: { workspaceId: 1, kind: 1, createdAt: 1 } },
  ],
);

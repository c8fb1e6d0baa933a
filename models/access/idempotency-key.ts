import { flag, mixed, number, type Owned, required, tenantModel } from "../../mongo/schema.ts";

/** The stored response of a REST write. `_id` is a hash of workspace, method, path and key. */
export interface IdempotencyKey extends Owned {
  /**
   * The format of this document: 1 when absent. A version of the program that does not know the format does not touch
   * the document.
   */
  form: number | null;
  bodyHash: string;
  isDone: boolean;
  status: number | null;
  answer: unknown;
  lockedUntil: Date;
  expiresAt: Date;
}

export const IdempotencyKey = tenantModel<IdempotencyKey>(
  "IdempotencyKey",
  "idempotency_keys",
  {
    form: number,
    bodyHash: required,
    isDone: flag,
    status: number,
    answer: mixed,
    lockedUntil: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  [{ fields: { expiresAt: 1 }, expireAfterSeconds: 0 }],
);

import { type Owned, required, tenantModel, texts } from "../../mongo/schema.ts";

/** Mailboxes of one workspace that warm each other up. */
export interface WarmupPool extends Owned {
  name: string;
  mailboxIds: string[];
}

export const WarmupPool = tenantModel<WarmupPool>("WarmupPool", "warmup_pools", { name: required, mailboxIds: texts }, [
  { fields: { workspaceId: 1, name: 1 }, unique: true },
  { fields: { workspaceId: 1, mailboxIds: 1 } },
]);

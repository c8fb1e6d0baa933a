import { instant, number, type Owned, required, tenantModel } from "../../mongo/schema.ts";

export interface Deal extends Owned {
  leadId: string;
  name: string;
  /** Free text. The stages WON and LOST close the deal. */
  stage: string;
  amountCents: number | null;
  currency: string;
  closedAt: Date | null;
}

export const Deal = tenantModel<Deal>(
  "Deal",
  "deals",
  { leadId: required, name: required, stage: required, amountCents: number, currency: required, closedAt: instant },
  [{ fields: { workspaceId: 1, _id: -1 } }, { fields: { workspaceId: 1, leadId: 1, _id: -1 } }],
);

import { mixed, type Owned, required, tenantModel, text } from "../../mongo/schema.ts";

/** One event in a lead's history. */
export interface ActivityEvent extends Owned {
  type: string;
  at: Date;
  leadId: string | null;
  campaignId: string | null;
  recipientId: string | null;
  actor: string | null;
  data: Record<string, unknown>;
}

export const ActivityEvent = tenantModel<ActivityEvent>(
  "ActivityEvent",
  "events",
  {
    type: required,
    at: { type: Date, required: true },
    leadId: text,
    campaignId: text,
    recipientId: text,
    actor: text,
    data: mixed,
  },
  [
    { fields: { workspaceId: 1, leadId: 1, _id: -1 } },
    { fields: { workspaceId: 1, campaignId: 1, type: 1, _id: -1 } },
    // Segments read events from this index only, without the documents
    { fields: { workspaceId: 1, type: 1, at: 1, leadId: 1, campaignId: 1 } },
  ],
);

import { LIST_TYPES, type ListType } from "../../domain/states.ts";
import { counter, instant, mixed, type Owned, oneOf, required, tenantModel, text } from "../../mongo/schema.ts";

export interface LeadList extends Owned {
  name: string;
  description: string | null;
  type: ListType;
  filterRules: Record<string, unknown> | null;
  memberCount: number;
  countedAt: Date | null;
}

export const LeadList = tenantModel<LeadList>(
  "LeadList",
  "lead_lists",
  {
    name: required,
    description: text,
    type: oneOf(LIST_TYPES, "STATIC"),
    filterRules: mixed,
    memberCount: counter,
    countedAt: instant,
  },
  [{ fields: { workspaceId: 1, _id: -1 } }, { fields: { type: 1, _id: 1 }, where: { type: "DYNAMIC" } }],
);

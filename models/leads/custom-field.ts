import { FIELD_TYPES, type FieldType } from "../../domain/states.ts";
import { counter, flag, instant, type Owned, oneOf, required, tenantModel } from "../../mongo/schema.ts";

export interface CustomField extends Owned {
  key: string;
  /** The key in lower case and without underscores, because variable names ignore case and underscores. */
  name: string;
  label: string;
  type: FieldType;
  /** The choices of a SELECT field; null for all other types. */
  options: string[] | null;
  order: number;
  archived: boolean;
  archivedAt: Date | null;
}

export const CustomField = tenantModel<CustomField>(
  "CustomField",
  "custom_fields",
  {
    key: required,
    name: required,
    label: required,
    type: oneOf(FIELD_TYPES, "TEXT"),
    options: { type: [String], default: null },
    order: counter,
    archived: flag,
    archivedAt: instant,
  },
  [{ fields: { workspaceId: 1, name: 1 }, unique: true }, { fields: { workspaceId: 1, order: 1, _id: 1 } }],
);

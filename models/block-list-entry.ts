import { BLOCK_TYPES, type BlockType } from "../domain/states.ts";
import { type Owned, oneOf, required, tenantModel, text } from "../mongo/schema.ts";

export interface BlockListEntry extends Owned {
  value: string;
  type: BlockType;
  reason: string | null;
  createdBy: string | null;
}

export const BlockListEntry = tenantModel<BlockListEntry>(
  "BlockListEntry",
  "block_list_entries",
  { value: required, type: oneOf(BLOCK_TYPES, "EMAIL"), reason: text, createdBy: text },
  [{ fields: { workspaceId: 1, value: 1 }, unique: true }, { fields: { workspaceId: 1, _id: -1 } }],
);

import { counter, type Owned, required, tenantModel } from "../../mongo/schema.ts";

/**
 * One of the 16 gates of a campaign or workspace. A claim writes one gate as its last step, and a stop closes all of
 * them. `_id` is `<campaign or workspace id>:<shard>`.
 */
export interface Gate extends Owned {
  /** The id of the campaign, or of the workspace for email without a campaign. */
  ownerId: string;
  shard: number;
  isOpen: boolean;
  fence: number;
  claims: number;
}

export const GATE_SHARDS = 16;

export const Gate = tenantModel<Gate>(
  "Gate",
  "gates",
  {
    ownerId: required,
    shard: { type: Number, required: true },
    isOpen: { type: Boolean, required: true },
    fence: counter,
    claims: counter,
  },
  [{ fields: { workspaceId: 1, ownerId: 1, shard: 1 }, unique: true }],
);

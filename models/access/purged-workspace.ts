import { type Base, globalModel } from "../../mongo/schema.ts";

/**
 * Records that a workspace was purged, and between which instants all of its emails were sent. A recipient who still
 * opens a link from one of these emails sees that no more email will come (rules/evidence 2.4). `_id` is the workspace
 * id.
 */
export interface PurgedWorkspace extends Base {
  openedAt: Date;
  deletedAt: Date;
}

export const PurgedWorkspace = globalModel<PurgedWorkspace>("PurgedWorkspace", "purged_workspaces", {
  openedAt: { type: Date, required: true },
  deletedAt: { type: Date, required: true },
});

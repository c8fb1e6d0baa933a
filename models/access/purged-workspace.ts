import { type Base, globalModel } from "../../mongo/schema.ts";

/**
 * That a workspace was purged, and between which instants all of its emails were made: whoever still opens a link of
 * one is told that nothing more will come (rules/evidence 2.4). `_id` is the workspace's.
 */
export interface PurgedWorkspace extends Base {
  openedAt: Date;
  deletedAt: Date;
}

export const PurgedWorkspace = globalModel<PurgedWorkspace>("PurgedWorkspace", "purged_workspaces", {
  openedAt: { type: Date, required: true },
  deletedAt: { type: Date, required: true },
});

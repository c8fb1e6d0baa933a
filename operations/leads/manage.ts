import { choice } from "../choice.ts";
import { create as createNote, remove as deleteNote } from "./notes.ts";
import { bulkRemove, remove } from "./remove.ts";
import { bulkAddTags, bulkRemoveTags } from "./tags.ts";
import { update } from "./update.ts";

export const manage = choice("leads:write", "Change, tag or delete leads, and write notes about them", {
  update,
  delete: remove,
  bulkDelete: bulkRemove,
  bulkAddTags,
  bulkRemoveTags,
  createNote,
  deleteNote,
});

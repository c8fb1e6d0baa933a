import { choice } from "../choice.ts";
import { addFromList, addManual, refreshAudience } from "./add.ts";
import { updateOutcome } from "./outcome.ts";
import { pauseRecipients, resumeRecipients } from "./pause.ts";
import { bulkRemove } from "./remove.ts";

export const manage = choice("recipients:write", "Add, remove, pause or resume recipients, or record an outcome", {
  addManual,
  addFromList,
  refreshAudience,
  bulkRemove,
  updateOutcome,
  pauseRecipients,
  resumeRecipients,
});

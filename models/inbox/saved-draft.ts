import { type Owned, oneOf, required, tenantModel, text, texts } from "../../mongo/schema.ts";

export const DRAFT_SOURCES = ["USER", "AGENT"] as const;

/**
 * What someone has begun to answer in a thread. It is never sent by itself; a thread has one at most, and `_id` is
 * that thread's.
 */
export interface SavedDraft extends Owned {
  subject: string | null;
  text: string;
  html: string | null;
  cc: string[];
  source: (typeof DRAFT_SOURCES)[number];
  savedBy: string;
}

export const SavedDraft = tenantModel<SavedDraft>("SavedDraft", "reply_drafts", {
  subject: text,
  text: { type: String, default: "" },
  html: text,
  cc: texts,
  source: oneOf(DRAFT_SOURCES, "USER"),
  savedBy: required,
});

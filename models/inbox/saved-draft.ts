import { type Owned, oneOf, required, tenantModel, text, texts } from "../../mongo/schema.ts";

export const DRAFT_SOURCES = ["USER", "AGENT"] as const;

/**
 * A reply to a thread that someone has begun to write. A draft is never sent automatically. A thread has at most one
 * draft, and `_id` is the thread's id.
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

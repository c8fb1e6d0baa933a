import { type Owned, oneOf, required, tenantModel, text, texts } from "../../mongo/schema.ts";

export const DRAFT_SOURCES = ["USER", "AGENT"] as const;

/**
 * An answer that someone has begun to write in a thread. It is never sent by itself. A thread has at most one, and
 * `_id` is that thread's.
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

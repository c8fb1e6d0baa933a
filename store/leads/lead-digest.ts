import { createHash } from "node:crypto";
import { type LeadContent, leadTexts } from "../../domain/leads/lead.ts";

const LENGTH = 22;

/** A digest of what people can change about a lead. It is stored in the lead itself and deleted with it. */
export function leadDigest(lead: LeadContent): string {
  const texts = leadTexts().map((field) => lead[field]);
  const custom = Object.entries(lead.customFields).sort(([one], [other]) => (one < other ? -1 : 1));
  const content = JSON.stringify([lead.email, texts, lead.tags, custom]);
  return createHash("sha256").update(content).digest("base64url").slice(0, LENGTH);
}

import { initialLeadStateOf, type LeadContent } from "../../domain/leads/lead.ts";
import type { GuardReason } from "../../models/address-guard.ts";
import type { Lead } from "../../models/leads/lead.ts";
import { newId } from "../../mongo/ids.ts";

export type NewLead = Omit<Lead, "workspaceId" | "createdAt" | "updatedAt">;

/** The complete document of a new lead. `reasons` are the suppression reasons of its address. */
export function newLead(content: LeadContent, reasons: readonly GuardReason[], source: string, now: Date): NewLead {
  return {
    _id: newId("led"),
    ...content,
    ...initialLeadStateOf(reasons, now),
    secondaryEmails: [],
    listIds: [],
    imports: [],
    verifiedAt: null,
    verification: null,
    emailStatus: "revealed",
    emailProvider: "UNKNOWN",
    source,
    lastContactedAt: null,
    lastRepliedAt: null,
  };
}

import type { LeadSource } from "../../domain/lead-source.ts";
import { initialLeadStateOf, type LeadContent } from "../../domain/leads/lead.ts";
import type { GuardReason } from "../../models/address-guard.ts";
import type { Lead } from "../../models/leads/lead.ts";
import { newId } from "../../mongo/ids.ts";

export type NewLead = Omit<Lead, "workspaceId" | "createdAt" | "updatedAt">;

/** How a lead is created: the source in words, as callers name it, and the facts about it. */
export interface Creation extends LeadSource {
  source: string;
}

/** The complete document of a new lead. `reasons` are the suppression reasons of its address. */
export function newLead(
  content: LeadContent,
  reasons: readonly GuardReason[],
  { source, ...createdFrom }: Creation,
): NewLead {
  return {
    _id: newId("led"),
    ...content,
    ...initialLeadStateOf(reasons, createdFrom.at),
    secondaryEmails: [],
    listIds: [],
    imports: [],
    verifiedAt: null,
    verification: null,
    emailStatus: "revealed",
    emailProvider: "UNKNOWN",
    source,
    createdFrom,
    lastContactedAt: null,
    lastRepliedAt: null,
  };
}

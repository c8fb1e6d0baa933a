import { AppError } from "../../domain/errors.ts";
import type { Lead } from "../../models/lead.ts";
import { scoped } from "../../models/scoped.ts";

/** @throws LEAD_NOT_FOUND */
export async function loadLead(workspaceId: string, leadId: string): Promise<Lead> {
  const lead = await scoped(workspaceId).Lead.get(leadId);
  if (lead === null) throw new AppError("LEAD_NOT_FOUND", "No lead has this id");
  return lead;
}

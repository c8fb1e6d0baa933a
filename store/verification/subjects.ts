import { readAddress } from "../../domain/values/address.ts";
import type { Lead } from "../../models/lead.ts";
import { scoped } from "../../models/scoped.ts";
import type { VerificationBatch } from "../../models/verification-batch.ts";
import { trusted } from "../../mongo/collection.ts";

export type VerifiedLead = Pick<Lead, "_id" | "email" | "verificationStatus" | "verifiedAt" | "suppressionReason"> & {
  verification?: Lead["verification"];
};

/** An address to verify, and the lead that has it. What is no address is named as it was given. */
export interface VerificationItem {
  email: string;
  lead: VerifiedLead | null;
}

const NEEDED = { email: 1, verificationStatus: 1, verifiedAt: 1, verification: 1, suppressionReason: 1 } as const;

/** The addresses of a batch, each once; a lead that is gone meanwhile is left out. */
export async function loadSubjects(workspaceId: string, { leadIds, emails }: VerificationBatch): Promise<VerificationItem[]> {
  const { Lead } = scoped(workspaceId);
  const named = emails.map((text) => readAddress(text)?.address ?? text);
  const [byId, byEmail] = await Promise.all([
    leadIds.length === 0 ? [] : Lead.find({ _id: trusted({ $in: leadIds }) }, { select: NEEDED }),
    named.length === 0 ? [] : Lead.find({ email: trusted({ $in: named }) }, { select: NEEDED }),
  ]);
  const leads = new Map([...byId, ...byEmail].map((lead) => [lead.email, lead]));
  return [...new Set([...leads.keys(), ...named])].map((email) => ({ email, lead: leads.get(email) ?? null }));
}

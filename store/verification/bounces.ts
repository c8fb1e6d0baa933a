import { addressHashOf } from "../../domain/leads/address-hash.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { KEPT_MS } from "../../domain/verification/etiquette.ts";
import type { VerificationEvidence } from "../../domain/verification.ts";
import { scoped } from "../../models/scoped.ts";
import { VerifiedDomain } from "../../models/verified-domain.ts";

/** One bounce may be somebody who has left since; two are a server that takes what it does not deliver. */
const MOST_BOUNCES = 1;

/**
 * An address that had been found VALID bounced for good. After the second one of a domain its server is not believed: what it said before
 * counts no more, for nobody, and leads of this workspace that were VALID by its word are UNKNOWN until it is asked anew
 * (rules/verification 4). Repeated, it changes nothing.
 */
export async function noteVerifiedBounce(workspaceId: string, leadId: string): Promise<void> {
  const { Lead } = scoped(workspaceId);
  const lead = await Lead.get(leadId);
  if (lead === null) return;
  const { email, emailDomain } = lead;
  await Lead.updateOne({ _id: leadId, verificationStatus: "INVALID", "verification.reason": "ACCEPTED" }, { $set: reason("BOUNCED") });
  const known = await VerifiedDomain.findOneAndUpdate(
    { _id: emailDomain },
    { $addToSet: { bounced: addressHashOf(email) }, $max: { expiresAt: new Date(Date.now() + KEPT_MS + 60 * DAY_MS) } },
    { upsert: true, returnDocument: "after", setDefaultsOnInsert: true },
  ).lean<VerifiedDomain>();
  if (known === null || known.bounced.length <= MOST_BOUNCES) return;
  const now = new Date();
  await VerifiedDomain.updateOne({ _id: emailDomain }, { $set: { bounced: [], distrustedAt: now, isCatchAll: null, catchAllAt: null } });
  await Lead.updateMany(
    { emailDomain, verificationStatus: "VALID" },
    { $set: { verificationStatus: "UNKNOWN", verifiedAt: now, ...reason("BOUNCES_OF_DOMAIN") } },
  );
}

function reason(reason: VerificationEvidence["reason"]) {
  return { "verification.reason": reason };
}

import { z } from "zod";
import { AppError, invalid } from "../../domain/errors.ts";
import { contentOf } from "../../domain/leads/import.ts";
import {
  applyLeadPatch,
  differences,
  initialLeadStateOf,
  type LeadContent,
  MAX_CUSTOM_KEYS,
} from "../../domain/leads/lead.ts";
import { LEAD_STATUSES, type LeadStatus } from "../../domain/states.ts";
import type { Lead as LeadDocument } from "../../models/leads/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { changedFieldNames } from "../../store/leads/bulk-change.ts";
import { checkLeadChange } from "../../store/leads/declared-fields.ts";
import { moveRecipients, resumeCompleted } from "../../store/leads/recipients-of-lead.ts";
import { renameRecipients } from "../../store/leads/search-words.ts";
import { emit } from "../../store/outbox.ts";
import { moveHolds } from "../../store/suppression/open-questions.ts";
import { blockAddress, lockGuardReasons, suppressAddress } from "../../store/suppression/suppress.ts";
import { address } from "../address.ts";
import { describedIds } from "../described-ids.ts";
import { changing, namesAny } from "../fields.ts";
import { operation } from "../operation.ts";
import { enrols, isWaitedFor } from "../sending/causes.ts";
import { changeOf, leadOf } from "./content.ts";
import { forgetTotals } from "./count-cache.ts";
import { Lead, loadLead } from "./record.ts";

const { leadId } = describedIds;

const own = {
  email: address.optional().describe("A new address"),
  status: z.enum(LEAD_STATUSES).optional().describe("Its status"),
};

/** Returns true when the patch changes a field. Fields that only the service sets do not count. */
function namesFields(patch: Record<string, unknown>): boolean {
  return namesAny({ email: patch["email"], status: patch["status"], ...changeOf(patch, own) });
}

export const update = operation({
  summary:
    "Change a lead's fields named in the patch. null erases, tags replace, custom fields merge by key, any status is allowed",
  scope: "leads:write",
  errors: ["LEAD_ALREADY_EXISTS", "LEAD_NOT_FOUND"],
  effects: { SENDS: enrols, CHANGES_SENDING: (ctx, { leadId }) => isWaitedFor(ctx, [leadId]) },
  input: z.strictObject({
    leadId,
    patch: changing(leadOf(own), namesFields).describe(
      "The fields to change; null empties one, fields that you leave out stay the same",
    ),
  }),
  output: Lead,
  async run({ workspaceId, credentialId: actor }, { leadId, patch }) {
    const change = await checkLeadChange(workspaceId, changeOf(patch, own), "patch.customFields");
    const to = patch.email && { email: patch.email.address, emailDomain: patch.email.domain };
    const changed = await inTransaction(async () => {
      const lead = await loadLead(workspaceId, leadId);
      const before = contentOf(lead);
      const isMoving = to !== undefined && to.email !== lead.email;
      const after = applyLeadPatch(before, { ...change, ...(isMoving && { address: to }) });
      refuseTooMany(before, after);
      const changes = differences(before, after);
      const status = patch.status ?? lead.status;
      if (changes === null && status === lead.status) return lead;
      if (isMoving) await refuseTaken(lead, to.email);
      const standing = isMoving ? await standingAt(lead, to.email, patch.status) : { status };
      await scoped(workspaceId).Lead.updateOne({ _id: leadId }, { $set: { ...changes, ...standing } });
      if (isMoving) await follow(lead, to, actor);
      if (changes !== null)
        await emit(workspaceId, { type: "LEAD_UPDATED", leadId, actor, data: { fields: changedFieldNames(changes) } });
      const now = await loadLead(workspaceId, leadId);
      if (now.status !== lead.status) {
        await emit(workspaceId, { type: "STATUS_CHANGED", leadId, actor, data: { from: lead.status, to: now.status } });
      }
      if (changes !== null) {
        await renameRecipients(workspaceId, [now]);
        await resumeCompleted(workspaceId, [now]);
      }
      return now;
    });
    forgetTotals(workspaceId);
    return changed;
  },
});

/** Refuses too many custom fields; a lead that exceeds the limit already may keep its number. */
function refuseTooMany(before: LeadContent, after: LeadContent): void {
  const count = Object.keys(after.customFields).length;
  if (count <= Math.max(MAX_CUSTOM_KEYS, Object.keys(before.customFields).length)) return;
  throw invalid("patch.customFields", `a lead has at most ${MAX_CUSTOM_KEYS} custom fields`, "TOO_BIG");
}

async function refuseTaken({ workspaceId }: LeadDocument, email: string): Promise<void> {
  const other = await scoped(workspaceId).Lead.findOne({ email }, { select: { _id: 1 } });
  if (other !== null)
    throw new AppError("LEAD_ALREADY_EXISTS", "A lead with this address exists", { leadId: other._id });
}

/**
 * The state of a lead after its address changed: unverified, at an unknown provider, and suppressed if the new address
 * is. A bounce of the old address no longer counts.
 */
async function standingAt(lead: LeadDocument, email: string, asked: LeadStatus | undefined) {
  const { status, ...standing } = initialLeadStateOf(await lockGuardReasons(lead.workspaceId, email), new Date());
  const before = lead.status === "BOUNCED" ? (lead.lastContactedAt === null ? "ACTIVE" : "CONTACTED") : lead.status;
  const isEnded = status === "UNSUBSCRIBED" || status === "BOUNCED";
  return {
    ...standing,
    verifiedAt: null,
    verification: null,
    emailProvider: "UNKNOWN" as const,
    status: asked ?? (isEnded ? status : before),
  };
}

/**
 * Moves the lead's recipients and suppressions to the new address. Only the suppression of a bounce stays with the old
 * address.
 */
async function follow(lead: LeadDocument, to: { email: string; emailDomain: string }, actor: string): Promise<void> {
  await moveRecipients(lead, to);
  await moveHolds(lead.workspaceId, lead.email, to.email);
  const { workspaceId, suppressed, suppressionReason } = lead;
  if (suppressed && suppressionReason !== null && suppressionReason !== "HARD_BOUNCE") {
    await suppressAddress(workspaceId, to.email, suppressionReason, { actor });
  } else await endIfGuarded(workspaceId, to.email, actor);
}

async function endIfGuarded(workspaceId: string, email: string, actor: string): Promise<void> {
  for (const reason of await lockGuardReasons(workspaceId, email)) {
    if (reason === "BLOCK_LISTED") await blockAddress(workspaceId, email);
    else await suppressAddress(workspaceId, email, reason, { actor });
  }
}

import type { SourceOfAll } from "../../domain/lead-source.ts";
import { type ImportCounts, type Plan, planPage, type RowOutcome } from "../../domain/leads/import.ts";
import type { LeadRow, RowError } from "../../domain/leads/import-row.ts";
import type { GuardReason } from "../../models/address-guard.ts";
import type { Lead } from "../../models/leads/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { afterCommit, inTransaction } from "../../mongo/transaction.ts";
import { askVerification } from "../ask-verification.ts";
import { findBlocked } from "../suppression/block-list.ts";
import { loadGuardReasons, markLate } from "../suppression/suppress.ts";
import { leadDigest } from "./lead-digest.ts";
import { addLeadsToList, changeMemberCount } from "./list-members.ts";
import { newLead } from "./new-lead.ts";
import { resumeCompleted } from "./recipients-of-lead.ts";
import { renameRecipients } from "./search-words.ts";

export interface ImportPage {
  workspaceId: string;
  /** The rows of the page: each address once, at most 1,000. */
  rows: readonly LeadRow[];
  /** The STATIC list to which the leads are added; null for none. */
  listId: string | null;
  /** The identity of an import. */
  importId: string;
  /** Whether the import can be undone later, so that each lead that it creates names it. */
  isTraced?: boolean;
  /** The source of the leads that the import creates. */
  createdFrom: SourceOfAll;
  /**
   * Whether the addresses were revealed. Revealed addresses are verified even if the workspace does not verify imported
   * ones.
   */
  isRevealed?: boolean;
}

/** The actor and source of the import, as the leads' history records them. */
export interface Origin {
  source: string;
  fileName: string | null;
  actor: string;
}

export interface PageResult {
  counts: ImportCounts;
  errors: RowError[];
  outcomes: RowOutcome[];
}

/** The maximum number of imports that a lead stores; older ones are dropped. */
const MOST_IMPORTS = 20;

/** The result that `commitPage` would have, without writing anything. */
export async function dryRunPage(page: ImportPage): Promise<PageResult> {
  return (await loadPlan(page)).plan;
}

/**
 * Writes leads, their history and their memberships in one transaction. Repeating it changes nothing. @throws
 * LIST_NOT_FOUND
 */
export function commitPage(page: ImportPage, origin: Origin): Promise<PageResult> {
  return inTransaction(async () => {
    const { plan, guards } = await loadPlan(page);
    const now = new Date();
    const listIds = page.listId === null ? [] : [page.listId];
    const created = plan.created.map(({ content }) => ({
      ...newLead(content, guards.get(content.email) ?? [], { ...page.createdFrom, source: origin.source, at: now }),
      listIds,
      imports: [
        {
          ...origin,
          at: now,
          created: true,
          ...(page.isTraced === true && { importId: page.importId, digest: leadDigest(content) }),
        },
      ],
    }));
    const imports = ({ imports = [] }: Lead) =>
      [...imports, { ...origin, at: now, created: false }].slice(-MOST_IMPORTS);
    const changes = plan.updated.map(({ lead, changes }) => ({
      update: lead._id,
      set: { ...changes, imports: imports(lead) },
    }));
    await scoped(page.workspaceId).Lead.bulk([...created.map((lead) => ({ insert: lead })), ...changes]);
    afterCommit(() =>
      markLate(
        page.workspaceId,
        created.filter(({ suppressed }) => !suppressed).map(({ email }) => email),
      ),
    );
    const updated = plan.updated.map(({ lead, changes }) => ({ ...lead, ...changes }));
    const unverified = [...created, ...updated].filter(({ verificationStatus, suppressed }) =>
      isOpen(verificationStatus, suppressed),
    );
    await askVerification(
      page.workspaceId,
      unverified.map(({ _id }) => _id),
      page.isRevealed === true ? "REVEAL" : "IMPORT",
      page.importId,
    );
    await renameRecipients(page.workspaceId, updated);
    await resumeCompleted(page.workspaceId, updated);
    if (page.listId !== null) {
      await addLeadsToList(page.workspaceId, page.listId, plan.joining);
      await changeMemberCount(page.workspaceId, page.listId, created.length);
    }
    return plan;
  });
}

/** Whether an address should be verified: it is unverified and not suppressed. */
function isOpen(verificationStatus: string, suppressed: boolean): boolean {
  return verificationStatus === "UNVERIFIED" && !suppressed;
}

async function loadPlan({ workspaceId, rows, listId }: Pick<ImportPage, "workspaceId" | "rows" | "listId">): Promise<{
  plan: Plan<Lead>;
  guards: Map<string, GuardReason[]>;
}> {
  const { Lead } = scoped(workspaceId);
  const emails = rows.map(({ email }) => email);
  const found = await Lead.find({ email: trusted({ $in: emails }) });
  const leads = new Map(found.map((lead) => [lead.email, lead]));
  const guards = await loadGuardReasons(workspaceId, emails);
  const suppressed = new Set([
    ...found.filter((lead) => lead.suppressed).map(({ email }) => email),
    ...guardedBy(guards),
  ]);
  const blocked = await findBlocked(workspaceId, emails);
  const members =
    listId === null ? null : new Set(found.filter(({ listIds }) => listIds.includes(listId)).map(({ _id }) => _id));
  return { plan: planPage(rows, { leads, suppressed, blocked, members }), guards };
}

function guardedBy(guards: Map<string, GuardReason[]>): string[] {
  return [...guards]
    .filter(([, reasons]) => reasons.some((reason) => reason !== "BLOCK_LISTED"))
    .map(([email]) => email);
}

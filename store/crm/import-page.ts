import { type CrmContact, cellsOf, contactHash } from "../../domain/crm/contact.ts";
import { crmNameOf } from "../../domain/crm/provider.ts";
import { AppError } from "../../domain/errors.ts";
import type { LeadActor } from "../../domain/lead-source.ts";
import type { Columns } from "../../domain/leads/import-row.ts";
import { readAddress } from "../../domain/values/address.ts";
import { Workspace } from "../../models/access/workspace.ts";
import type { CrmMember } from "../../models/crm/crm-member.ts";
import type { JobItem } from "../../models/job.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { countUse } from "../daily-caps.ts";
import { advancePage, type JobAtWork } from "../jobs.ts";
import { type Order, RowReader, type Sums, workPage } from "../leads/import-work.ts";
import { removeLeadsFromList } from "../leads/list-members.ts";
import { suppressAddress } from "../suppression/suppress.ts";

/** The parameters that the job of an import stores. */
export interface CrmImportParameters {
  importId: string;
  connectionId: string;
  segmentId: string;
  listId: string | null;
  mapping: [field: string, target: string][];
  round: number;
  /** Whether contacts are imported even if they have not changed since they were last read. */
  isFull: boolean;
  /** Whether contacts that left the segment are removed from the list. */
  isKept: boolean;
  source: string;
  actor: string;
  /** The actor as the audit log names it. Absent in jobs of earlier versions. */
  by?: LeadActor | null;
}

/** How far an import is. */
export interface CrmImportState {
  phase: "READING" | "LEAVING";
  /** The vendor's cursor for the next page; null for the first page. */
  cursor: string | null;
  /** Contacts read so far. */
  rows: number;
  sums: Sums;
  /** Members that left the list. */
  left: number;
  /**
   * How often the job started again because the vendor's cursor expired, and how many consecutive requests the vendor
   * did not answer.
   */
  restarts: number;
  away: number;
}

export interface CrmPageOrder {
  columns: Columns;
  emailField: string;
  parameters: CrmImportParameters;
}

/**
 * Stores one page in one transaction: leads, memberships, the data about each contact, and the job's progress. A
 * repeated page changes and counts nothing twice, also after the import has started again (rules/crm 3.3).
 * @throws AppError CONNECTION_NOT_FOUND when the connection or the workspace was removed meanwhile; LIMIT_EXCEEDED beyond
 * the leads that the workspace may import on a day; JobMoved
 */
export async function storeCrmPage(
  job: JobAtWork,
  { columns, emailField, parameters }: CrmPageOrder,
  state: CrmImportState,
  { contacts, next }: { contacts: readonly CrmContact[]; next: string | null },
): Promise<void> {
  const { workspaceId } = job;
  const { importId, connectionId, round, isFull, isKept, listId, source, actor, by = null, mapping } = parameters;
  const order: Order = {
    action: "commit",
    importId: job._id,
    workspaceId,
    listId,
    origin: { source, fileName: null, actor },
    createdFrom: { kind: "CRM", actor: by, name: crmNameOf(source), id: connectionId },
  };
  await inTransaction(async () => {
    await assertStill(workspaceId, importId);
    const { CrmMember } = scoped(workspaceId);
    const memberIdOf = ({ recordId }: CrmContact) => `${importId}:${recordId}`;
    const read = contacts.map((contact) => {
      const { cells, left } = cellsOf(contact, [...columns.mapping.keys()], emailField);
      return { contact, cells, left, email: readAddress(contact.email ?? "")?.address ?? null };
    });
    const emails = read.flatMap(({ email }) => (email === null ? [] : [email]));
    const storedMembers = await CrmMember.read({ _id: { $in: contacts.map(memberIdOf) } });
    const namesakes = await CrmMember.read({ importId, email: { $in: emails }, round });
    const members = new Map(storedMembers.map((member) => [member._id, member]));
    // When two contacts share an address, only the one that was read first in this round is imported
    const owners = new Map(namesakes.map(({ email, _id }) => [email, _id]));
    const [rows, items, seen]: [{ cells: Record<string, unknown>; row: number }[], JobItem[], Seen[]] = [[], [], []];
    let [count, unchanged] = [0, 0];
    const optOuts: string[] = [];
    const warnings = [];
    for (const { contact, cells, left, email } of read) {
      const _id = memberIdOf(contact);
      const member = members.get(_id);
      if (member?.round === round || seen.some((one) => one._id === _id)) continue;
      const row = state.rows + ++count;
      const hash = contactHash(cells, mapping, contact.isOptedOut);
      const { recordId, isOptedOut } = contact;
      seen.push({ _id, importId, connectionId, recordId, email, hash, round, isOptedOut });
      const owner = email === null ? _id : (owners.get(email) ?? _id);
      if (owner !== _id) {
        items.push({
          row,
          email,
          status: "SKIPPED_DUPLICATE",
          code: "DUPLICATE_CONTACT",
          message: "another contact has this address",
          mailboxId: null,
        });
        continue;
      }
      if (email !== null) owners.set(email, _id);
      if (email !== null && isOptedOut && member?.isOptedOut !== true) optOuts.push(email);
      if (!isFull && member !== undefined && member.hash === hash && member.email === email) {
        unchanged++;
        continue;
      }
      rows.push({ cells, row });
      for (const column of left) warnings.push({ row, column, code: "TOO_BIG" as const, value: "", suggestion: null });
    }
    const reader = new RowReader(columns);
    const pages = rows.map(({ cells, row }) => reader.read([cells], row));
    const page = {
      rows: pages.flatMap((one) => one.rows),
      wrong: pages.flatMap((one) => one.wrong),
      duplicates: pages.flatMap((one) => one.duplicates),
      warnings: [...pages.flatMap((one) => one.warnings), ...warnings],
    };
    const { sums, outcomes } = await workPage(order, page, state.sums);
    await countUse(workspaceId, "IMPORTED_ROWS", sums.counts.created - state.sums.counts.created, "segmentId");
    sums.counts.skipped += unchanged + items.length;
    for (const email of optOuts) await suppressAddress(workspaceId, email, "UNSUBSCRIBED", { actor });
    const renamed = seen.flatMap(({ _id, email }) => {
      const before = members.get(_id)?.email ?? null;
      return before !== null && before !== email ? [before] : [];
    });
    await CrmMember.bulk(
      seen.map((member) => (members.has(member._id) ? { update: member._id, set: member } : { insert: member })),
    );
    if (isKept) await takeOffList(workspaceId, parameters, renamed);
    items.push(...outcomes.map((outcome) => ({ ...outcome, mailboxId: null })));
    const failed = outcomes.filter(({ status }) => status === "FAILED").length;
    const isRead = next === null;
    const after: CrmImportState = {
      ...state,
      phase: isRead && isKept ? "LEAVING" : "READING",
      cursor: next,
      rows: state.rows + count,
      sums,
      away: 0,
    };
    const isLast = isRead && !isKept;
    if (isLast) await noteSynced(workspaceId, parameters);
    await advancePage(job, {
      count,
      isLast,
      succeeded: count - failed,
      failed,
      items: items.toSorted((a, b) => a.row - b.row),
      state: { ...after },
    });
  });
}

type Seen = Omit<CrmMember, "workspaceId" | "createdAt" | "updatedAt">;

/** Each page writes the import, so that a page and a concurrent disconnect conflict */
export async function assertStill(workspaceId: string, importId: string): Promise<void> {
  const isThere = (await scoped(workspaceId).CrmImport.updateOne({ _id: importId }, { $inc: { pages: 1 } })) > 0;
  const workspace = isThere ? await Workspace.findOne({ _id: workspaceId, deletedAt: null }, { _id: 1 }).lean() : null;
  if (workspace === null) throw new AppError("CONNECTION_NOT_FOUND", "The connection was removed during the import");
}

/**
 * Removes addresses from the list of an import, except those that another contact of the present round has. Returns how
 * many were removed. Their leads are kept. Call it in the transaction of the page.
 */
export async function takeOffList(
  workspaceId: string,
  { importId, listId, round }: CrmImportParameters,
  emails: readonly string[],
): Promise<number> {
  if (listId === null || emails.length === 0) return 0;
  const { CrmMember, Lead } = scoped(workspaceId);
  const staying = await CrmMember.read({ importId, email: { $in: [...emails] }, round }, { select: { email: 1 } });
  const stay = new Set(staying.map(({ email }) => email));
  const leaving = emails.filter((email) => !stay.has(email));
  const leads = await Lead.read({ email: { $in: leaving } }, { select: { _id: 1 } });
  const ids = leads.map(({ _id }) => _id);
  return (await removeLeadsFromList(workspaceId, listId, ids)).changed;
}

/** Records that a round has read the whole segment. */
export async function noteSynced(workspaceId: string, { importId, connectionId }: CrmImportParameters): Promise<void> {
  const { CrmConnection, CrmImport } = scoped(workspaceId);
  const now = new Date();
  await CrmImport.updateOne({ _id: importId }, { $set: { syncedAt: now } });
  await CrmConnection.updateOne({ _id: connectionId }, { $set: { lastSyncAt: now } });
}

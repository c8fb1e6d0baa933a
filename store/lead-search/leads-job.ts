import type { LeadActor } from "../../domain/lead-source.ts";
import { type Row, readMapping } from "../../domain/leads/columns.ts";
import type { KnownProspect } from "../../models/lead-search/known-prospect.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import type { JobAtWork, JobKind } from "../jobs.ts";
import { noSums, type Order, RowReader, type Sums, summaryOf, workPage } from "../leads/import-work.ts";
import { assertWorkspaceStands } from "../workspace-stands.ts";

/** The parameters that the job for creating leads from a prospect list stores, besides the ids of the people. */
export interface ProspectLeadsParameters {
  fromListId: string;
  leadListId: string;
  actor: string;
  /** The actor as the audit log names it, and the name of the prospect list. Absent in jobs of earlier versions. */
  by?: LeadActor;
  fromListName?: string;
  /** How many people of the list had no revealed email address when the job was created. */
  withoutEmail: number;
}

/** The `source` of leads that are created from prospects. */
const SOURCE = "LEAD_SEARCH";
const FIELDS = [
  "email",
  "phone",
  "firstName",
  "lastName",
  "fullName",
  "company",
  "website",
  "jobTitle",
  "city",
  "state",
  "country",
] as const;
const MAPPING = readMapping(Object.fromEntries(FIELDS.map((field) => [field, field])), true);

/**
 * Creates leads from people whose email address was revealed, with the rules of an import: an existing lead is updated,
 * and a blocked address is skipped.
 */
export const prospectLeads: JobKind = {
  async open(job) {
    const { workspaceId } = job;
    const { leadListId, actor, fromListId, by = null, fromListName: name = null } = leadsParametersOf(job);
    const order: Order = {
      action: "commit",
      importId: job._id,
      isRevealed: true,
      workspaceId,
      listId: leadListId,
      origin: { source: SOURCE, fileName: null, actor },
      createdFrom: { kind: "PROSPECT", actor: by, name, id: fromListId },
    };
    return async ({ rows, firstRow, state }, record) => {
      await assertWorkspaceStands(workspaceId);
      const wanted = rows.filter((row) => typeof row === "string");
      const before = sumsOf(state);
      await inTransaction(async () => {
        const people = await scoped(workspaceId).KnownProspect.read({
          prospectId: { $in: wanted },
          emailStatus: "revealed",
        });
        const reader = new RowReader({ mapping: MAPPING, declared: new Map(), dayOrders: new Map(), isOfSheet: false });
        const { sums, outcomes } = await workPage(order, reader.read(people.map(leadRowOf), firstRow), before);
        await markWithoutPhone(workspaceId, people);
        const failed = outcomes.filter(({ status }) => status === "FAILED").length;
        const items = outcomes.map((outcome) => ({ ...outcome, mailboxId: null }));
        await record({ succeeded: wanted.length - failed, failed, items, state: { ...sums } });
      });
    };
  },
  resultOf(job) {
    const { fromListId, leadListId, withoutEmail } = leadsParametersOf(job);
    return { fromListId, leadListId, withoutEmail, ...summaryOf(sumsOf(job.state)) };
  },
};

function leadRowOf({ email, phone, person }: KnownProspect): Row {
  const {
    firstName,
    lastName,
    fullName,
    companyName: company,
    companyDomain: website,
    title: jobTitle,
    city,
    state,
    country,
  } = person;
  return { email, phone, firstName, lastName, fullName, company, website, jobTitle, city, state, country };
}

/** Records in the leads that the provider found no phone number for them. */
async function markWithoutPhone(workspaceId: string, people: readonly KnownProspect[]): Promise<void> {
  const emails = people.flatMap(({ email, phoneStatus }) =>
    email !== null && phoneStatus === "not_found" ? [email.toLowerCase()] : [],
  );
  if (emails.length === 0) return;
  const without = { email: trusted({ $in: emails }), phone: null, phoneStatus: "not_revealed" };
  await scoped(workspaceId).Lead.updateMany(without, { $set: { phoneStatus: "not_found" } });
}

function leadsParametersOf({ parameters }: JobAtWork): ProspectLeadsParameters {
  return parameters as unknown as ProspectLeadsParameters; // Written only by the operation that creates leads
}

function sumsOf(state: Record<string, unknown>): Sums {
  return "counts" in state ? { ...noSums(), ...(state as unknown as Sums) } : noSums(); // Written only by earlier chunks of this job
}

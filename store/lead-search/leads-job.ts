import { type Row, readMapping } from "../../domain/leads/columns.ts";
import type { KnownProspect } from "../../models/lead-search/known-prospect.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import type { JobAtWork, JobKind } from "../jobs.ts";
import { noSums, type Order, RowReader, type Sums, summaryOf, workPage } from "../leads/import-work.ts";
import { assertWorkspaceStands } from "../workspace-stands.ts";

/** What the job that makes leads of a prospect list stores besides the ids of its people. */
export interface ProspectLeadsParameters {
  fromListId: string;
  leadListId: string;
  actor: string;
  /** People of the list without a revealed e-mail address when it was made. */
  withoutEmail: number;
}

/** The source that such a lead names. */
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
 * Makes leads of people whose e-mail address was revealed, by the rules of an import: a known lead is changed, and a
 * blocked one stays out.
 */
export const prospectLeads: JobKind = {
  async open(job) {
    const { workspaceId } = job;
    const { leadListId, actor } = leadsParametersOf(job);
    const order: Order = {
      action: "commit",
      importId: job._id,
      isRevealed: true,
      workspaceId,
      listId: leadListId,
      origin: { source: SOURCE, fileName: null, actor },
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

/** The lead records when the provider has no phone number. */
async function markWithoutPhone(workspaceId: string, people: readonly KnownProspect[]): Promise<void> {
  const emails = people.flatMap(({ email, phoneStatus }) =>
    email !== null && phoneStatus === "not_found" ? [email.toLowerCase()] : [],
  );
  if (emails.length === 0) return;
  const without = { email: trusted({ $in: emails }), phone: null, phoneStatus: "not_revealed" };
  await scoped(workspaceId).Lead.updateMany(without, { $set: { phoneStatus: "not_found" } });
}

function leadsParametersOf({ parameters }: JobAtWork): ProspectLeadsParameters {
  return parameters as unknown as ProspectLeadsParameters; // only the verb that makes leads writes them
}

function sumsOf(state: Record<string, unknown>): Sums {
  return "counts" in state ? { ...noSums(), ...(state as unknown as Sums) } : noSums(); // only earlier chunks of this job write it
}

import { applyLeadChange, blankLead } from "../../domain/leads/lead.ts";
import { LEAD_STATUSES, VERIFICATION_STATUSES } from "../../domain/states.ts";
import { Lead } from "../../models/leads/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";

export const LEADS = 1_000_000;
const LISTS = 200;
const PAGE = 5_000;
const NAMES = ["Ada", "Grace", "Alan", "Barbara", "Edsger", "Frances", "Donald", "Katherine"];
const CITIES = ["London", "Paris", "Berlin", "Madrid", "Oslo"];

/** Stores a million leads in 200 lists of one workspace, as the API operations would. Returns the ids of the lists. */
export async function storeMillion(workspaceId: string): Promise<string[]> {
  const { LeadList } = scoped(workspaceId);
  const lists = await LeadList.insertMany(
    Array.from({ length: LISTS }, (_, index) => ({ _id: newId("lst"), name: `List ${index}` })),
  );
  const listIds = lists.map(({ _id }) => _id);
  const pattern = await scoped(workspaceId).Lead.insert({
    _id: newId("led"),
    ...blankLead("pattern@people.test", "people.test"),
  });
  // Indexes are built afterwards, which takes a fraction of the time of inserting into them
  await Lead.collection.dropIndexes();
  for (let start = 0; start < LEADS; start += PAGE) {
    const page = Array.from({ length: PAGE }, (_, index) => ({
      insert: { ...pattern, _id: newId("led"), ...leadOf(start + index, listIds) },
    }));
    await scoped(workspaceId).Lead.bulk(page);
  }
  await Lead.createIndexes();
  return listIds;
}

function leadOf(index: number, listIds: string[]) {
  const domain = `company-${Math.floor(index / 10)}.test`;
  const content = applyLeadChange(blankLead(`person.${index}@${domain}`, domain), {
    firstName: of(NAMES, index),
    lastName: `Person${index % 50_000}`,
    company: `Company ${Math.floor(index / 10)}`,
    city: of(CITIES, index),
    tags: [`tag-${index % 40}`],
    customFields: { headcount: index % 1_000 },
  });
  return {
    ...content,
    listIds: [of(listIds, index)],
    status: of(LEAD_STATUSES, index),
    verificationStatus: of(VERIFICATION_STATUSES, index),
    suppressed: index % 50 === 0,
  };
}

function of<T>(all: readonly T[], index: number): T {
  const one = all[index % all.length];
  if (one === undefined) throw new Error("There is nothing to choose from");
  return one;
}

import type { ListType } from "../../../../domain/states.ts";
import { counted } from "../../format.ts";

export const LIST_TYPE: Record<ListType, string> = { STATIC: "static", DYNAMIC: "dynamic" };

const leads = (count: number) => counted(count, "lead", "leads");

/** The texts of the pages of lead lists. */
export const listWords = {
  title: "Lists",
  lead: "Lists group leads. A campaign can add all leads of a list as recipients.",
  empty: "No lists yet. A list holds leads that you choose, or all leads that match a filter.",
  add: "New list",
  newTitle: "New list",
  name: "Name",
  description: "Description",
  type: "Type",
  types: {
    STATIC: "Static: you add and remove leads",
    DYNAMIC: "Dynamic: all leads that match a filter, always up to date",
  } satisfies Record<ListType, string>,
  typeHint: "You cannot change the type later.",
  members: "Leads",
  notCounted: "not counted yet",
  countedAt: "counted",
  edit: "Edit",
  verify: "Verify…",
  save: "Save",
  create: "Create list",
  seeLeads: "Show leads",
  staticHint: "You add leads to this list on the Leads page, in an import, or through the API.",
  notFound: "This list does not exist any more.",
  toLists: "Back to Lists",
  planTitle: (name: string) => `Change the filter of “${name}”?`,
  planIntro: (before: number, after: number | null) =>
    after === null
      ? `The list has ${leads(before)} now.`
      : `The list has ${leads(before)} now. ${leads(after)} match the new filter.`,
  planSends:
    "At least one campaign adds new members of its lists automatically. If it uses this list, leads that join the list get its emails. Leads that leave the list stay in the campaign.",
  planAct: "Change filter",
  remove: "Delete…",
  removeTitle: (name: string) => `Delete the list “${name}”?`,
  removeEffect: (count: number) =>
    `${leads(count)} ${count === 1 ? "stays" : "stay"}, and so do recipients that campaigns added from this list.`,
  removeCampaigns: "Campaigns that use the list do not add new members of it any more. This cannot be undone.",
  removeAct: "Delete list",
  saidCreated: (name: string) => `“${name}” is created.`,
  saidSaved: (name: string) => `“${name}” is saved.`,
  saidRemoved: (name: string) => `“${name}” is deleted. Its leads stay.`,
} as const;

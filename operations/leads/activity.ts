import { z } from "zod";
import type { Lead } from "../../models/leads/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, record, time, wholeNumber } from "../fields.ts";
import { operation } from "../operation.ts";
import { Note } from "./notes.ts";
import { loadLead } from "./record.ts";

const { leadId } = describedIds;

/** The last page that can be read. */
export const LAST_PAGE = 50;
const id = nullable(z.string());
const Event = record({
  type: z.string().describe("The type of the event"),
  at: time.describe("When it happened"),
  campaignId: id.describe("The campaign of the event"),
  recipientId: id.describe("The recipient that the event is about"),
  actor: id.describe("The credential that caused the event; null: the service itself"),
  data: z.record(z.string(), z.unknown()).describe("Further details of the event"),
}).meta({ id: "ActivityEvent", description: "Something that happened to a lead" });

export const activity = operation({
  summary: "List the events of a lead, or its notes, newest first",
  scope: "leads:read",
  errors: ["LEAD_NOT_FOUND"],
  input: z.strictObject({
    leadId,
    view: z.enum(["activity", "notes"]).default("activity").describe("What to list: events or notes. Default activity"),
    limit: wholeNumber(1, 200).default(50).describe("Items on a page, 1 to 200. Default 50"),
    page: wholeNumber(1, LAST_PAGE)
      .default(1)
      .describe("The page of `limit` items, 1 to 50; 1 is the newest. Default 1"),
  }),
  output: z.discriminatedUnion("view", [
    z.object({
      view: z.literal("activity").describe("What to list: events or notes. Default activity"),
      items: z.array(Event).describe("The items, newest first"),
    }),
    z.object({
      view: z.literal("notes").describe("What to list: events or notes. Default activity"),
      items: z.array(Note).describe("The items, newest first"),
    }),
  ]),
  async run({ workspaceId }, { leadId, view, limit, page }) {
    const lead = await loadLead(workspaceId, leadId);
    const { ActivityEvent, Note } = scoped(workspaceId);
    const skip = (page - 1) * limit;
    const sort = { _id: -1 } as const;
    if (view === "notes") return { view, items: await Note.find({ leadId }, { sort, skip, limit }) };
    // The lead's imports may belong before this page, so all earlier events are read too
    const events = await ActivityEvent.find({ leadId }, { sort, limit: skip + limit });
    const all = [...events, ...importsOf(lead)].toSorted(
      (one, other) => other.createdAt.getTime() - one.createdAt.getTime(),
    );
    return { view, items: all.slice(skip, skip + limit) };
  },
});

/** The lead's imports as events of its history. */
function importsOf({ _id, workspaceId, imports = [] }: Lead) {
  return imports.map(({ at, actor, source, fileName, created }) => {
    const times = { at, createdAt: at, updatedAt: at };
    return {
      _id: `evt_${_id.slice(4, 22)}${at.getTime().toString(36)}`,
      workspaceId,
      type: "IMPORTED",
      campaignId: null,
      recipientId: null,
      actor,
      data: { source, fileName, created },
      ...times,
    };
  });
}

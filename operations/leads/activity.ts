import { z } from "zod";
import { scoped } from "../../models/scoped.ts";
import { nullable, record, time } from "../fields.ts";
import { operation } from "../operation.ts";
import { leadWithId } from "./find.ts";
import { Note } from "./notes.ts";

const id = nullable(z.string());
const Event = record({
  type: z.string(),
  at: time,
  campaignId: id,
  recipientId: id,
  actor: id,
  data: z.record(z.string(), z.unknown()),
});

export const activity = operation({
  summary: "What happened to a lead, or the notes about it, newest first",
  scope: "leads:read",
  input: z.strictObject({
    leadId: z.string().max(64),
    view: z.enum(["activity", "notes"]).default("activity"),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  output: z.discriminatedUnion("view", [
    z.object({ view: z.literal("activity"), items: z.array(Event) }),
    z.object({ view: z.literal("notes"), items: z.array(Note) }),
  ]),
  async run({ workspaceId }, { leadId, view, limit }) {
    await leadWithId(workspaceId, leadId);
    const { ActivityEvent, Note } = scoped(workspaceId);
    const newest = { sort: { _id: -1 }, limit } as const;
    if (view === "notes") return { view, items: await Note.find({ leadId }, newest) };
    return { view, items: await ActivityEvent.find({ leadId }, newest) };
  },
});

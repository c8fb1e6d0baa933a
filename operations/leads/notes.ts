import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { emit } from "../../store/outbox.ts";
import { isMember } from "../access/workspaces.ts";
import { describedIds } from "../described-ids.ts";
import { time } from "../fields.ts";
import { operation } from "../operation.ts";
import { loadLead } from "./record.ts";

const { leadId, noteId } = describedIds;

const LONGEST = 10_000;

/** The note in a response (rules/states 1.1); its id is called `noteId`. */
export const Note = z.preprocess(
  (document) =>
    typeof document === "object" && document !== null && "_id" in document
      ? { noteId: document._id, ...document }
      : document,
  z.object({
    noteId,
    workspaceId: z.string().describe("The workspace of the note"),
    leadId: leadId.describe("The lead that the note is about"),
    authorUserId: z.string().describe("The member who wrote the note"),
    body: z.string().describe("The text of the note"),
    createdAt: time.describe("When the note was written"),
    updatedAt: time.describe("When the note was last changed"),
  }),
);

export const create = operation({
  summary: "Write a note about a lead",
  scope: "leads:write",
  errors: ["LEAD_NOT_FOUND", "MEMBER_NOT_FOUND"],
  input: z.strictObject({
    leadId,
    body: z.string().min(1).max(LONGEST).describe("The text, 1 to 10,000 characters"),
    authorUserId: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe("The author, a member of the workspace. Default: the person who created the API key"),
  }),
  output: Note,
  async run({ workspaceId, userId, credentialId }, { leadId, body, authorUserId: named }) {
    return inTransaction(async () => {
      await loadLead(workspaceId, leadId);
      if (named !== undefined && !(await isMember(workspaceId, named))) {
        throw new AppError("MEMBER_NOT_FOUND", "No member of this workspace has this id");
      }
      // Writes to the lead, so that creating a note conflicts with a concurrent deletion of the lead
      await scoped(workspaceId).Lead.touch(leadId);
      const note = await scoped(workspaceId).Note.insert({
        _id: newId("note"),
        leadId,
        authorUserId: named ?? userId,
        body,
      });
      await emit(workspaceId, { type: "NOTE_ADDED", leadId, actor: credentialId, data: { noteId: note._id } });
      return note;
    });
  },
});

export const remove = operation({
  summary: "Delete a note",
  scope: "leads:write",
  errors: ["NOTE_NOT_FOUND"],
  effects: { DESTROYS: true },
  input: z.strictObject({ noteId, leadId: leadId.optional() }),
  output: z.object({ noteId, deleted: z.literal(true).describe("Always true") }),
  async run({ workspaceId }, { noteId, leadId }) {
    const deleted = await scoped(workspaceId).Note.deleteOne({ _id: noteId, ...(leadId !== undefined && { leadId }) });
    if (deleted === 0) throw new AppError("NOTE_NOT_FOUND", "No note has this id");
    return { noteId, deleted: true as const };
  },
});

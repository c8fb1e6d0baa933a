import { z } from "zod";
import { cleanHeader } from "../../domain/mail/message.ts";
import { DRAFT_SOURCES } from "../../models/inbox/saved-draft.ts";
import { scoped } from "../../models/scoped.ts";
import { newestAnswerable } from "../../store/inbox/reply-letter.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, time } from "../fields.ts";
import { operation } from "../operation.ts";
import { loadThread } from "./find.ts";

const { threadId } = describedIds;

const Draft = z
  .object({
    id: z.string().describe("The id of the draft, equal to the id of the thread"),
    threadId,
    subject: nullable(z.string()).describe("The subject; null: the subject of the thread"),
    text: z.string().describe("The plain text"),
    html: nullable(z.string()).describe("The HTML"),
    to: nullable(z.string()).describe("The recipient's address"),
    cc: z.array(z.string()).describe("The recipients of a copy"),
    source: z.enum(DRAFT_SOURCES).describe("USER: a person or an API key saved it; AGENT: the AI agent"),
    updatedAt: time.describe("When it was last saved"),
  })
  .meta({
    id: "SavedDraft",
    description: "An unfinished reply in a thread; it is never sent automatically",
  });

const LONGEST_SUBJECT = 255;
const output = z.object({ draft: nullable(Draft).describe("The draft of the thread; null if there is none") });
const errors = ["THREAD_NOT_FOUND"] as const;
const input = z.strictObject({ threadId });

export const get = operation({
  summary: "Read the draft of a thread; null if there is none",
  scope: "inbox:read",
  errors,
  input,
  output,
  async run({ workspaceId }, { threadId }) {
    await loadThread(workspaceId, threadId);
    return { draft: await viewOf(workspaceId, threadId) };
  },
});

export const save = operation({
  summary: "Save the draft of a thread, replacing any earlier draft. Nothing is sent",
  scope: "inbox:write",
  errors,
  input: z.strictObject({
    threadId,
    text: z.string().max(200_000).describe("The plain text, at most 200,000 characters; it may be empty"),
    html: z.string().max(500_000).optional().describe("The HTML, at most 500,000 characters"),
    subject: z.string().max(LONGEST_SUBJECT).optional().describe("The subject. Default: the subject of the thread"),
    cc: z
      .array(z.string().max(320))
      .max(50)
      .optional()
      .describe("Addresses that get a copy, at most 50; checked on sending"),
  }),
  output,
  async run({ workspaceId, credentialId }, { threadId, text, html, subject, cc }) {
    await loadThread(workspaceId, threadId);
    const written = {
      text,
      html: html ?? null,
      subject: subject === undefined ? null : cleanHeader(subject, LONGEST_SUBJECT),
      cc: cc ?? [],
    };
    const change = { $set: { ...written, source: "USER" as const, savedBy: credentialId } };
    await scoped(workspaceId).SavedDraft.updateOne({ _id: threadId }, change, { upsert: true });
    return { draft: await viewOf(workspaceId, threadId) };
  },
});

export const discard = operation({
  summary: "Discard the draft of a thread",
  scope: "inbox:write",
  errors,
  effects: { DESTROYS: true },
  input,
  output,
  async run({ workspaceId }, { threadId }) {
    await loadThread(workspaceId, threadId);
    await scoped(workspaceId).SavedDraft.deleteOne({ _id: threadId });
    return { draft: null };
  },
});

async function viewOf(workspaceId: string, threadId: string): Promise<z.input<typeof Draft> | null> {
  const draft = await scoped(workspaceId).SavedDraft.get(threadId);
  if (draft === null) return null;
  return { ...draft, id: threadId, threadId, to: (await newestAnswerable(workspaceId, threadId))?.from ?? null };
}

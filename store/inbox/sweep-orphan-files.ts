import type { Variant } from "../../domain/sequences/sequence.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { FileChunk } from "../../models/inbox/file-chunk.ts";
import { Message } from "../../models/inbox/message.ts";
import { OutgoingMail } from "../../models/inbox/outgoing-mail.ts";
import { ScheduledReply } from "../../models/inbox/scheduled-reply.ts";
import { StoredFile } from "../../models/inbox/stored-file.ts";
import { Sequence } from "../../models/sequences/sequence.ts";
import { Template } from "../../models/sequences/template.ts";
import { trusted } from "../../mongo/collection.ts";
import { IS_TEXT } from "../../mongo/schema.ts";
import { UPLOAD } from "../sending/uploads.ts";

/**
 * After how many milliseconds a file that no email refers to is an orphan. Storing an email after its files never takes
 * that long.
 */
const UNNAMED_MS = DAY_MS;
/** An upload is kept longer, until a step or reply refers to it (rules/mail 1.6). */
const UNUSED_MS = 7 * DAY_MS;
const ACROSS = { acrossWorkspaces: true };

/** The id after which this process continues. After the last file it starts from the beginning. */
let last = "";

/**
 * Deletes complete and partial files that no email refers to a day after they were stored, because their email was
 * never stored and never will be. Checks the next `limit` files of all workspaces and returns how many it checked.
 */
export async function sweepFiles(limit: number): Promise<number> {
  const ids = await idsAfter(last, limit);
  last = ids.at(-1) ?? "";
  const unnamed = await unnamedAmong(ids);
  if (unnamed.length === 0) return ids.length;
  const isUpload = (id: string) => id.startsWith(UPLOAD);
  await remove(unnamed.filter(isUpload), UNUSED_MS);
  await remove(
    unnamed.filter((id) => !isUpload(id)),
    UNNAMED_MS,
  );
  return ids.length;
}

/** Deletes files that were not updated for this long. A writer updates a file before it refers to it. */
async function remove(ids: readonly string[], unusedMs: number): Promise<void> {
  if (ids.length === 0) return;
  const old = { updatedAt: trusted({ $lt: new Date(Date.now() - unusedMs) }) };
  await StoredFile.deleteMany({ _id: trusted({ $in: [...ids] }), ...old }, ACROSS);
  const left = await StoredFile.find({ _id: trusted({ $in: [...ids] }) }, { _id: 1 }, ACROSS).lean<{ _id: string }[]>();
  const gone = ids.filter((id) => !left.some(({ _id }) => _id === id));
  await FileChunk.deleteMany({ files_id: trusted({ $in: gone }), ...old }, ACROSS);
}

/** The ids of complete files, and of files of which a killed process stored only the beginning. */
async function idsAfter(id: string, limit: number): Promise<string[]> {
  const after = trusted({ $gt: id });
  const files = await StoredFile.find({ _id: after }, { _id: 1 }, ACROSS)
    .sort({ _id: 1 })
    .limit(limit)
    .lean<{ _id: string }[]>();
  // Read from the index alone, because each chunk contains a megabyte
  const parts = await FileChunk.find({ files_id: after, n: 0 }, { _id: 0, files_id: 1 }, ACROSS)
    .sort({ files_id: 1 })
    .limit(limit)
    .lean<{ files_id: string }[]>();
  const ids = new Set([...files.map(({ _id }) => _id), ...parts.map(({ files_id }) => files_id)]);
  return [...ids].sort().slice(0, limit);
}

async function unnamedAmong(ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const naming = await Message.find(
    { "attachments.id": trusted({ $in: ids, ...IS_TEXT }) },
    { "attachments.id": 1 },
    ACROSS,
  ).lean<Pick<Message, "attachments">[]>();
  const named = new Set(naming.flatMap(({ attachments }) => attachments.map(({ id }) => id)));
  for (const id of await usedUploads(ids.filter((id) => id.startsWith(UPLOAD)))) named.add(id);
  return ids.filter((id) => !named.has(id));
}

/** Those of these uploads that a step of a campaign or template, a scheduled reply or an unsent email refers to. */
async function usedUploads(ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const which = trusted({ $in: ids, ...IS_TEXT });
  const at = { "attachments.id": which };
  const replies = await ScheduledReply.find({ ...at }, { attachments: 1 }, ACROSS).lean<
    Pick<ScheduledReply, "attachments">[]
  >();
  const mails = await OutgoingMail.find({ ...at }, { attachments: 1 }, ACROSS).lean<
    Pick<OutgoingMail, "attachments">[]
  >();
  const inSteps = { "steps.variants.attachments.id": which };
  const shown = { "steps.variants.attachments": 1 } as const;
  const texts = [
    ...(await Sequence.find(inSteps, shown, ACROSS).lean<WithFiles[]>()),
    ...(await Template.find(inSteps, shown, ACROSS).lean<WithFiles[]>()),
  ];
  const variants = texts.flatMap(({ steps }) => steps.flatMap(({ variants }) => variants));
  return [...replies, ...mails, ...variants].flatMap(({ attachments }) => attachments.map(({ id }) => id));
}

interface WithFiles {
  steps: { variants: Pick<Variant, "attachments">[] }[];
}

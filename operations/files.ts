import { z } from "zod";
import { AppError, invalid } from "../domain/errors.ts";
import { contentTypeOf, fileNameOf, MAX_FILE_BYTES, refusedExtension } from "../domain/mail/outgoing-file.ts";
import { saveFile } from "../models/inbox/files.ts";
import { scoped } from "../models/scoped.ts";
import { trusted } from "../mongo/collection.ts";
import { newId } from "../mongo/ids.ts";
import { outsideTransaction } from "../mongo/transaction.ts";
import { UPLOAD } from "../store/sending/uploads.ts";
import type { Declaration } from "./declaration.ts";
import { operation } from "./operation.ts";
import { type ArrivingFile, uploadField } from "./upload.ts";

/**
 * The most files of a workspace. Campaigns use far fewer at a time, and a file that nothing uses is deleted after a
 * week.
 */
const MAX_UPLOADS = 1_000;

/** A file attached to a step or reply. */
export const Attachment = z
  .object({
    id: z.string().describe("The id of the file: `fil_…`"),
    fileName: z.string().describe("The file name that readers see"),
    contentType: z.string().describe("The content type"),
    size: z.number().int().describe("The size in bytes"),
  })
  .meta({ id: "OutgoingFile", description: "A file that is attached to an email" });

const upload = operation({
  summary: "Upload a file to attach to steps and replies by its id; an unused file is deleted after 7 days",
  scope: "campaigns:write",
  orScope: "inbox:send",
  errors: ["LIMIT_EXCEEDED"],
  file: { maxBytes: MAX_FILE_BYTES, receive: async (_ctx, file) => ({ content: await bytesOf(file) }) },
  input: z.strictObject({
    file: uploadField<Buffer>().describe(
      "The file, at most 7 MB (7,000,000 bytes). Programs and disk images are refused, because the large mail providers refuse them",
    ),
  }),
  output: Attachment,
  async run({ workspaceId }, { file }) {
    const fileName = fileNameOf(file.name);
    const refused = refusedExtension(fileName);
    if (refused !== null)
      throw invalid(
        "file",
        `must not be a .${refused}: the large mail providers refuse such attachments`,
        "REFUSED_TYPE",
      );
    if (file.size === 0) throw invalid("file", "must not be empty", "TOO_SMALL");
    const uploadCount = await scoped(workspaceId).StoredFile.count({ _id: trusted({ $gte: UPLOAD, $lt: "fil`" }) });
    if (uploadCount >= MAX_UPLOADS)
      throw new AppError("LIMIT_EXCEEDED", `A workspace has at most ${MAX_UPLOADS} files`, { limit: MAX_UPLOADS });
    const id = newId("fil");
    const contentType = contentTypeOf(file.mediaType);
    await outsideTransaction(() =>
      saveFile(workspaceId, id, { fileName, contentType, sha256: file.digest }, file.content),
    );
    return { id, fileName, contentType, size: file.size };
  },
});

async function bytesOf({ bytes }: ArrivingFile): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts);
}

export const filesDeclaration = {
  verbs: {
    "files.upload": upload,
  },
  routes: [["post", "/files", upload, 201]],
  examples: {
    people: [
      {
        at: "post /files",
        title: "Upload a file for a step or a reply",
        body: { file: "What we offer" },
      },
    ],
  },
} as const satisfies Declaration;

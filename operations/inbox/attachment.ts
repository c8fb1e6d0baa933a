import type { Readable } from "node:stream";
import { z } from "zod";
import { readFileToken, signFileToken } from "../../domain/access/address-token.ts";
import { AppError } from "../../domain/errors.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { openFile } from "../../models/inbox/files.ts";
import type { AttachedFile } from "../../models/inbox/message.ts";
import { scoped } from "../../models/scoped.ts";
import type { Services } from "../context.ts";
import { describedIds } from "../described-ids.ts";
import { time } from "../fields.ts";
import { operation } from "../operation.ts";
import { loadMessage } from "./find.ts";

const { attachmentId, messageId } = describedIds;

const VALID_MS = 10 * MINUTE_MS;

export const attachment = operation({
  summary:
    "Read the details of a message's attachment, with a URL that serves the file for 10 minutes without a credential",
  scope: "inbox:read",
  errors: ["ATTACHMENT_NOT_FOUND", "MESSAGE_NOT_FOUND"],
  input: z.strictObject({ messageId, attachmentId }),
  output: z.object({
    id: z.string().describe("The id of the file"),
    messageId,
    fileName: z.string().describe("The name of the file"),
    contentType: z.string().describe("The MIME type"),
    size: z.number().int().describe("The size in bytes"),
    sha256: z.string().describe("The SHA-256 of the file, in hex"),
    downloadUrl: z.string().describe("The URL, which needs no API key"),
    expiresAt: time.describe("When the URL expires, after 10 minutes"),
  }),
  async run({ workspaceId, services }, { messageId, attachmentId }) {
    const { attachments } = await loadMessage(workspaceId, messageId);
    const file = attachments.find(({ id }) => id === attachmentId);
    if (file === undefined) throw new AppError("ATTACHMENT_NOT_FOUND", "This message has no file with this id");
    const until = Date.now() + VALID_MS;
    const token = signFileToken(services.signing.export, { workspaceId, until, messageId, attachmentId });
    return {
      ...file,
      messageId,
      downloadUrl: `${services.settings.publicUrl}/files/${token}`,
      expiresAt: new Date(until),
    };
  },
});

/** The file for a signed URL; null if the URL is invalid or expired, or the file was erased. */
export async function fileAt(
  { signing }: Pick<Services, "signing">,
  token: string,
): Promise<{ file: AttachedFile; content: Readable } | null> {
  const address = readFileToken(signing.export, token, Date.now());
  if (address === null) return null;
  const message = await scoped(address.workspaceId).Message.get(address.messageId);
  const file = message?.attachments.find(({ id }) => id === address.attachmentId);
  const content = file === undefined ? null : await openFile(address.workspaceId, file.id);
  return file === undefined || content === null ? null : { file, content };
}

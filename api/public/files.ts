import type { Router } from "express";
import type { Services } from "../../operations/context.ts";
import { fileAt } from "../../operations/inbox/attachment.ts";
import { signedFiles } from "./signed-files.ts";

/** Content types that a browser might run as a page of this service if it ever displayed them. */
const ACTIVE = /html|xml|svg|script|flash|java/;
const TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

/**
 * `/files/:token`: an attachment at its signed address. The sender of the email chose its name and type, so browsers
 * must save it and never display it.
 */
export function filesOf(services: Services): Router {
  return signedFiles("/files", async (token) => {
    const found = await fileAt(services, token);
    if (found === null) return null;
    const { fileName, size } = found.file;
    return {
      fileName: fileName || "attachment",
      contentType: safeType(found.file.contentType),
      parts: found.content,
      size,
    };
  });
}

function safeType(contentType: string): string {
  const type = contentType.toLowerCase();
  return TYPE.test(type) && !ACTIVE.test(type) ? type : "application/octet-stream";
}

import { z } from "zod";
import { addressesOf, firstOf, type Headers, wordsIn } from "../mime/headers.ts";
import { fileTypeOf, isMultipart, normaliseMessage, octetsOf, type Part, partsOf, textOf } from "../mime/parts.ts";
import { EgressError } from "../net/egress-error.ts";
import { askGraph, callGraph, type GraphAccess } from "./call.ts";
import { GraphTrouble, troubleOf } from "./trouble.ts";

/**
 * Graph takes a file below 3 MB in one request and refuses to upload it in ranges; a larger one it takes only in
 * ranges. In base64 this many bytes still fit into a request of 4 MB.
 */
const MOST_IN_ONE_REQUEST = 3_144_000;
/** Below 4 MB, and a multiple of 320 KiB, as Microsoft recommends for ranges. */
const RANGE_BYTES = 12 * 320 * 1024;
const RANGE_MS = 60_000;
/** Header fields that JSON sets by their MAPI properties, because it takes only `X-` headers by name. */
const BY_PROPERTY = {
  "in-reply-to": "String 0x1042",
  references: "String 0x1039",
  "list-unsubscribe": "String 0x1045",
} as const;
const MOST_HEADERS = 5;

const Created = z.object({ id: z.string().min(1) });
const Session = z.object({ uploadUrl: z.url() });

/**
 * Saves an email of more than 3 MB as a draft: its text as JSON, then each file. Graph then makes the MIME text itself,
 * so of text and HTML only the HTML is kept, and List-Unsubscribe-Post is lost. Nothing leaves, so it may be repeated;
 * a draft without all of its files is deleted.
 * @throws GraphTrouble
 */
export async function createLargeDraft(access: GraphAccess, bytes: Buffer): Promise<string> {
  const root = partsOf(normaliseMessage(bytes));
  const leaves = leavesOf(root);
  const body = leaves.find(isBody("text/html")) ?? leaves.find(isBody("text/plain"));
  const files = leaves.filter((part) => part !== body && !isBody("text/plain")(part));
  const { id } = await callGraph(access, `${access.mailbox}/messages`, {
    method: "POST",
    schema: Created,
    body: { ...headOf(root.headers), body: bodyOf(body) },
  });
  const path = `${access.mailbox}/messages/${encodeURIComponent(id)}`;
  try {
    for (const file of files) await attach(access, `${path}/attachments`, file);
  } catch (error) {
    await askGraph(access, path, { method: "DELETE" }).catch(() => null);
    throw error;
  }
  return id;
}

function leavesOf(part: Part): Part[] {
  return isMultipart(part) ? part.parts.flatMap(leavesOf) : [part];
}

function isBody(type: string): (part: Part) => boolean {
  return (part) => part.type === type && part.disposition !== "attachment";
}

function bodyOf(part: Part | undefined): object {
  if (part === undefined) return { contentType: "text", content: "" };
  return { contentType: part.type === "text/html" ? "html" : "text", content: textOf(part) };
}

/** The header fields of a message as Graph takes them in JSON. From is the mailbox, whatever it says. */
function headOf(headers: Headers): object {
  const people = (field: string) =>
    addressesOf(headers, field).map(({ address, name }) => ({ emailAddress: { address, ...(name && { name }) } }));
  const own = [...headers].filter(([name]) => name.startsWith("x-")).slice(0, MOST_HEADERS);
  const properties = Object.entries(BY_PROPERTY)
    .map(([field, id]) => ({ id, value: firstOf(headers, field).replace(/\s+/g, " ").trim() }))
    .filter(({ value }) => value !== "");
  return {
    subject: wordsIn(firstOf(headers, "subject")),
    toRecipients: people("to"),
    ccRecipients: people("cc"),
    bccRecipients: people("bcc"),
    replyTo: people("reply-to"),
    internetMessageHeaders: own.map(([name, [value = ""]]) => ({ name, value })),
    singleValueExtendedProperties: properties,
  };
}

async function attach(access: GraphAccess, path: string, file: Part): Promise<void> {
  const content = octetsOf(file);
  const name = file.fileName ?? "attachment";
  const contentType = fileTypeOf(file);
  if (content.length < MOST_IN_ONE_REQUEST) {
    const contentBytes = content.toString("base64");
    const body = { "@odata.type": "#microsoft.graph.fileAttachment", name, contentType, contentBytes };
    await askGraph(access, path, { method: "POST", body, timeoutMs: RANGE_MS });
    return;
  }
  const AttachmentItem = { attachmentType: "file", name, contentType, size: content.length };
  const { uploadUrl } = await callGraph(access, `${path}/createUploadSession`, {
    method: "POST",
    schema: Session,
    body: { AttachmentItem },
  });
  for (let start = 0; start < content.length; start += RANGE_BYTES)
    await putRange(access, uploadUrl, content.subarray(start, start + RANGE_BYTES), { start, size: content.length });
}

/** The address of an upload is its own authorization, so the token is not sent there. */
async function putRange(
  { egress, signal }: Pick<GraphAccess, "egress" | "signal">,
  uploadUrl: string,
  range: Buffer,
  { start, size }: { start: number; size: number },
): Promise<void> {
  const { statusCode, headers } = await egress
    .request(uploadUrl, {
      method: "PUT",
      headers: {
        "Content-Type": "application/octet-stream",
        "Content-Range": `bytes ${start}-${start + range.length - 1}/${size}`,
      },
      body: range,
      timeoutMs: RANGE_MS,
      maxBodyBytes: 64 * 1024,
      signal,
    })
    .catch((cause: unknown) => {
      throw cause instanceof EgressError ? new GraphTrouble("away", { cause }) : cause;
    });
  if (statusCode < 200 || statusCode > 299) throw troubleOf(statusCode, null, headers);
}

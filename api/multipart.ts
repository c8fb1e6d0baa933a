import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { AppError, invalid } from "../domain/errors.ts";
import { fileTooLarge, type Receiver, type Upload } from "../operations/upload.ts";
import { discard, refuseCompressed } from "./body.ts";

/** The name of the form part that contains the file; every other part is a field. */
const FILE = "file";
/** Limits of the parts beside the file (rules/limits 1.5). */
const MOST_FIELDS = 100;
const LONGEST_FIELD_BYTES = 65_536;
const LONGEST_HEADER_BYTES = 16_384;
const BESIDE_FILE_BYTES = 1_048_576;
/** The most milliseconds for a whole upload, and without any data from the client (rules/limits 1.5). */
const PATIENCE = { longestMs: 900_000, idleMs: 60_000 };

const uploading = new WeakSet<object>();

/** Returns true while an upload is being read from this socket. Uploads may take longer than other requests. */
export function isUploading(socket: object): boolean {
  return uploading.has(socket);
}

/**
 * Reads a multipart body. The one file is streamed to the receiver as it arrives, and the other parts become text
 * fields. When this throws, the receiver has ended.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, VALIDATION_FAILED, and any error of the receiver
 */
export async function readForm(
  req: IncomingMessage,
  receiver: Receiver,
  patience = PATIENCE,
): Promise<Record<string, unknown>> {
  refuseCompressed(req);
  const form = formOf(req);
  const most = receiver.maxBytes + BESIDE_FILE_BYTES;
  if (Number(req.headers["content-length"] ?? 0) > most) {
    discard(req, most);
    throw fileTooLarge(receiver.maxBytes);
  }
  cutLate(req, patience);
  return readParts(req, form, receiver, most);
}

/**
 * Applies the upload time-outs until the end of the body, also after a refusal. The server's own time-outs apply to
 * other requests only.
 */
function cutLate(req: IncomingMessage, { longestMs, idleMs }: typeof PATIENCE): void {
  const { socket } = req;
  uploading.add(socket);
  const late = setTimeout(() => req.destroy(), longestMs);
  const idle = setTimeout(() => req.destroy(), idleMs);
  req.on("data", () => idle.refresh());
  req.once("close", () => {
    clearTimeout(late);
    clearTimeout(idle);
    uploading.delete(socket);
  });
}

function formOf({ headers }: IncomingMessage): BusboyInstance {
  const type = headers["content-type"] ?? "";
  const hint = "The body must be multipart/form-data with its boundary: let the HTTP client write the Content-Type";
  if (!/^multipart\/form-data *;/i.test(type)) throw new AppError("UNSUPPORTED_MEDIA_TYPE", hint);
  try {
    return new Busboy({
      headers: { ...headers, "content-type": type },
      isPartAFile: (name, _type, fileName) => name === FILE || fileName !== undefined,
      limits: {
        files: 1,
        fields: MOST_FIELDS,
        fieldSize: LONGEST_FIELD_BYTES,
        parts: MOST_FIELDS + 2,
        headerPairs: 20,
        headerSize: LONGEST_HEADER_BYTES,
      },
    });
  } catch (cause) {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", hint, undefined, { cause });
  }
}

async function readParts(
  req: IncomingMessage,
  form: BusboyInstance,
  receiver: Receiver,
  most: number,
): Promise<Record<string, unknown>> {
  const { promise: parsed, resolve, reject } = Promise.withResolvers<void>();
  const fields = new Map<string, unknown>();
  let stream: Readable | null = null;
  let file: Promise<Upload> | null = null;
  let length = 0;
  req.on("data", (part: Buffer) => {
    length += part.length;
    if (length > most) reject(fileTooLarge(receiver.maxBytes));
  });
  req.once("error", (cause) => reject(malformed("ended early", cause)));
  req.once("close", () => req.complete || reject(malformed("ended early")));
  form.on("error", (cause) => reject(malformed("is not multipart/form-data, or ended early", cause)));
  form.on("filesLimit", () => reject(invalid(FILE, "must be one file", "TOO_BIG")));
  for (const limit of ["fieldsLimit", "partsLimit"] as const) {
    form.on(limit, () => reject(invalid("", `must have at most ${MOST_FIELDS} fields`, "TOO_BIG")));
  }
  form.on("field", (name, value, _isNameCut, isCut, encoding) => {
    const wrong =
      wrongField(name, value, isCut, encoding) ??
      (fields.has(name) ? invalid(name, "appears twice", "DUPLICATE") : null);
    if (wrong !== null) reject(wrong);
    fields.set(name, value);
  });
  form.on("file", (name, bytes, fileName: string | undefined, encoding, mediaType) => {
    stream = bytes;
    bytes.on("error", () => {}); // the form reports the error too, and the consumer of the stream receives it
    const wrong = wrongFile(name, fileName, encoding);
    if (wrong !== null) return reject(wrong);
    file = receiver.receive({ name: plainName(fileName ?? ""), mediaType, bytes });
    file.catch(reject);
  });
  form.on("finish", () => resolve());
  req.pipe(form);
  try {
    await parsed;
    if (file !== null) fields.set(FILE, await file);
    return Object.fromEntries(fields);
  } catch (error) {
    req.unpipe(form);
    discard(req, most);
    destroy(stream, error);
    await Promise.allSettled([file]);
    throw error;
  }
}

/** Passes the error to a consumer that still reads the stream. */
function destroy(stream: Readable | null, error: unknown): void {
  stream?.destroy(error instanceof Error ? error : undefined);
}

function wrongField(name: string | undefined, value: string, isCut: boolean, encoding: string): AppError | null {
  if (name === undefined) return malformed("has a part without a name");
  if (name === "__proto__") return invalid(name, "is not an allowed name", "REFUSED_KEY");
  if (isCut) return invalid(name, `must have at most ${LONGEST_FIELD_BYTES} bytes`, "TOO_BIG");
  if (value.includes("\0") || name.includes("\0")) return invalid(name, "must not contain NUL", "INVALID_TEXT");
  // The parser replaces bytes that are not UTF-8 with the replacement character
  if (value.includes("\uFFFD")) return invalid(name, "must be text in UTF-8", "INVALID_TEXT");
  return wrongEncoding(name, encoding);
}

function wrongFile(name: string, fileName: string | undefined, encoding: string): AppError | null {
  if (name !== FILE)
    return invalid(name ?? "", `is not a field that takes a file: send it as \`${FILE}\``, "UNKNOWN_FIELD");
  if (fileName === undefined)
    return invalid(FILE, "must be a file with a name, as `curl -F file=@leads.csv` sends it", "INVALID_TYPE");
  return wrongEncoding(name, encoding);
}

function wrongEncoding(name: string, encoding: string): AppError | null {
  const isPlain = ["7bit", "8bit", "binary"].includes(encoding);
  return isPlain ? null : invalid(name, `must be sent as it is, not in ${encoding}`, "INVALID_FORMAT");
}

const LONGEST_NAME = 255;

function plainName(name: string): string {
  return name
    .replaceAll(/\p{Cc}/gu, "")
    .slice(0, LONGEST_NAME)
    .toWellFormed();
}

function malformed(what: string, cause?: unknown): AppError {
  const { details } = invalid("", what, "MALFORMED_MULTIPART");
  return new AppError("VALIDATION_FAILED", "The request is not valid", details, { cause });
}

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { GmailRefusal, invalidArgument, tooLarge } from "./refusals.ts";

/** The media limit of the discovery document. */
const MOST_MEDIA_BYTES = 36_700_160;
/** Assumed: it leaves room for the 3.5 MB up to which well-known products send emails as JSON. */
const MOST_JSON_BYTES = 5 * 1024 * 1024;

interface Content {
  body: unknown;
  media: Buffer | null;
}

export async function bodyOf(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The JSON and the email of a request: JSON alone, a simple upload, or `multipart/related` with both. */
export function contentOf(headers: IncomingHttpHeaders, bytes: Buffer, isUpload: boolean): Content {
  if (!isUpload) {
    if (bytes.length > MOST_JSON_BYTES) throw tooLarge(MOST_JSON_BYTES);
    return { body: bytes.length === 0 ? undefined : JSON.parse(bytes.toString()), media: null };
  }
  const type = headers["content-type"] ?? "";
  if (bytes.length > MOST_MEDIA_BYTES) throw tooLarge(MOST_MEDIA_BYTES);
  if (type.startsWith("message/")) return { body: undefined, media: bytes };
  const boundary = /^multipart\/related;.*boundary="?([^";]+)"?/i.exec(type)?.[1];
  if (boundary === undefined)
    throw invalidArgument(`Media type '${type}' is not supported. Valid media types: [message/*]`);
  const [json, media] = relatedParts(bytes, boundary);
  if (json === undefined || media === undefined) throw invalidArgument("Failed to parse multipart/related request");
  return { body: JSON.parse(json.toString()), media };
}

function relatedParts(bytes: Buffer, boundary: string): Buffer[] {
  const delimiter = Buffer.from(`--${boundary}`);
  const parts: Buffer[] = [];
  let start = bytes.indexOf(delimiter);
  for (;;) {
    const end = start === -1 ? -1 : bytes.indexOf(Buffer.concat([Buffer.from("\r\n"), delimiter]), start + 1);
    if (end === -1) return parts;
    const content = bytes.indexOf("\r\n\r\n", start) + 4;
    parts.push(bytes.subarray(content, end));
    start = end + 2;
  }
}

/** Google answers 204 where there is nothing to say. */
export function success(body: object | null): [number, object | null] {
  return [body === null ? 204 : 200, body];
}

export function failure(err: unknown): [number, object | string] {
  if (err instanceof z.ZodError || err instanceof SyntaxError)
    return failure(invalidArgument("Invalid JSON payload received."));
  if (!(err instanceof GmailRefusal)) throw err;
  return [err.status, err.body];
}

export function say(res: ServerResponse, status: number, body: object | string | null): void {
  if (body === null) return void res.writeHead(status).end();
  const isPage = typeof body === "string";
  res.writeHead(status, { "Content-Type": isPage ? "text/html; charset=UTF-8" : "application/json; charset=UTF-8" });
  res.end(isPage ? body : JSON.stringify(body, null, 2));
}

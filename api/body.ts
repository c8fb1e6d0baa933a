import type { IncomingMessage } from "node:http";
import { AppError } from "../domain/errors.ts";
import { IMPORT, type JsonLimits, readJson } from "./json.ts";
import { readRows } from "./rows.ts";

/** Bytes that a client may still send after a refusal before its connection is cut. */
const DRAINED_BYTES = 33_554_432;

/**
 * The parsed JSON of a request; an empty object when it has no body.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, MALFORMED_JSON or VALIDATION_FAILED
 */
export async function readBody(req: IncomingMessage, limits: JsonLimits): Promise<unknown> {
  if (!hasBody(req)) return {};
  refuseMedia(req);
  const bytes = await collect(req, limits.bytes);
  if (bytes.length === 0) return {};
  return limits === IMPORT ? readRows(bytes, limits) : readJson(bytes, limits);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** @throws AppError UNSUPPORTED_MEDIA_TYPE */
export function refuseCompressed({ headers }: IncomingMessage): void {
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding.toLowerCase() !== "identity")
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Compressed bodies are not accepted");
}

function refuseMedia(req: IncomingMessage): void {
  refuseCompressed(req);
  const { headers } = req;
  const isJson = /^application\/json *(?:; *charset *= *"?utf-8"? *)?;? *$/i.test(headers["content-type"] ?? "");
  if (!isJson) throw new AppError("UNSUPPORTED_MEDIA_TYPE", "The body must be application/json in UTF-8");
}

/**
 * Reads the body and counts its bytes. The rest of a refused body is discarded for a while, so that the client can read
 * the refusal.
 */
export function collect(req: IncomingMessage, most: number): Promise<Buffer> {
  if (Number(req.headers["content-length"] ?? 0) > most) {
    discard(req);
    return Promise.reject(tooLarge(most));
  }
  return new Promise((resolve, reject) => {
    const declaredLength = Number(req.headers["content-length"] ?? 0);
    // If the length is known, the body is copied in place: parts and whole together would need twice the memory
    const whole = declaredLength > 0 ? Buffer.allocUnsafeSlow(declaredLength) : null;
    const parts: Buffer[] = [];
    let length = 0;
    const take = (part: Buffer) => {
      length += part.length;
      if (length <= most) {
        if (whole === null) parts.push(part);
        else part.copy(whole, length - part.length);
        return;
      }
      req.off("data", take);
      discard(req);
      reject(tooLarge(most));
    };
    req.on("data", take);
    req.once("end", () => resolve(whole?.subarray(0, length) ?? Buffer.concat(parts, length)));
    req.once("error", (cause) =>
      reject(new AppError("MALFORMED_JSON", "The body is incomplete", undefined, { cause })),
    );
  });
}

/**
 * Continues to read and keeps nothing, so that the client can read its refusal. A client that sends for too long is
 * disconnected, after at least `most` bytes.
 */
export function discard(req: IncomingMessage, most = 0): void {
  let length = 0;
  req.on("data", (part: Buffer) => {
    length += part.length;
    if (length > Math.max(most, DRAINED_BYTES)) req.destroy();
  });
  req.resume();
}

function tooLarge(most: number): AppError {
  return new AppError("PAYLOAD_TOO_LARGE", `The body must have at most ${most} bytes`, { limit: most });
}

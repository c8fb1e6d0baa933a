import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { GraphAnswer } from "./faults.ts";

/** Null where there is more than is allowed; it is read to its end, so that the answer arrives. */
export async function bodyOf(req: IncomingMessage, most: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of req) {
    length += chunk.length;
    if (length <= most) chunks.push(chunk);
  }
  return length > most ? null : Buffer.concat(chunks);
}

export function send(req: IncomingMessage, res: ServerResponse, { status, body, headers }: GraphAnswer): void {
  const id = randomUUID();
  const bytes =
    body === undefined || Buffer.isBuffer(body) ? (body ?? Buffer.alloc(0)) : Buffer.from(JSON.stringify(body));
  res
    .writeHead(status, {
      ...(body !== undefined && { "Content-Type": "application/json;odata.metadata=minimal;charset=utf-8" }),
      ...(status !== 204 && { "Content-Length": String(bytes.length) }),
      "request-id": id,
      "client-request-id": String(req.headers["client-request-id"] ?? id),
      ...headers,
    })
    .end(bytes);
}

import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import type { Certificate } from "./certificate.ts";
import { PATIENCE_MS } from "./wait.ts";

/**
 * One request as it came in: `body` is the exact bytes, `json` what they parse to (undefined when they do not parse).
 */
export interface Received {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  json: unknown;
  at: Date;
}

/**
 * How to respond. `hang`: not at all. `reset`: with a TCP reset. `dripMs`: with headers, then a byte at that interval
 * without end.
 */
export interface Answer {
  status?: number;
  headers?: http.OutgoingHttpHeaders;
  body?: string | Buffer;
  delayMs?: number;
  hang?: boolean;
  reset?: boolean;
  dripMs?: number;
}

export interface SubscriberOptions {
  /** Makes it an HTTPS receiver. */
  certificate?: Certificate;
  /** Called once per request; 200 with no body by default. */
  answer?: (request: Received) => Answer;
}

export interface FakeSubscriber {
  /** The receiver's address, with the name localhost. */
  url: string;
  port: number;
  received: Received[];
  /** The first request that matches, now or later; an error after `deadlineMs`. */
  waitFor(predicate: (request: Received) => boolean, deadlineMs?: number): Promise<Received>;
  close(): Promise<void>;
}

/** Starts a receiver of webhooks on a free port of 127.0.0.1. */
export async function startSubscriber({
  certificate,
  answer = () => ({}),
}: SubscriberOptions = {}): Promise<FakeSubscriber> {
  const received: Received[] = [];
  const watchers = new Set<(request: Received) => void>();
  const sockets = new Set<Socket>();
  const server = certificate === undefined ? http.createServer(take) : https.createServer(certificate, take);
  server.on("connection", (socket: Socket) => sockets.add(socket.once("close", () => sockets.delete(socket))));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // the address of a TCP server is never text
  return {
    url: `${certificate === undefined ? "http" : "https"}://localhost:${port}/`,
    port,
    received,
    waitFor,
    close,
  };

  function take(req: http.IncomingMessage, res: http.ServerResponse): void {
    receive(req, res).catch(() => res.destroy()); // the sender went away in the middle
  }

  async function receive(req: http.IncomingMessage, res: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { method = "", url: path = "", headers } = req;
    const request = { method, path, headers, body, json: jsonOf(body), at: new Date() };
    received.push(request);
    for (const watch of watchers) watch(request);
    await respond(res, answer(request));
  }

  function waitFor(predicate: (request: Received) => boolean, deadlineMs = PATIENCE_MS): Promise<Received> {
    const known = received.find(predicate);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        watchers.delete(watch);
        reject(new Error(`no such request among ${received.length} within ${deadlineMs} ms`));
      }, deadlineMs);
      const watch = (request: Received) => {
        if (!predicate(request)) return;
        clearTimeout(timer);
        watchers.delete(watch);
        resolve(request);
      };
      watchers.add(watch);
    });
  }

  async function close(): Promise<void> {
    const closed = once(server, "close");
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  }
}

/**
 * The check that a receiver makes (rules/webhooks 1.1): it compares the header with the HMAC of the raw body, in
 * constant time.
 */
export function verifySignature(secret: string, { headers, body }: Received, header = "x-service-signature"): boolean {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const given = Buffer.from(String(headers[header]));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

async function respond(res: http.ServerResponse, answer: Answer): Promise<void> {
  const { status = 200, headers = {}, body, delayMs, hang, reset, dripMs } = answer;
  if (delayMs !== undefined) await after(delayMs);
  if (hang) return;
  if (reset) {
    res.socket?.resetAndDestroy();
    return;
  }
  res.writeHead(status, headers);
  if (dripMs === undefined) {
    res.end(body);
    return;
  }
  const drip = setInterval(() => res.write("."), dripMs);
  res.once("close", () => clearInterval(drip));
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

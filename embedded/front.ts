import { type IncomingMessage, type OutgoingHttpHeaders, request, type ServerResponse } from "node:http";
import { type OwnRules, refusalOf } from "../domain/access/own-hosts.ts";
import { type Listener, listen } from "../runtime/listen.ts";

export interface FrontOptions extends OwnRules {
  /** What the server behind is called to a person. */
  name: string;
  /** Its port on 127.0.0.1, known to nobody else. */
  behind: number;
  port: number;
  host: string;
  /** The setting that moves the port. */
  variable: string;
}

/** Of one connection alone (RFC 9110, 7.6.1); the server behind upgrades to nothing. */
const OF_ONE_HOP = ["connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"];
/** Readable and framed by its own pages alone, whatever the server behind thinks of that. */
const OWN_PAGES_ALONE = {
  "content-security-policy": "frame-ancestors 'self'",
  "x-frame-options": "SAMEORIGIN",
  "cross-origin-resource-policy": "same-origin",
};

/** Stands before a server that answers anybody: what a stranger's page makes a browser ask does not reach it. */
export function startFront(options: FrontOptions): Promise<Listener> {
  const { host, port, variable } = options;
  return listen((req, res) => answer(req, res, options), port, { host, variable });
}

function answer(req: IncomingMessage, res: ServerResponse, options: FrontOptions): void {
  const { method = "", headers, socket, url = "" } = req;
  const [site, mode, dest] = ["site", "mode", "dest"].map((part) => one(headers[`sec-fetch-${part}`]));
  const asked = { method, host: headers.host, origin: headers.origin, site, mode, dest, address: socket.localAddress };
  const refusal = url.startsWith("/") ? refusalOf(asked, options) : { status: 421, message: "Not a proxy" };
  if (refusal === null) pass(req, res, options);
  else say(res, refusal.status, refusal.message);
}

function pass(req: IncomingMessage, res: ServerResponse, { behind, name }: FrontOptions): void {
  // A connection of its own, closed after one answer: what a client hides in a body is never read as another request
  const target = { host: "127.0.0.1", port: behind, path: req.url, method: req.method, headers: passedOn(req.headers), agent: false };
  const asking = request(target, (answered) => {
    res.writeHead(answered.statusCode ?? 502, { ...passedOn(answered.headers), ...ownPages(answered) });
    answered.pipe(res);
    answered.on("error", () => res.destroy());
  });
  asking.on("error", () => (res.headersSent ? res.destroy() : say(res, 502, `${name} does not answer: try again`)));
  res.on("close", () => asking.destroy());
  req.pipe(asking);
}

function passedOn(headers: IncomingMessage["headers"]): OutgoingHttpHeaders {
  const named = (headers.connection ?? "").toLowerCase().split(/\s*,\s*/);
  return Object.fromEntries(Object.entries(headers).filter(([key]) => !OF_ONE_HOP.includes(key) && !named.includes(key)));
}

/** A policy of the server behind goes on beside ours: both hold. */
function ownPages({ headers }: IncomingMessage): OutgoingHttpHeaders {
  const policies = [one(headers["content-security-policy"]), OWN_PAGES_ALONE["content-security-policy"]];
  return { ...OWN_PAGES_ALONE, "content-security-policy": policies.filter((policy) => policy !== undefined).join(", ") };
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(", ") : value;
}

function say(res: ServerResponse, status: number, message: string): void {
  const more = status === 405 ? { Allow: "GET, HEAD" } : {};
  res.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", Connection: "close", ...more });
  res.end(`${message}\n`);
}

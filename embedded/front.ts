import { type IncomingMessage, type OutgoingHttpHeaders, request, type ServerResponse } from "node:http";
import { hostRefusalOf, type OwnRules } from "../domain/access/own-hosts.ts";
import { type Listener, listen } from "../runtime/listen.ts";

export interface FrontOptions extends OwnRules {
  /** The name of the server behind the front, as shown to people. */
  name: string;
  /** The port of that server on 127.0.0.1. */
  behind: number;
  /** The secret that the server requires in every request and that only the front knows. */
  secret: string;
  port: number;
  host: string;
  /** The environment variable that changes the port. */
  variable: string;
}

/** Headers that belong to one connection only (RFC 9110, 7.6.1). The server behind supports no upgrade. */
const OF_ONE_HOP = ["connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"];
/**
 * The server behind refuses requests without the secret in this header
 * (embedded/programs/temporal-dev-server/pages.go).
 */
export const SECRET_HEADER = "x-front-secret";
/** Lets only the server's own pages read and frame its responses, whatever the server behind says. */
export const OWN_PAGES_ALONE = {
  "content-security-policy": "frame-ancestors 'self'",
  "x-frame-options": "SAMEORIGIN",
  "cross-origin-resource-policy": "same-origin",
};

/**
 * Starts a proxy in front of a server that answers anyone. Requests that a stranger's page makes the browser send do
 * not reach that server.
 */
export function startFront(options: FrontOptions): Promise<Listener> {
  const { host, port, variable } = options;
  return listen((req, res) => handleRequest(req, res, options), port, { host, variable });
}

function handleRequest(req: IncomingMessage, res: ServerResponse, options: FrontOptions): void {
  const refusal = requestRefusalOf(req, options);
  if (refusal === null) pass(req, res, options);
  else say(res, refusal.status, refusal.message);
}

/** Why a server without a login must refuse the request; null when it may answer. */
export function requestRefusalOf(req: IncomingMessage, rules: OwnRules): { status: number; message: string } | null {
  const { method = "", headers, socket, url = "" } = req;
  const [site, mode, dest] = ["site", "mode", "dest"].map((part) => one(headers[`sec-fetch-${part}`]));
  const request = {
    method,
    host: headers.host,
    origin: headers.origin,
    site,
    mode,
    dest,
    address: socket.localAddress,
  };
  return url.startsWith("/") ? hostRefusalOf(request, rules) : { status: 421, message: "Not a proxy" };
}

function pass(req: IncomingMessage, res: ServerResponse, { behind, name, secret }: FrontOptions): void {
  // Uses a new connection that is closed after one response, so that a request hidden in a body is never read as
  // another request
  const headers = { ...passedOn(req.headers), [SECRET_HEADER]: secret };
  const target = { host: "127.0.0.1", port: behind, path: req.url, method: req.method, headers, agent: false };
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
  return Object.fromEntries(
    Object.entries(headers).filter(([key]) => !OF_ONE_HOP.includes(key) && !named.includes(key)),
  );
}

/** A policy of the server behind is kept in addition to ours, so both apply. */
function ownPages({ headers }: IncomingMessage): OutgoingHttpHeaders {
  const policies = [one(headers["content-security-policy"]), OWN_PAGES_ALONE["content-security-policy"]];
  return {
    ...OWN_PAGES_ALONE,
    "content-security-policy": policies.filter((policy) => policy !== undefined).join(", "),
  };
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(", ") : value;
}

/** Answers with one line of text, after which the connection ends. */
export function say(res: ServerResponse, status: number, message: string): void {
  const more = status === 405 ? { Allow: "GET, HEAD" } : {};
  res.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", Connection: "close", ...more });
  res.end(`${message}\n`);
}

import { type Request, type RequestHandler, type Response, Router } from "express";
import { readBody } from "../api/body.ts";
import { asAppError } from "../api/errors.ts";
import { addressOf } from "../api/limits.ts";
import { isOwnName } from "../api/own-name.ts";
import { AppError, invalid } from "../domain/errors.ts";
import { verifyApiKey } from "../operations/access/api-keys.ts";
import { type CallFacts, noteCall } from "../operations/access/call-log.ts";
import { CALLS_PER_MINUTE, countCall } from "../operations/access/call-rate.ts";
import { verifyConnectorToken } from "../operations/access/connectors.ts";
import type { Context, Principal, Services } from "../operations/context.ts";
import { lacks } from "../operations/context.ts";
import { credential } from "../operations/sign-in/attempts.ts";
import { verbOf } from "./call-tool.ts";
import { challengeForMore, challengeOf } from "./challenge.ts";
import { exchange } from "./exchange.ts";
import { refuseMalformed } from "./message.ts";
import { answerModern, clientNamedIn, isModern } from "./modern.ts";
import { answerRefusal, RPC, RpcRefusal } from "./refusal.ts";
import { byName, type CallSeen, createServer, missingScope, type Shown, TOOLSETS } from "./server.ts";

/** Limits for a body that may contain an import (rules/limits 1.2). */
const BODY = { bytes: 10_485_760, items: 50_000 };

/** `/mcp`: the tool server. */
export function toolServerOf(services: Services): Router {
  const { publicUrl } = services.settings;
  const router = Router();
  router.all("/mcp", named, allowHosts(publicUrl), authenticate(publicUrl), serve(services));
  router.use("/mcp", answerRefusal);
  return router;
}

const named: RequestHandler = (_req, res, next) => {
  res.locals["route"] = "/mcp";
  res.set("Cache-Control", "no-store");
  next();
};

/** Refuses foreign host names and origins: a website can point its own domain at this machine (DNS rebinding). */
function allowHosts(publicUrl: string): RequestHandler {
  return (req, _res, next) => {
    const { origin } = req.headers;
    const isOwn = isOwnName(req.hostname, publicUrl) && (origin === undefined || isOwnOrigin(origin, publicUrl));
    next(isOwn ? undefined : new RpcRefusal(403, RPC.server, "This host or origin is not allowed here"));
  };
}

function isOwnOrigin(origin: string, publicUrl: string): boolean {
  return URL.canParse(origin) && isOwnName(new URL(origin).hostname, publicUrl) && new URL(origin).hostname !== "";
}

function authenticate(publicUrl: string): RequestHandler {
  return async (req, res, next) => {
    const { authorization } = req.headers;
    const [, value = ""] = /^Bearer +([^\s,]+) *$/i.exec(authorization ?? "") ?? [];
    const find = () => principalOf(value, publicUrl, req.ip ?? null);
    try {
      // A missing token does not count as a wrong one: clients first call without a token to learn where to get one
      res.locals["principal"] = await (authorization === undefined ? find() : credential(addressOf(req), find));
      next();
    } catch (err) {
      if (err instanceof AppError && err.code === "UNAUTHENTICATED")
        res.set("WWW-Authenticate", challengeOf(publicUrl, authorization !== undefined));
      throw err;
    }
  };
}

async function principalOf(value: string, publicUrl: string, ip: string | null): Promise<Principal> {
  const now = new Date();
  if (value.startsWith("ocp_") || value === "") return verifyApiKey(value, now, ip);
  return verifyConnectorToken(value, publicUrl, now);
}

interface Asked {
  method: string;
  tool: string | null;
  arguments: unknown;
  client: string | null;
}

const NOTHING: Asked = { method: "", tool: null, arguments: null, client: null };

function serve(services: Services): RequestHandler {
  return async (req, res) => {
    const principal: Principal = res.locals["principal"];
    const started = performance.now();
    const seen: CallSeen = { answer: null, isUnknown: false, resultChars: 0, tools: null };
    let asked = NOTHING;
    const note = (more: Partial<CallFacts> = {}) =>
      noteCall(principal, {
        ...factsOf(asked, seen, res.statusCode),
        traceId: res.locals["traceId"],
        ms: performance.now() - started,
        ...more,
      });
    try {
      if (req.method !== "POST") throw methodNotAllowed(res);
      await refuseOverRate(principal, res);
      const body = await bodyOf(req);
      asked = askedBy(req, body);
      const ctx: Context = { ...principal, services, ip: req.ip ?? null, traceId: res.locals["traceId"] };
      const isNewer = isModern(req, body);
      if (!acceptBoth(req)) throw new RpcRefusal(406, RPC.server, `The application must accept ${BOTH}`);
      refuseMalformed(body, !isNewer);
      const shown = shownBy(req);
      refuseUnscoped(ctx, shown, asked, res);
      if (isNewer) await answerModern(ctx, shown, seen, { req, res, body });
      else await exchange(createServer(ctx, shown, seen), req, res, body, () => seen.tools);
      if (seen.answer?.cause !== undefined)
        res.locals["error"] = new AppError("INTERNAL_ERROR", "", undefined, { cause: seen.answer.cause });
      note();
    } catch (err) {
      const error = err instanceof RpcRefusal ? err.error : asAppError(err);
      if (req.method === "POST") note({ outcome: outcomeOf(error), code: error?.code ?? null });
      throw err;
    }
  };
}

function methodNotAllowed(res: Response): RpcRefusal {
  res.set("Allow", "POST");
  const error = new AppError(
    "METHOD_NOT_ALLOWED",
    "The tool server accepts only POST: it has no streams and no sessions",
  );
  return new RpcRefusal(405, RPC.server, error.message, error);
}

async function refuseOverRate({ credentialId }: Principal, res: Response): Promise<void> {
  const { isAllowed, remaining, resetMs } = await countCall(credentialId);
  const seconds = Math.ceil(resetMs / 1_000);
  res.set({
    "RateLimit-Limit": `${CALLS_PER_MINUTE}`,
    "RateLimit-Remaining": `${remaining}`,
    "RateLimit-Reset": `${seconds}`,
  });
  if (isAllowed) return;
  throw new AppError("RATE_LIMITED", `At most ${CALLS_PER_MINUTE} calls a minute: wait`, {
    retryAfterSeconds: Math.max(1, seconds),
  });
}

async function bodyOf(req: Request): Promise<object> {
  const body = await readBody(req, BODY);
  // The transport would accept an array, and respond 202 to an empty one
  if (Array.isArray(body))
    throw new RpcRefusal(400, RPC.invalid, "Batches are not accepted: send one message per request");
  if (typeof body !== "object" || body === null)
    throw new RpcRefusal(400, RPC.invalid, "The body must be one JSON-RPC message");
  return body;
}

function askedBy(req: Request, body: object): Asked {
  const { method, params }: { method?: unknown; params?: unknown } = body;
  const given: Record<string, unknown> = typeof params === "object" && params !== null ? { ...params } : {};
  const { name, arguments: args, clientInfo = clientNamedIn(given) } = given;
  const { name: client, version }: Record<string, unknown> =
    typeof clientInfo === "object" && clientInfo !== null ? { ...clientInfo } : {};
  return {
    method: typeof method === "string" ? method : "",
    tool: typeof name === "string" && method === "tools/call" ? name : null,
    arguments: args,
    client:
      typeof client === "string"
        ? `${client} ${typeof version === "string" ? version : ""}`.trim()
        : (req.headers["user-agent"] ?? null),
  };
}

/**
 * A connector can request more scopes when the HTTP refusal names them. An API key cannot, so it gets the refusal as a
 * tool result.
 */
function refuseUnscoped(ctx: Context, shown: Shown, { tool, arguments: given }: Asked, res: Response): void {
  const scope = ctx.kind === "OAUTH" && tool !== null ? missingScope(ctx.scopes, shown, tool, given ?? {}) : null;
  if (scope === null) return;
  res.set("WWW-Authenticate", challengeForMore(ctx.services.settings.publicUrl, ctx.scopes, scope));
  throw lacks(scope);
}

const BOTH = "application/json, text/event-stream";

/**
 * Sets both response types when the header is missing or contains a wildcard. The raw headers must change too, because
 * the transport reads them. Returns false when the application does not accept both.
 */
function acceptBoth(req: Request): boolean {
  const accept = req.headers.accept ?? "*/*";
  const covers = (type: string, range: string) =>
    accept.includes(type) || accept.includes(range) || accept.includes("*/*");
  if (!covers("application/json", "application/*") || !covers("text/event-stream", "text/*")) return false;
  req.headers.accept = BOTH;
  const at = req.rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === "accept");
  if (at < 0) req.rawHeaders.push("Accept", BOTH);
  else req.rawHeaders[at + 1] = BOTH;
  return true;
}

/**
 * The filters of the URL. An unknown value is refused, because ignoring it could show or allow too much. @throws
 * AppError VALIDATION_FAILED
 */
function shownBy({ query }: Request): Shown {
  const toolsets = namesIn(query["toolsets"]);
  const unknown = toolsets?.find((name) => !TOOLSETS.includes(name));
  if (unknown !== undefined)
    throw invalid(
      "toolsets",
      `names no group of tools: ${unknown}. The groups are ${TOOLSETS.join(", ")}`,
      "UNKNOWN_TOOLSET",
    );
  return { toolsets, readOnly: isReadOnly(query["readonly"]) };
}

/** The values of a parameter that may be comma-separated or repeated; null when it is absent. */
function namesIn(given: unknown): string[] | null {
  if (given === undefined) return null;
  const names = [given]
    .flat()
    .flatMap((one) => (typeof one === "string" ? one.split(",") : []))
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.length === 0) throw invalid("toolsets", `must name groups of tools: ${TOOLSETS.join(", ")}`);
  return names;
}

function isReadOnly(given: unknown): boolean {
  if (given === undefined || given === "0" || given === "false") return false;
  if (given === "1" || given === "true") return true;
  throw invalid("readonly", "must be given once, as 1 or 0");
}

function factsOf(
  asked: Asked,
  { answer, isUnknown, resultChars }: CallSeen,
  status: number,
): Omit<CallFacts, "traceId" | "ms"> {
  const { method, tool, arguments: given, client } = asked;
  const row = tool === null ? undefined : byName.get(tool);
  const key: unknown = typeof given === "object" && given !== null ? Reflect.get(given, "idempotencyKey") : null;
  return {
    method,
    client,
    arguments: method === "tools/call" ? given : null,
    resultChars,
    tool: row?.name ?? null,
    action: row === undefined ? null : (verbOf(row.tool, given ?? {})?.action ?? null),
    outcome: isUnknown
      ? "UNKNOWN"
      : answer?.code === "INSUFFICIENT_SCOPE"
        ? "DENIED"
        : (answer?.isError ?? status >= 400) // without an answer, the SDK may have refused the request
          ? "TOOL_ERROR"
          : "OK",
    code: answer === null && status >= 500 ? "INTERNAL_ERROR" : (answer?.code ?? null),
    isTruncated: answer?.isTruncated ?? false,
    isReplay: answer?.isReplay ?? false,
    key: typeof key === "string" ? key : null,
  };
}

function outcomeOf(error: AppError | null): CallFacts["outcome"] {
  if (error?.code === "RATE_LIMITED") return "RATE_LIMITED";
  return error?.code === "INSUFFICIENT_SCOPE" ? "DENIED" : "TOOL_ERROR";
}

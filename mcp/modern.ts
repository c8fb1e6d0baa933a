import { toNodeHandler } from "@modelcontextprotocol/node";
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  classifyInboundRequest,
  createMcpHandler,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import type { Request, Response } from "express";
import { VERSION } from "../api/version.ts";
import { AppError } from "../domain/errors.ts";
import type { Context } from "../operations/context.ts";
import { Planned } from "../operations/sending/plan.ts";
import { CHOICE, questionOf } from "./plan-question.ts";
import { answersOf, CAPABILITIES, type CallSeen, INSTRUCTIONS, isShown, NO_VALIDATOR, type Shown } from "./server.ts";

/** The list depends on the credential and the address, and changes only with the release. */
const LIST = { ttlMs: 300_000, cacheScope: "private" as const };
/** The name of the question about a plan. */
const PLAN = "plan";

type Round = ServerContext["mcpReq"];

/**
 * Returns true for a request of revision 2026-07-28, which names its revision, application and capabilities itself
 * (rules/tools 2.5). Requests of the earlier revisions name none, or only a revision in the header.
 */
export function isModern(req: Request, body: object): boolean {
  const version = req.get("mcp-protocol-version");
  const named = version === undefined ? {} : { protocolVersionHeader: version };
  const route = classifyInboundRequest({ httpMethod: req.method, body, ...named });
  return route.kind === "modern" || (route.kind === "reject" && route.rung !== "jsonrpc-shape");
}

/** The application that a request of this revision names in its `_meta`. */
export function clientNamedIn(params: Readonly<Record<string, unknown>>): unknown {
  const { _meta: meta } = params;
  return typeof meta === "object" && meta !== null ? Reflect.get(meta, CLIENT_INFO_META_KEY) : undefined;
}

/** Answers one request of revision 2026-07-28 with one server, and returns after the response. */
export async function answerModern(
  ctx: Context,
  shown: Shown,
  seen: CallSeen,
  { req, res, body }: { req: Request; res: Response; body: object },
): Promise<void> {
  let cause: unknown;
  const onerror = (err: Error) => {
    cause = err;
  };
  const handler = createMcpHandler(() => createModernServer(ctx, shown, seen), { legacy: "reject", onerror });
  await toNodeHandler(handler, { onerror })(req, res, body);
  if (res.statusCode >= 500) res.locals["error"] = new AppError("INTERNAL_ERROR", "", undefined, { cause });
}

function createModernServer(ctx: Context, shown: Shown, seen: CallSeen): Server {
  const server = new Server(
    { name: "outreach", version: VERSION },
    {
      capabilities: CAPABILITIES,
      instructions: INSTRUCTIONS,
      jsonSchemaValidator: NO_VALIDATOR,
      cacheHints: {
        "server/discover": LIST,
        "tools/list": LIST,
        "prompts/list": LIST,
        "resources/list": LIST,
        "resources/templates/list": LIST,
      },
    },
  );
  const answers = answersOf(ctx, shown, seen, ProtocolError);
  // The definitions were read from JSON, which our type does not say
  server.setRequestHandler("tools/list", () => answers.listTools(true) as unknown as Promise<{ tools: Tool[] }>);
  server.setRequestHandler("tools/call", ({ params }, { mcpReq }) => {
    const isDeclined = choiceIn(mcpReq) === "NO" && isShown(params.name, ctx.scopes, shown);
    return isDeclined ? declined(ctx, seen) : callAsking(ctx, answers, seen, params, mcpReq);
  });
  server.setRequestHandler("prompts/list", answers.listPrompts);
  server.setRequestHandler("prompts/get", answers.getPrompt);
  server.setRequestHandler("resources/list", answers.listResources);
  server.setRequestHandler("resources/templates/list", answers.listTemplates);
  server.setRequestHandler("resources/read", answers.readResource);
  return server;
}

/**
 * Calls a tool. Where the policy needs a plan first and the application can ask a person, the result is a question with
 * the effect of the plan (rules/access 4.8). The repeated call with the answer then commits this plan, or does nothing.
 */
async function callAsking(
  ctx: Context,
  answers: ReturnType<typeof answersOf>,
  seen: CallSeen,
  { name, arguments: given }: { name: string; arguments?: Record<string, unknown> | undefined },
  round: Round,
) {
  const agrees = choiceIn(round) === "YES";
  const caller = canAsk(round) ? { ...ctx, showsPlan: true } : ctx;
  // A yes without requestState has no token, so the person is asked again
  const args = agrees ? { ...given, planToken: round.requestState<unknown>() } : given;
  const result = await answers.callTool(caller, { name, arguments: args }, true);
  const error = seen.answer?.error;
  if (agrees && isAboutPlanToken(error)) throw foreignState(ctx, error);
  return (error?.code === "PLAN_REQUIRED" ? questionAbout(error) : null) ?? result;
}

/** The question about the plan that the refusal contains; null when it contains none. */
function questionAbout({ details }: AppError) {
  const planned = Planned.safeParse(details);
  if (!planned.success) return null;
  const { plan, planToken } = planned.data;
  const question = inputRequired.elicit({ message: questionOf(plan), requestedSchema: CHOICE.form });
  // The token is signed, expires, and belongs to this credential, operation, request and effect
  return inputRequired({ inputRequests: { [PLAN]: question }, requestState: planToken });
}

/** Returns true when the application can show a form to a person. */
function canAsk({ envelope = {} }: Round): boolean {
  // The SDK has validated the declaration, but its types do not name it
  const { elicitation }: ClientCapabilities = Reflect.get(envelope, CLIENT_CAPABILITIES_META_KEY) ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** The answer to the question; null when there is none that can be read. */
function choiceIn({ inputResponses }: Round): "YES" | "NO" | null {
  const answer = inputResponse(inputResponses, PLAN);
  if (answer.kind !== "elicit") return null;
  if (answer.action !== "accept") return "NO";
  const given = answer.content?.[CHOICE.field];
  return typeof given !== "boolean" ? null : given ? "YES" : "NO";
}

function declined({ traceId }: Context, seen: CallSeen) {
  const code = "PLAN_REQUIRED";
  const message = "The person declined this plan: nothing was done. Do not repeat the call unless they ask for it";
  const text = JSON.stringify({ code, message, traceId, details: { reason: "DECLINED" } });
  const answer = { text, isError: true, isTruncated: false, isReplay: false, code };
  Object.assign(seen, { answer, resultChars: text.length });
  return { content: [{ type: "text" as const, text }], isError: true };
}

function isAboutPlanToken(error: AppError | undefined): error is AppError {
  const issues: unknown = error?.code === "VALIDATION_FAILED" ? error.details?.["issues"] : null;
  return Array.isArray(issues) && issues.some(({ path }: { path: string }) => path === "planToken");
}

/** The refusal of a request state that is not a plan token of this credential for this call. */
function foreignState({ traceId }: Context, { code, details }: AppError): ProtocolError {
  const message =
    "requestState does not belong to this call with this credential: nothing was done. Repeat the call without it";
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, {
    code,
    message,
    traceId,
    details,
    reason: "invalid_request_state",
  });
}

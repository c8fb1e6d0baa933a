import { type Request, Router } from "express";
import { AppError, invalid } from "../domain/errors.ts";
import { call } from "../operations/call.ts";
import type { Choice } from "../operations/choice.ts";
import type { Services } from "../operations/context.ts";
import type { Method, Route, RouteOptions } from "../operations/declaration.ts";
import type { AnyOperation } from "../operations/operation.ts";
import { refuseUnknownNames } from "../operations/read-arguments.ts";
import type { Receiver } from "../operations/upload.ts";
import { readBody } from "./body.ts";
import { idempotencyKeyOf } from "./idempotency.ts";
import { IMPORT, ORDINARY } from "./json.ts";
import { readForm } from "./multipart.ts";
import { contextOf } from "./principal.ts";

/** Registers the table of routes. A known path with another method gets 405. */
export function routerOf(routes: readonly Route[], services: Services): Router {
  const router = Router();
  for (const [path, lines] of byPath(routes)) {
    const route = router.route(path);
    for (const [method, , operation, status = 200, options = {}] of lines) {
      route[method](async (req, res) => {
        res.locals["route"] = path;
        const ctx = contextOf(services, req, res);
        const answer = await call(ctx, operation, {
          fields: (receiver) => inputOf(operation, method, options, req, receiver),
          // An idempotency key applies within a workspace; calls on the user's own account have no workspace
          idempotencyKey: () => (ctx.workspaceId === "" ? null : idempotencyKeyOf(req)),
          onReplay: () => res.set("Idempotency-Replayed", "true"),
        });
        res.status(status).json(answer);
      });
    }
    const allowed = lines.flatMap(([method]) => (method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()]));
    route.all((_req, res) => {
      res.set("Allow", allowed.join(", "));
      throw new AppError("METHOD_NOT_ALLOWED", `This endpoint accepts only ${allowed.join(", ")}`);
    });
  }
  return router;
}

/** Groups the routes by path. A fixed path comes before a path whose parameter would match it. */
function byPath(routes: readonly Route[]): [string, Route[]][] {
  const paths = Map.groupBy(routes, ([, path]) => path);
  return [...paths].sort(([one], [other]) => (rank(one) < rank(other) ? -1 : 1));
}

function rank(path: string): string {
  return path.replaceAll(/:[A-Za-z]+/g, "~");
}

async function inputOf(
  operation: AnyOperation | Choice,
  method: Method,
  { whole, isImport }: RouteOptions,
  req: Request,
  receiver: Receiver | null,
): Promise<unknown> {
  refuseNul(req.params);
  if (method === "get" || method === "delete") return { ...queryOf(operation, req), ...req.params };
  refuseUnknownNames(Object.keys(req.query), []); // callers often put fields of the body here by mistake
  const body = receiver === null ? await readBody(req, isImport ? IMPORT : ORDINARY) : await readForm(req, receiver);
  if (whole !== undefined) {
    const fields = namesOf(operation).filter((name) => !Object.hasOwn(req.params, name));
    return { ...wholeOf(fields, whole, body), ...req.params };
  }
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw invalid("", "must be an object", "INVALID_TYPE");
  for (const name of Object.keys(req.params)) {
    if (Object.hasOwn(body, name)) throw invalid(name, "is not a field of this request", "UNKNOWN_FIELD");
  }
  return { ...body, ...req.params };
}

/** Puts the body into the field that takes the whole body; the operation's other fields stay beside it. */
function wholeOf(fields: readonly string[], whole: string, body: unknown): Record<string, unknown> {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return { [whole]: body };
  const isBeside = ([name]: [string, unknown]) => name !== whole && fields.includes(name);
  const [own, rest] = [Object.entries(body).filter(isBeside), Object.entries(body).filter((one) => !isBeside(one))];
  return { [whole]: Object.fromEntries(rest), ...Object.fromEntries(own) };
}

/** Reads the query and refuses unknown names (rules/states 1.3). @throws AppError VALIDATION_FAILED */
function queryOf(operation: AnyOperation | Choice, req: Request): Record<string, unknown> {
  refuseNul(req.query);
  const ofPath = new Set(Object.keys(req.params));
  refuseUnknownNames(
    Object.keys(req.query),
    namesOf(operation).filter((name) => !ofPath.has(name)),
  );
  const { planOnly } = req.query;
  // Every value of a query is a string
  return { ...req.query, ...((planOnly === "true" || planOnly === "false") && { planOnly: planOnly === "true" }) };
}

function namesOf(operation: AnyOperation | Choice): string[] {
  if (!("actions" in operation)) return Object.keys(operation.input.shape);
  return ["action", ...Object.values(operation.actions).flatMap(namesOf)];
}

function refuseNul(values: object): void {
  for (const [name, value] of Object.entries(values)) {
    if (String(value).includes("\0")) throw invalid(name, "must not contain NUL", "INVALID_TEXT");
  }
}

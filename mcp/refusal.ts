import type { ErrorRequestHandler } from "express";
import { asAppError } from "../api/errors.ts";
import type { AppError } from "../domain/errors.ts";

/** The error codes of JSON-RPC, the one that it reserves for servers, and the one of MCP for an unknown resource. */
export const RPC = {
  parse: -32_700,
  invalid: -32_600,
  params: -32_602,
  internal: -32_603,
  server: -32_000,
  noResource: -32_002,
} as const;

/** A refusal before any tool is called, as a JSON-RPC error (rules/tools 2.2). */
export class RpcRefusal extends Error {
  readonly status: number;
  readonly rpc: number;
  readonly error: AppError | null;
  /** The id of the message, where it could be read. */
  readonly id: string | number | null;

  constructor(
    status: number,
    rpc: number,
    message: string,
    error: AppError | null = null,
    id: string | number | null = null,
  ) {
    super(message);
    this.status = status;
    this.rpc = rpc;
    this.error = error;
    this.id = id;
  }
}

/** Responds to every error with a JSON-RPC error, never with an HTML page of Express. */
export const answerRefusal: ErrorRequestHandler = (err: unknown, _req, res, next) => {
  if (res.headersSent) return next(err);
  const refusal = err instanceof RpcRefusal ? err : refusalOf(asAppError(err));
  const { error } = refusal;
  res.locals["error"] = error;
  const seconds = error?.details?.["retryAfterSeconds"];
  if (typeof seconds === "number") res.set("Retry-After", `${seconds}`);
  const data = dataOf(refusal, res.locals["traceId"]);
  res
    .status(refusal.status)
    .json({ jsonrpc: "2.0", id: refusal.id, error: { code: refusal.rpc, message: refusal.message, data } });
};

/** The service's own error, which a JSON-RPC error carries as `data`. */
export function dataOf({ error }: RpcRefusal, traceId: string): object | undefined {
  return error === null ? undefined : { code: error.code, message: error.message, traceId, details: error.details };
}

/** The JSON-RPC error of one of our own errors. */
export function refusalOf(error: AppError): RpcRefusal {
  const { code, status, message } = error;
  const rpc =
    code === "MALFORMED_JSON"
      ? RPC.parse
      : code === "VALIDATION_FAILED"
        ? RPC.invalid
        : status >= 500
          ? RPC.internal
          : RPC.server;
  return new RpcRefusal(status, rpc, message, error);
}

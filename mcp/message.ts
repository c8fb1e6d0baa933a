import { z } from "zod";
import { AppError } from "../domain/errors.ts";
import { readBy } from "../domain/issues.ts";
import { RPC, RpcRefusal } from "./refusal.ts";

const object = z.record(z.string(), z.unknown());
const paged = z.looseObject({ cursor: z.string().optional() }).optional();

/** What the methods that this server has must be given; more is left to the SDK. */
const PARAMS: Readonly<Record<string, z.ZodType>> = {
  initialize: z.looseObject({
    protocolVersion: z.string(),
    capabilities: object,
    clientInfo: z.looseObject({ name: z.string(), version: z.string() }),
  }),
  "tools/list": paged,
  "tools/call": z.looseObject({ name: z.string(), arguments: object.optional() }),
};

const Message = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number().int()]).optional(),
  method: z.string().optional(),
  params: object.optional(),
});

/**
 * Refuses a message that the SDK would answer with its own text: what is wrong is told as everywhere, by path and code.
 * @throws RpcRefusal
 */
export function refuseMalformed(body: object): void {
  const message = readBy(Message, body);
  if (!message.success) throw refusal(RPC.invalid, message.issues, null);
  const { method, id = null, params } = message.data;
  const schema = method !== undefined && Object.hasOwn(PARAMS, method) ? PARAMS[method] : undefined;
  if (schema === undefined) return;
  const read = readBy(z.looseObject({ params: schema }), { params });
  if (!read.success) throw refusal(RPC.params, read.issues, id);
}

function refusal(rpc: number, issues: readonly { path: string; message: string }[], id: string | number | null): RpcRefusal {
  const [first] = issues;
  const what = first === undefined ? "" : `: ${first.path === "" ? "it" : first.path} ${first.message}`;
  const error = new AppError("VALIDATION_FAILED", `The message is not valid${what}`, { issues });
  return new RpcRefusal(error.status, rpc, error.message, error, id);
}

import { z } from "zod";
import { AppError } from "../domain/errors.ts";
import { readArguments } from "../operations/read-arguments.ts";
import { RPC, RpcRefusal } from "./refusal.ts";

const object = z.record(z.string(), z.unknown());
const paged = z.looseObject({ cursor: z.string().optional() }).optional();

/** The required parameters of the methods that this server supports; the SDK checks the rest. */
const PARAMS: Readonly<Record<string, z.ZodType>> = {
  "tools/list": paged,
  "prompts/list": paged,
  "prompts/get": z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.string()).optional() }),
  "resources/list": paged,
  "resources/templates/list": paged,
  "resources/read": z.looseObject({ uri: z.string() }),
  "tools/call": z.looseObject({ name: z.string(), arguments: object.optional() }),
};

/** The same for the revisions that begin with a handshake. */
const WITH_HANDSHAKE: typeof PARAMS = {
  ...PARAMS,
  initialize: z.looseObject({
    protocolVersion: z.string(),
    capabilities: object,
    clientInfo: z.looseObject({ name: z.string(), version: z.string() }),
  }),
};

const Message = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number().int()]).optional(),
  method: z.string().optional(),
  params: object.optional(),
});

/**
 * Refuses a message that the SDK would answer with its own error text. The error names the path and the code, like all
 * errors.
 * @throws RpcRefusal
 */
export function refuseMalformed(body: object, hasHandshake: boolean): void {
  const { method, id = null, params } = readOr(RPC.invalid, null, body, Message);
  const known = hasHandshake ? WITH_HANDSHAKE : PARAMS;
  const schema = method !== undefined && Object.hasOwn(known, method) ? known[method] : undefined;
  if (schema !== undefined) readOr(RPC.params, id, { params }, z.looseObject({ params: schema }));
}

function readOr<T extends z.ZodType>(rpc: number, id: string | number | null, raw: object, schema: T): z.output<T> {
  try {
    return readArguments(raw, schema);
  } catch (err) {
    if (!(err instanceof AppError)) throw err;
    throw refusal(rpc, err, id);
  }
}

function refusal(rpc: number, { code, details, status }: AppError, id: string | number | null): RpcRefusal {
  const issues: unknown = details?.["issues"];
  const [first]: { path: string; message: string }[] = Array.isArray(issues) ? issues : [];
  const what = first === undefined ? "" : `: ${first.path === "" ? "it" : first.path} ${first.message}`;
  return new RpcRefusal(
    status,
    rpc,
    `The message is not valid${what}`,
    new AppError(code, `The message is not valid${what}`, details),
    id,
  );
}

import type { z } from "zod";
import type { consoleRoutes, PlanAnswer, routes } from "../../api/routes.ts";
import { noteTime } from "./clock.ts";
import { prefix } from "./prefix.ts";
import { refusalIn, unreachable } from "./refusal.ts";

/**
 * Only types are imported: the bundle contains no server code, and a field that an operation renames causes a type
 * error here.
 */
type Line = (typeof routes)[number] | (typeof consoleRoutes)[number];
type NameOf<L> = L extends readonly [infer M extends string, infer P extends string, ...unknown[]]
  ? `${M} ${P}`
  : never;
/** Every endpoint that the console may call, such as `get /campaigns/:campaignId`. */
export type Endpoint = NameOf<Line>;
export type ReadEndpoint = Extract<Endpoint, `get ${string}`>;
export type WriteEndpoint = Exclude<Endpoint, ReadEndpoint>;

type VerbOf<E extends Endpoint> = E extends `${infer M} ${infer P}`
  ? Extract<Line, readonly [M, P, ...unknown[]]>[2]
  : never;
type ActionsOf<V> = V extends { actions: infer A } ? A : never;
/**
 * TypeScript gives an input without fields a type that allows no field at all, not even `action`, so it is replaced.
 */
type Fields<T> = T extends Record<string, never> ? object : T;
type Takes<V> = V extends { input: infer I extends z.ZodType } ? Fields<z.input<I>> : never;
type Answers<V> = V extends { output: infer O extends z.ZodType } ? z.output<O> : never;
type InputOf<V> = V extends { actions: infer A } ? { [N in keyof A]: { action: N } & Takes<A[N]> }[keyof A] : Takes<V>;
type OutputOf<V, I> = I extends { planOnly: true }
  ? PlanAnswer
  : I extends { action: infer N extends keyof ActionsOf<V> }
    ? Answers<ActionsOf<V>[N]>
    : Answers<V>;

/** The fields with which a write is planned first and then committed. The operations add them to their own input. */
interface Planning {
  planOnly?: true | undefined;
  planToken?: string | undefined;
}

/** The input of an endpoint: the ids in its path together with its fields. */
export type In<E extends Endpoint> = E extends ReadEndpoint ? InputOf<VerbOf<E>> : InputOf<VerbOf<E>> & Planning;
/** The answer of an endpoint. If the endpoint has several actions, that of the action in the input. */
export type Out<E extends Endpoint, I = In<E>> = OutputOf<VerbOf<E>, I>;
/** One item of the list that an endpoint returns. */
export type ItemOf<E extends Endpoint> = Out<E> extends { items: (infer T)[] } ? T : never;

export interface CallOptions {
  /** Null for a call about the signed-in person, which needs no workspace. */
  workspaceId: string | null;
  signal?: AbortSignal;
  /** The idempotency key of a write. */
  key?: string;
  /** Keeps the request running when the person leaves the page. */
  keepalive?: boolean;
}

/**
 * Calls an endpoint of the API. Ids in the path are taken from the input; its other fields become the query or body.
 * @throws Refusal
 */
export async function call<E extends Endpoint, const I extends In<E>>(
  endpoint: E,
  input: I,
  { workspaceId, signal, key, keepalive = false }: CallOptions,
): Promise<Out<E, I>> {
  const { method, path, rest } = addressOf(endpoint, input);
  const hasBody = method !== "GET" && method !== "DELETE";
  const query = hasBody ? "" : queryOf(rest);
  const body = Object.fromEntries(
    [...rest].flatMap(([name, value]) =>
      name === WHOLE[endpoint] && typeof value === "object" && value !== null ? Object.entries(value) : [[name, value]],
    ),
  );
  const answer = await send(`${prefix}/console/api/v1${path}${query}`, {
    method,
    keepalive,
    headers: {
      "X-Console": "1",
      ...(workspaceId !== null && { "X-Workspace": workspaceId }),
      ...(hasBody && { "Content-Type": "application/json" }),
      ...(key !== undefined && { "Idempotency-Key": key }),
    },
    ...(hasBody && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  return answer.json();
}

/** Endpoints whose body has the contents of the named field beside the fields of a plan. */
const WHOLE: Partial<Record<string, string>> = { "patch /campaigns/:campaignId/settings": "settings" };

/** An endpoint's method, its path with the ids of the input, and the other fields of the input. */
export function addressOf(
  endpoint: Endpoint,
  input: object,
): { method: string; path: string; rest: Map<string, unknown> } {
  const [method = "get", template = ""] = endpoint.split(" ");
  const rest = new Map<string, unknown>(Object.entries(input));
  const path = template.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(String(value));
  });
  return { method: method.toUpperCase(), path, rest };
}

function queryOf(rest: ReadonlyMap<string, unknown>): string {
  const parameters = [...rest].filter(([, value]) => value !== undefined && value !== "");
  const query = new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]));
  return query.size === 0 ? "" : `?${query}`;
}

async function send(address: string, request: RequestInit): Promise<Response> {
  const answer = await fetch(address, request).catch((err: unknown) => {
    if (request.signal?.aborted) throw err;
    throw unreachable();
  });
  noteTime(answer);
  if (answer.ok) return answer;
  throw refusalIn(answer.status, await answer.json().catch(() => null), answer.headers.get("Retry-After"));
}

const PERSONAL = /^\w+ \/(?:session|sessions|password|second-factor|system)(?:\/|$)/;

/** Whether an endpoint is about the signed-in person and not about a workspace. */
export function isPersonal(endpoint: Endpoint): boolean {
  return PERSONAL.test(endpoint);
}

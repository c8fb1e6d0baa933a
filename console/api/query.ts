import { type Query, QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import {
  addressOf,
  call,
  type Endpoint,
  type In,
  isPersonal,
  type Out,
  type ReadEndpoint,
  type WriteEndpoint,
} from "./call.ts";
import { newKey } from "./key.ts";
import { useWorkspaceId } from "./path-id.ts";
import { type Refusal, refusalOf } from "./refusal.ts";
import { askPassword, noteSessionEnded, noteSignedIn } from "./session.ts";

/** The last answer; undefined before the first one. It stays while the query is repeated. */
export interface Called<T> {
  data: T | undefined;
  /** Why the last attempt failed; null if it succeeded. */
  refusal: Refusal | null;
  isLooking: boolean;
  /** When the answer arrived, in epoch milliseconds; 0 before the first one. */
  at: number;
  again(): void;
}

export interface CallSettings {
  /**
   * Milliseconds until the query is repeated while the tab is visible; the wait grows while the answer stays the same.
   * Without it the query is not repeated.
   */
  every?: number;
  /** If true, the query is not sent. */
  isOff?: boolean;
}

const FRESH_MS = 1_000;
const TRIES = 2;
/** The longest wait in milliseconds before a page retries while the service or the database is unreachable. */
const LONGEST_WAIT_MS = 10_000;
/** After a refusal, a repeated query waits longer by this factor, and at most `SLOWEST_MS`. */
const SLOWER = 4;
const SLOWEST_MS = 120_000;
/**
 * When the answer has not changed for `QUIET_MS`, a repeated query waits longer by `QUIETER`, and at most
 * `QUIETEST_MS`.
 */
const [QUIET_MS, QUIETER, QUIETEST_MS] = [60_000, 3, 30_000];

/**
 * Creates the page's only query client. Answers are not cached for long, because only the server knows the current
 * data.
 */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // A browser that considers itself offline may still reach a service on its own machine or network, and the page
        // must show what it cannot reach
        networkMode: "always",
        refetchOnReconnect: true,
        // While the service or the database is unreachable, the page keeps retrying, shows what it waits for, and
        // continues without a reload
        retry: (tries, err) =>
          refusalOf(err).isAway || (tries < TRIES && refusalOf(err).mayPass && refusalOf(err).status !== 429),
        retryDelay: (tries, err) =>
          Math.max((refusalOf(err).retryAfterSeconds ?? 0) * 1_000, Math.min(2 ** tries * 1_000, LONGEST_WAIT_MS)),
      },
    },
  });
}

/**
 * Reads an endpoint. If `every` is set, reads it again repeatedly, less often after errors, and only while the tab is
 * visible.
 */
export function useCall<E extends ReadEndpoint, const I extends In<E>>(
  endpoint: E,
  input: I,
  { every, isOff = false }: CallSettings = {},
): Called<Out<E, I>> {
  const workspaceId = useWorkspaceId();
  const scope = isPersonal(endpoint) ? null : workspaceId;
  const { path } = addressOf(endpoint, input);
  const client = useQueryClient();
  const queryKey = [endpoint, scope, path, input];
  const query = useQuery<unknown, Error>({
    queryKey,
    queryFn: ({ signal }) => readAndNoteSession(() => call(endpoint, input, { workspaceId: scope, signal })),
    enabled: !isOff,
    refetchInterval: every === undefined ? false : (query) => pauseOf(query, every),
    // The previous page of a list stays while the next one is read, but never the data of another id or workspace
    placeholderData: (previous: unknown, before: { queryKey: readonly unknown[] } | undefined) =>
      before?.queryKey[1] === scope && before?.queryKey[2] === path ? previous : undefined,
  });
  // The first failure is shown immediately, not only after all retries
  const failure = query.failureReason ?? query.error;
  return {
    data: query.data as Out<E, I> | undefined, // the library cannot infer a type that depends on the endpoint; `queryFn` returns it
    refusal: failure === null ? null : refusalOf(failure),
    isLooking: query.isFetching && query.failureReason === null,
    at: query.dataUpdatedAt,
    // Cancels a scheduled retry, so that `again` does not wait for it
    again: () => void client.cancelQueries({ queryKey, exact: true }).then(() => query.refetch()),
  };
}

function pauseOf(query: Pick<Query, "state">, every: number): number {
  const { error } = query.state;
  if (error === null)
    return unchangedMs(query) < QUIET_MS ? every : Math.max(every, Math.min(QUIETEST_MS, every * QUIETER));
  const wait = refusalOf(error).retryAfterSeconds;
  return wait === null ? Math.min(SLOWEST_MS, every * SLOWER) : Math.max(every, wait * 1_000);
}

/** The last answer of each query, and since when it has not changed. An equal answer keeps the old object. */
const answers = new WeakMap<object, { data: unknown; since: number }>();

function unchangedMs(query: Pick<Query, "state">): number {
  const { data } = query.state;
  const lastAnswer = answers.get(query);
  if (lastAnswer !== undefined && lastAnswer.data === data) return performance.now() - lastAnswer.since;
  answers.set(query, { data, since: performance.now() });
  return 0;
}

async function readAndNoteSession<T>(read: () => Promise<T>): Promise<T> {
  try {
    const answer = await read();
    noteSignedIn();
    return answer;
  } catch (err) {
    if (refusalOf(err).status === 401) noteSessionEnded();
    throw err;
  }
}

/** Returns a function that reads an endpoint once, when it is called. */
export function useRead() {
  const workspaceId = useWorkspaceId();
  return <E extends ReadEndpoint, const I extends In<E>>(endpoint: E, input: I, signal?: AbortSignal) => {
    const scope = isPersonal(endpoint) ? null : workspaceId;
    return readAndNoteSession(() => call(endpoint, input, { workspaceId: scope, ...(signal && { signal }) }));
  };
}

export type Read = ReturnType<typeof useRead>;

/** Reads endpoints again once `isDue` becomes true. */
export function useRenewal(isDue: boolean, endpoints: readonly ReadEndpoint[]): void {
  const client = useQueryClient();
  const latest = useRef(endpoints);
  latest.current = endpoints;
  useEffect(() => {
    if (isDue) void renew(client, latest.current);
  }, [isDue, client]);
}

function renew(client: QueryClient, endpoints: readonly Endpoint[]): Promise<void> {
  return client.invalidateQueries({ predicate: ({ queryKey }) => endpoints.some((one) => one === queryKey[0]) });
}

export interface Write<E extends WriteEndpoint> {
  /** Resolves with the answer, or with null if the call was refused; `refusal` then says why. */
  run<const I extends In<E>>(input: I): Promise<Out<E, I> | null>;
  isRunning: boolean;
  refusal: Refusal | null;
  /** Clears the refusal after the page has handled it. */
  clear(): void;
}

/**
 * Returns a function that calls a write endpoint and then reads the endpoints in `renews` again. A second call while
 * one is running joins it. If the outcome is unknown, a retry uses the same idempotency key.
 */
export function useWrite<E extends WriteEndpoint>(endpoint: E, { renews }: { renews: readonly Endpoint[] }): Write<E> {
  const client = useQueryClient();
  const workspaceId = useWorkspaceId();
  const [isRunning, setRunning] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const open = useRef<{ input: string; key: string } | null>(null);
  const running = useRef<Promise<unknown> | null>(null);

  async function attempt<const I extends In<E>>(input: I): Promise<Out<E, I> | null> {
    const text = JSON.stringify(input);
    if (open.current?.input !== text) open.current = { input: text, key: newKey() };
    const { key } = open.current;
    const scope = isPersonal(endpoint) ? null : workspaceId;
    const go = () => call(endpoint, input, { workspaceId: scope, ...(scope !== null && { key }) });
    setRunning(true);
    setRefusal(null);
    try {
      const answer = await retryAfterPassword(go);
      open.current = null;
      await renew(client, renews);
      return answer;
    } catch (err) {
      const refused = refusalOf(err);
      // A write that may have arrived is retried with its key. After a final refusal the next attempt is a new request
      if (!refused.mayPass) open.current = null;
      if (refused.status === 401) noteSessionEnded();
      setRefusal(refused);
      return null;
    } finally {
      setRunning(false);
    }
  }

  async function run<const I extends In<E>>(input: I): Promise<Out<E, I> | null> {
    if (running.current !== null) {
      await running.current;
      return null;
    }
    const going = attempt(input);
    running.current = going;
    try {
      return await going;
    } finally {
      running.current = null;
    }
  }

  return { run, isRunning, refusal, clear: useCallback(() => setRefusal(null), []) };
}

/** Runs a call. If the server demands the password for it, asks for the password and runs the call once more. */
async function retryAfterPassword<T>(go: () => Promise<T>): Promise<T> {
  try {
    return await go();
  } catch (err) {
    if (refusalOf(err).code !== "STEP_UP_REQUIRED" || !(await askPassword())) throw err;
    return go();
  }
}

import { type Query, QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
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
import { useWorkspaceId } from "./path-id.ts";
import { type Refusal, refusalOf } from "./refusal.ts";
import { askPassword, noteSessionEnded, noteSignedIn } from "./session.ts";

/** What was asked, as far as it is known. While it is asked anew the old answer stays. */
export interface Called<T> {
  data: T | undefined;
  /** Why the last try failed; null when it did not. */
  refusal: Refusal | null;
  isLooking: boolean;
  /** When the answer came, in epoch milliseconds; 0 before the first. */
  at: number;
  again(): void;
}

export interface CallSettings {
  /**
   * Milliseconds after which it is asked again while the tab is looked at; more seldom once the answer stays the same.
   * Never unless given.
   */
  every?: number;
  /** Not asked at all for now. */
  isOff?: boolean;
}

const FRESH_MS = 1_000;
const TRIES = 2;
/** How long a page waits at most before it asks again whoever was away. */
const LONGEST_WAIT_MS = 10_000;
/** How much more seldom a page asks that was refused. */
const SLOWER = 4;
const SLOWEST_MS = 120_000;
/** After how long without another answer a page asks more seldom, how much, and at least how often still. */
const [QUIET_MS, QUIETER, QUIETEST_MS] = [60_000, 3, 30_000];

/** The one client of the page. The server decides what is right, so nothing is kept for long. */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // A browser that believes itself offline may reach a service on its own machine or network; and the page is to
        // say what it cannot reach
        networkMode: "always",
        refetchOnReconnect: true,
        // Whoever is away is asked until they are back: the page goes on by itself, and says meanwhile what it waits
        // for
        retry: (tries, err) =>
          refusalOf(err).isAway || (tries < TRIES && refusalOf(err).mayPass && refusalOf(err).status !== 429),
        retryDelay: (tries, err) =>
          Math.max((refusalOf(err).retryAfterSeconds ?? 0) * 1_000, Math.min(2 ** tries * 1_000, LONGEST_WAIT_MS)),
      },
    },
  });
}

/**
 * Reads an endpoint, and keeps on reading where `every` says so: slower after errors, and only in a tab that is looked
 * at.
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
    // The page before stays while the next one is read, but never what belongs to another id or workspace
    placeholderData: (previous: unknown, before: { queryKey: readonly unknown[] } | undefined) =>
      before?.queryKey[1] === scope && before?.queryKey[2] === path ? previous : undefined,
  });
  // The first failure shows at once, before the remaining tries
  const failure = query.failureReason ?? query.error;
  return {
    data: query.data as Out<E, I> | undefined, // the library cannot infer a type that depends on the endpoint; `queryFn` returns it
    refusal: failure === null ? null : refusalOf(failure),
    isLooking: query.isFetching && query.failureReason === null,
    at: query.dataUpdatedAt,
    // A try that waits for its turn is not waited for
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

/** The answer that each query gave last, and since when. An answer that equals the one before is the same object. */
const answers = new WeakMap<object, { data: unknown; since: number }>();

function unchangedMs(query: Pick<Query, "state">): number {
  const { data } = query.state;
  const known = answers.get(query);
  if (known !== undefined && known.data === data) return performance.now() - known.since;
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

export interface Write<E extends WriteEndpoint> {
  /** Resolves with the answer, or with null when it was refused; `refusal` then says why. */
  run<const I extends In<E>>(input: I): Promise<Out<E, I> | null>;
  isRunning: boolean;
  refusal: Refusal | null;
  /** Forgets a refusal that has been dealt with. */
  clear(): void;
}

/**
 * A write and what has to be read anew after it. It goes once: a second call while the first is under way is the first,
 * and a repetition of what may or may not have arrived goes under the same key.
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
      await client.invalidateQueries({ predicate: ({ queryKey }) => renews.some((one) => one === queryKey[0]) });
      return answer;
    } catch (err) {
      const refused = refusalOf(err);
      // What may have arrived is repeated under its key; what was refused for good is another request next time
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

/** A sensitive call that needs the password asks for it, then runs once more. */
async function retryAfterPassword<T>(go: () => Promise<T>): Promise<T> {
  try {
    return await go();
  } catch (err) {
    if (refusalOf(err).code !== "STEP_UP_REQUIRED" || !(await askPassword())) throw err;
    return go();
  }
}

const KEY_BYTES = 16;

/** A name for a write. Plain http on a network of one's own has no `crypto.randomUUID`. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(KEY_BYTES))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

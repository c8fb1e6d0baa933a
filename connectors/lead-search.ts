import { setTimeout as delay } from "node:timers/promises";
import type { Contact, RevealField } from "../domain/lead-search/prospect.ts";
import { type LeadSearchAccess, type LeadSearchProvider, LeadSearchTrouble } from "../domain/lead-search/source.ts";
import { SECOND_MS } from "../domain/time/durations.ts";
import { companiesIn, contactsIn, lookupsIn, peopleIn } from "./lead-search-answers.ts";
import type { Egress, EgressResponse } from "./net/egress.ts";
import { EgressError } from "./net/egress-error.ts";

const CALL_MS = 10_000;
const MOST_BYTES = 4 * 1024 * 1024;
/** Milliseconds to wait before retrying a call that exceeded the rate limit or failed at the provider. */
const WAITS_MS = [500, 2_000];
const LONGEST_WAIT_MS = 30_000;

/**
 * A client for a lead search provider over HTTP, as specified in docs/lead-search-provider.yaml. `signal` ends every
 * call and its retries.
 */
export function leadSearchProvider(
  egress: Pick<Egress, "request">,
  { url, key }: LeadSearchAccess,
  signal: AbortSignal,
  waitsMs: readonly number[] = WAITS_MS,
): LeadSearchProvider {
  async function call(path: string, body: object, idempotencyKey: string | null = null): Promise<unknown> {
    for (const waitMs of [...waitsMs, null]) {
      const trouble = await attempt(path, body, idempotencyKey).catch((error: unknown) => {
        if (error instanceof LeadSearchTrouble) return error;
        throw error;
      });
      if (!(trouble instanceof LeadSearchTrouble)) return trouble.json;
      const isBusy = trouble.code === "RATE_LIMITED" || trouble.code === "UNAVAILABLE";
      if (!isBusy || waitMs === null) throw trouble;
      const askedMs = trouble.retryAfterSeconds === null ? waitMs : trouble.retryAfterSeconds * SECOND_MS;
      if (askedMs > LONGEST_WAIT_MS) throw trouble;
      await delay(askedMs, undefined, { signal }).catch(() => {
        throw trouble; // the time is up: the last error is thrown
      });
    }
    throw new LeadSearchTrouble("UNAVAILABLE");
  }

  async function attempt(path: string, body: object, idempotencyKey: string | null): Promise<{ json: unknown }> {
    const headers = {
      accept: "application/json",
      "content-type": "application/json",
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(idempotencyKey !== null && { "idempotency-key": idempotencyKey }),
    };
    const request = {
      method: "POST" as const,
      headers,
      body: JSON.stringify(body),
      timeoutMs: CALL_MS,
      maxBodyBytes: MOST_BYTES,
      signal,
    };
    let answer: EgressResponse;
    try {
      answer = await egress.request(`${url}/${path}`, request);
    } catch (cause) {
      // An aborted request has no answer either
      throw new LeadSearchTrouble("UNAVAILABLE", { ...(cause instanceof EgressError && { cause }) });
    }
    if (answer.statusCode !== 200) throw troubleOf(answer);
    return { json: jsonIn(answer) };
  }

  return {
    async browse(filters, { page, pageSize }) {
      return requireAnswer(peopleIn(await call("browse", { filters, page, pageSize }), pageSize));
    },
    async companies(filters, { page, pageSize }) {
      return requireAnswer(companiesIn(await call("companies", { filters, page, pageSize }), pageSize));
    },
    async lookups(kind, query, limit) {
      return requireAnswer(lookupsIn(await call("lookups", { kind, query, limit }), limit));
    },
    async find(prospectIds) {
      if (prospectIds.length === 0) return [];
      const requestedIds = new Set(prospectIds);
      const { items } = requireAnswer(
        peopleIn(await call("prospects", { prospectIds: [...requestedIds] }), requestedIds.size),
      );
      const own = new Map(items.map((person) => [person.id, person]));
      return prospectIds.flatMap((id) => own.get(id) ?? []);
    },
    async reveal(
      prospectIds: readonly string[],
      fields: readonly RevealField[],
      idempotencyKey: string,
    ): Promise<Map<string, Contact>> {
      if (prospectIds.length === 0) return new Map();
      const json = await call("reveal", { prospectIds, fields }, idempotencyKey);
      return requireAnswer(contactsIn(json, new Set(prospectIds), fields));
    },
  };
}

function requireAnswer<T>(read: T | null): T {
  if (read === null) throw new LeadSearchTrouble("ANSWER_INVALID");
  return read;
}

function jsonIn({ bodyExcerpt, isBodyComplete }: EgressResponse): unknown {
  // An interrupted answer may arrive completely next time; one that is too long or not JSON would be the same again
  if (!isBodyComplete && bodyExcerpt.length < MOST_BYTES) throw new LeadSearchTrouble("UNAVAILABLE");
  try {
    if (isBodyComplete) return JSON.parse(bodyExcerpt.toString("utf8"));
  } catch {}
  throw new LeadSearchTrouble("ANSWER_INVALID");
}

function troubleOf({ statusCode, headers }: EgressResponse): LeadSearchTrouble {
  const retryAfter = [headers["retry-after"]].flat()[0] ?? "";
  const retryAfterSeconds = /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : null;
  if (statusCode === 429) return new LeadSearchTrouble("RATE_LIMITED", { retryAfterSeconds });
  if (statusCode >= 500) return new LeadSearchTrouble("UNAVAILABLE", { retryAfterSeconds });
  if (statusCode === 401 || statusCode === 403) return new LeadSearchTrouble("KEY_REFUSED");
  return new LeadSearchTrouble(statusCode >= 400 ? "REFUSED" : "ANSWER_INVALID");
}

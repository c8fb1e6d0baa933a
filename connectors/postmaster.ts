import { setTimeout as delay } from "node:timers/promises";
import type { z } from "zod";
import type { PostmasterAccess } from "../domain/deliverability/postmaster.ts";
import {
  type ComplianceRow,
  type DomainStat,
  type MetricDefinition,
  POSTMASTER_METRICS,
  type PostmasterError,
} from "../domain/deliverability/postmaster.ts";
import { googleTokens } from "./google-tokens.ts";
import type { Egress, EgressResponse } from "./net/egress.ts";
import { EgressError } from "./net/egress-error.ts";
import { OAuthTrouble } from "./oauth.ts";
import { complianceIn, DomainsAnswer, reasonsIn, StatsAnswer, statIn } from "./postmaster-answers.ts";

export interface PostmasterClient {
  /**
   * The domains that the account may read, and whether the account has verified that it owns each. @throws
   * PostmasterTrouble
   */
  listDomains(signal: AbortSignal): Promise<Map<string, { isVerified: boolean }>>;
  /** The values from the day `since` to the day `until`, both included. @throws PostmasterTrouble */
  readStats(
    domain: string,
    days: { since: string; until: string },
    signal: AbortSignal,
    definitions?: readonly MetricDefinition[],
  ): Promise<DomainStat[]>;
  /** Whether the domain follows Google's sender guidelines, as Google judges it. @throws PostmasterTrouble */
  readCompliance(domain: string, signal: AbortSignal): Promise<ComplianceRow[]>;
}

/** Thrown when a call fails. Users may see `code`; `reasons` are Google's codes, only for the log. */
export class PostmasterTrouble extends Error {
  readonly code: Exclude<PostmasterError, "NOT_LISTED" | "UNVERIFIED">;
  readonly reasons: readonly string[];
  constructor(code: PostmasterTrouble["code"], options: ErrorOptions & { reasons?: readonly string[] } = {}) {
    super(`Postmaster Tools: ${code}`, options);
    this.name = "PostmasterTrouble";
    this.code = code;
    this.reasons = options.reasons ?? [];
  }
}

/** OAuth scopes to list domains and read statistics; neither gives access to email. */
export const POSTMASTER_SCOPES = ["postmaster.domain", "postmaster.traffic.readonly"].map(
  (name) => `https://www.googleapis.com/auth/${name}`,
);

const CALL_MS = 20_000;
const MOST_BYTES = 4 * 1024 * 1024;
const PAGE_SIZE = 200;
const MOST_PAGES = 50;
/** Milliseconds to wait before retrying a call that exceeded the rate limit or failed at Google. */
const WAITS_MS = [1_000, 4_000, 16_000];
const LONGEST_WAIT_MS = 60_000;

/** A client for Google's Postmaster Tools API (v2), through the egress connector. */
export function postmasterClient(
  egress: Egress,
  { credentials, url }: PostmasterAccess,
  waitsMs = WAITS_MS,
): PostmasterClient {
  const tokens = googleTokens(egress, credentials, POSTMASTER_SCOPES);

  async function call(method: "GET" | "POST", path: string, signal: AbortSignal, body?: object): Promise<unknown> {
    for (const waitMs of [...waitsMs, null]) {
      const answer = await authorised(method, path, signal, body);
      if (answer.statusCode === 200) return jsonIn(answer);
      const trouble = troubleOf(answer);
      const isBusy = trouble.code === "RATE_LIMITED" || trouble.code === "UNAVAILABLE";
      if (!isBusy || waitMs === null) throw trouble;
      await delay(waitAsked(answer) ?? waitMs, undefined, { signal }).catch(() => {
        throw trouble; // the time is up: the last error is thrown
      });
    }
    throw new PostmasterTrouble("UNAVAILABLE");
  }

  /**
   * Makes a call with a token. A token may expire at any time, so a call that is refused because of it is repeated once
   * with a new one.
   */
  async function authorised(
    method: "GET" | "POST",
    path: string,
    signal: AbortSignal,
    body?: object,
  ): Promise<EgressResponse> {
    const token = await tokenOf();
    const answer = await exchange(method, path, signal, token, body);
    if (answer.statusCode !== 401) return answer;
    tokens.drop(token);
    return exchange(method, path, signal, await tokenOf(), body);
  }

  async function tokenOf(): Promise<string> {
    try {
      return await tokens.get();
    } catch (cause) {
      const isRefused = cause instanceof OAuthTrouble && cause.isRefusal;
      // The token endpoint's answer is not kept as the cause, because it may contain parts of the request
      throw new PostmasterTrouble(isRefused ? "CREDENTIALS_REFUSED" : "UNAVAILABLE", { cause: egressCause(cause) });
    }
  }

  async function exchange(
    method: "GET" | "POST",
    path: string,
    signal: AbortSignal,
    token: string,
    body?: object,
  ): Promise<EgressResponse> {
    const headers = { authorization: `Bearer ${token}`, accept: "application/json" };
    const sent =
      body === undefined
        ? { headers }
        : { headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) };
    try {
      return await egress.request(`${url}/v2/${path}`, {
        method,
        ...sent,
        timeoutMs: CALL_MS,
        maxBodyBytes: MOST_BYTES,
        signal,
      });
    } catch (cause) {
      signal.throwIfAborted();
      throw new PostmasterTrouble("UNAVAILABLE", { cause: egressCause(cause) });
    }
  }

  /** Reads all pages. Throws when a page token is repeated, because it would cause an endless loop. */
  async function pages<T extends { nextPageToken?: string | undefined }>(
    shape: z.ZodType<T>,
    ask: (token: string) => Promise<unknown>,
  ): Promise<T[]> {
    const found: T[] = [];
    const seen = new Set<string>([""]);
    for (let token = ""; ; ) {
      const read = shape.safeParse(await ask(token));
      if (!read.success) throw new PostmasterTrouble("ANSWER_INVALID");
      found.push(read.data);
      token = read.data.nextPageToken ?? "";
      if (token === "") return found;
      if (seen.has(token) || seen.size >= MOST_PAGES) throw new PostmasterTrouble("ANSWER_INVALID");
      seen.add(token);
    }
  }

  return {
    async listDomains(signal) {
      const found = await pages(DomainsAnswer, (token) => {
        const query = new URLSearchParams({
          pageSize: String(PAGE_SIZE),
          ...(token !== "" && { pageToken: token }),
          alt: "json",
        });
        return call("GET", `domains?${query}`, signal);
      });
      const domains = found.flatMap(({ domains }) => domains);
      return new Map(
        domains.map(({ name, verificationState }) => [
          name.replace(/^domains\//, "").toLowerCase(),
          { isVerified: verificationState !== "UNVERIFIED" },
        ]),
      );
    },

    async readStats(domain, { since, until }, signal, definitions = POSTMASTER_METRICS) {
      const dateRanges = [{ start: dateOf(since), end: dateOf(until) }];
      const query = {
        metricDefinitions: definitions,
        timeQuery: { dateRanges: { dateRanges } },
        aggregationGranularity: "DAILY",
        pageSize: PAGE_SIZE,
      };
      const found = await pages(StatsAnswer, (token) => {
        const body = { ...query, ...(token !== "" && { pageToken: token }) };
        return call("POST", `domains/${encodeURIComponent(domain)}/domainStats:query?alt=json`, signal, body);
      });
      return found.flatMap(({ domainStats }) => domainStats.flatMap(statIn));
    },

    async readCompliance(domain, signal) {
      const rows = complianceIn(
        await call("GET", `domains/${encodeURIComponent(domain)}/complianceStatus?alt=json`, signal),
      );
      if (rows === null) throw new PostmasterTrouble("ANSWER_INVALID");
      return rows;
    },
  };
}

function jsonIn({ bodyExcerpt, isBodyComplete }: EgressResponse): unknown {
  try {
    if (isBodyComplete) return JSON.parse(bodyExcerpt.toString("utf8"));
  } catch {}
  throw new PostmasterTrouble("ANSWER_INVALID");
}

/**
 * Google answers 429, or 403 with a reason that names the limit, when the rate is exceeded. Any other 403 is a refusal.
 */
function troubleOf({ statusCode, bodyExcerpt }: EgressResponse): PostmasterTrouble {
  const reasons = reasonsIn(bodyExcerpt.toString("utf8"));
  const isRate = reasons.some((reason) =>
    /^((user|daily)?_?(rate)?_?limit|quota)_?exceeded$|^resource_exhausted$/i.test(reason),
  );
  if (statusCode === 429 || (statusCode === 403 && isRate)) return new PostmasterTrouble("RATE_LIMITED", { reasons });
  if (statusCode >= 500) return new PostmasterTrouble("UNAVAILABLE", { reasons });
  const codes: Record<number, PostmasterTrouble["code"]> = {
    401: "CREDENTIALS_REFUSED",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
  };
  return new PostmasterTrouble(codes[statusCode] ?? (statusCode >= 400 ? "REFUSED" : "ANSWER_INVALID"), { reasons });
}

/** The wait from `Retry-After` in milliseconds, at most a minute; null without a number. */
function waitAsked({ headers }: EgressResponse): number | null {
  const retryAfter = [headers["retry-after"]].flat()[0] ?? "";
  return /^\d{1,6}$/.test(retryAfter) ? Math.min(LONGEST_WAIT_MS, Number(retryAfter) * 1_000) : null;
}

/**
 * Finds the egress connector's error among the causes of a failure. It says why there was no answer, and contains
 * nothing from the request.
 */
function egressCause(error: unknown): EgressError | undefined {
  for (let one = error, depth = 0; one instanceof Error && depth < 8; one = one.cause, depth++)
    if (one instanceof EgressError) return one;
  return undefined;
}

function dateOf(day: string) {
  const [year, month, dayOfMonth] = day.split("-").map(Number);
  return { year, month, day: dayOfMonth };
}

import { randomBytes } from "node:crypto";
import { type GraphAnswer, refuse } from "./faults.ts";
import type { GraphChange, GraphItem, GraphMailbox } from "./mailbox.ts";
import { resourceOf } from "./resource.ts";
import type { GraphCall, GraphSettings } from "./settings.ts";

const OPTIONS = ["$filter", "$orderby", "$select", "$top", "$skip", "$count", "$expand"];
const COMPARISONS: Record<string, (order: number) => boolean> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  ge: (order) => order >= 0,
  gt: (order) => order > 0,
  le: (order) => order <= 0,
  lt: (order) => order < 0,
};

interface Condition {
  property: string;
  holds: (item: GraphItem) => boolean;
}

/** `property eq 'text' and receivedDateTime ge 2026-01-02T03:04:05Z`; null where the clause is not understood. */
function conditionsOf(filter: string | null): Condition[] | null {
  if (filter === null) return [];
  const conditions = filter.split(/ and /i).map((clause) => {
    const match = /^\(?(\w+) (eq|ne|ge|gt|le|lt) (?:'((?:[^']|'')*)'|([\w:.+-]+))\)?$/.exec(clause.trim());
    const [, property = "", comparison = "", text, bare = ""] = match ?? [];
    const holds = COMPARISONS[comparison];
    if (holds === undefined) return null;
    const isTime = property.endsWith("DateTime");
    const wanted = text?.replaceAll("''", "'") ?? (isTime ? new Date(bare).toISOString().slice(0, 19) : bare);
    return {
      property,
      holds: (item: GraphItem) => {
        const value = String(resourceOf(item, { isImmutable: true, select: null })[property]);
        return holds(compare(isTime ? value.slice(0, 19) : value, wanted));
      },
    };
  });
  return conditions.includes(null) ? null : conditions.filter((condition) => condition !== null);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

export function selectOf(query: URLSearchParams): string[] | null {
  return query.get("$select")?.split(",") ?? null;
}

/** The extended property that is asked for: null for none, `unknown` for anything else. */
export function expandOf(query: URLSearchParams): string | null {
  const expand = query.get("$expand");
  if (expand === null) return null;
  return /^singleValueExtendedProperties\(\$filter=id eq '(\w+ 0x[\dA-Fa-f]+)'\)$/.exec(expand)?.[1] ?? "unknown";
}

/** The messages of a folder, or of the whole mailbox with drafts and deleted items; newest first. */
export function listMessages(call: GraphCall, folderId: string | null, settings: GraphSettings): GraphAnswer {
  const { mailbox, query, isImmutable, base } = call;
  const unknown = [...query.keys()].find((key) => !OPTIONS.includes(key));
  if (unknown !== undefined) return refuse("BadRequest", { message: `The stand-in does not know ${unknown}.` });
  const [conditions, expand] = [conditionsOf(query.get("$filter")), expandOf(query)];
  if (expand === "unknown") return refuse("BadRequest", { message: "Invalid expand clause" });
  if (conditions === null) return refuse("BadRequest", { message: "Invalid filter clause" });
  const [orderBy = "receivedDateTime", direction = query.has("$orderby") ? "asc" : "desc"] =
    query.get("$orderby")?.split(/[ ,]/) ?? [];
  // What orders must also stand first in the filter
  if (query.has("$orderby") && conditions.length > 0 && conditions[0]?.property !== orderBy)
    return refuse("InefficientFilter");
  const key = (item: GraphItem) => String(resourceOf(item, { isImmutable, select: null })[orderBy]);
  const sign = direction === "desc" ? -1 : 1;
  const found = mailbox
    .in(folderId)
    .filter((item) => conditions.every(({ holds }) => holds(item)))
    .sort((one, other) => sign * compare(key(one), key(other)));
  const skip = Number(query.get("$skip") ?? 0);
  const next = skip + Math.min(Number(query.get("$top") ?? settings.pageSize), 1_000);
  const nextQuery = new URLSearchParams(query);
  nextQuery.set("$skip", String(next));
  const path = call.folder === null ? "" : `/mailFolders/${call.folder}`;
  return {
    status: 200,
    body: {
      "@odata.context": `${call.host}/v1.0/$metadata#users('${mailbox.userId}')/messages`,
      ...(query.has("$count") && { "@odata.count": found.length }),
      value: found.slice(skip, next).map((item) => resourceOf(item, { isImmutable, select: selectOf(query), expand })),
      ...(next < found.length && { "@odata.nextLink": `${base}${path}/messages?${nextQuery}` }),
    },
  };
}

interface DeltaEntry {
  kind: GraphChange["kind"];
  immutableId: string;
  id: string;
}

/** What a token stands for: the options of the first request, what is left of a round, and where the next one begins. */
interface DeltaState {
  mailbox: GraphMailbox;
  folderId: string;
  options: URLSearchParams;
  pending: DeltaEntry[] | null;
  seq: number;
}

/** Changes of one folder, by tokens that can be used again until they expire. */
export function deltaTokens(settings: GraphSettings) {
  const tokens = new Map<string, DeltaState>();

  function answer(call: GraphCall, folderId: string): GraphAnswer {
    const { mailbox, query, isImmutable } = call;
    const token = query.get("$deltatoken") ?? query.get("$skiptoken");
    let state = tokens.get(token ?? "");
    if (token !== null && state?.mailbox !== mailbox) return refuse("SyncStateNotFound");
    if (state === undefined) {
      const refusal = refusalOf(query);
      if (refusal !== null) return refusal;
      const pending = firstRound(mailbox, folderId, query);
      state = { mailbox, folderId, options: query, pending, seq: mailbox.changes.length };
    } else if (state.pending === null) {
      const changes = mailbox.changes.slice(state.seq).filter((change) => change.folderId === folderId);
      state = { ...state, pending: nextRound(changes, isImmutable), seq: mailbox.changes.length };
    }
    const { options, seq } = state;
    const wanted = options.get("changeType");
    const kinds = { created: "created", updated: "updated", deleted: "removed" }[wanted ?? ""];
    const all = (state.pending ?? []).filter(({ kind }) => kinds === undefined || kind === kinds);
    const preferred = /odata\.maxpagesize=(\d+)/.exec(String(call.headers["prefer"] ?? ""))?.[1];
    const size = Number(preferred ?? options.get("$top") ?? settings.pageSize);
    const value = all.slice(0, size).flatMap((entry) => entryShown(entry, state, isImmutable));
    const rest = all.slice(size);
    const nextToken = randomBytes(18).toString("base64url");
    tokens.set(nextToken, { ...state, pending: rest.length > 0 ? rest : null, seq });
    const link = `${call.base}/mailFolders('${folderId}')/messages/delta`;
    const links =
      rest.length > 0
        ? { "@odata.nextLink": `${link}?$skiptoken=${nextToken}` }
        : { "@odata.deltaLink": `${link}?$deltatoken=${nextToken}` };
    const context = `${call.host}/v1.0/$metadata#Collection(message)`;
    return { status: 200, body: { "@odata.context": context, ...links, value } };
  }

  return { answer, expire: () => tokens.clear() };
}

function refusalOf(query: URLSearchParams): GraphAnswer | null {
  const filter = query.get("$filter");
  const isFilterKnown = filter === null || /^receivedDateTime (ge|gt) [\w:.-]+$/.test(filter);
  const order = query.get("$orderby");
  const isOrderKnown = order === null || order.toLowerCase() === "receiveddatetime desc";
  const unknown = [
    ...[...query.keys()].filter(
      (key) => key.startsWith("$") && !["$filter", "$orderby", "$select", "$top", "$expand"].includes(key),
    ),
    ...(isFilterKnown ? [] : ["$filter"]),
    ...(isOrderKnown ? [] : ["$orderby"]),
  ];
  const message = `The following parameters are not supported with change tracking over the 'Messages' resource: '${unknown.join(", ")}'.`;
  return unknown.length > 0 ? refuse("ErrorInvalidUrlQuery", { message }) : null;
}

/** Everything in the folder, in no order that could be relied on. A filter shows at most 5,000. */
function firstRound(mailbox: GraphMailbox, folderId: string, query: URLSearchParams): DeltaEntry[] {
  const items = mailbox.in(folderId).filter(fits(query));
  const ordered = query.has("$orderby")
    ? items.sort((one, other) => other.receivedAt.getTime() - one.receivedAt.getTime())
    : items.sort((one, other) => compare(one.immutableId, other.immutableId));
  const shown = query.has("$filter") ? ordered.slice(0, 5_000) : ordered;
  return shown.map(({ immutableId, id }) => ({ kind: "created", immutableId, id }));
}

/**
 * The last change of each item. With immutable ids an item that left the folder and came back shows as removed, until
 * it changes again; with the other ids it is another item.
 */
function nextRound(changes: readonly GraphChange[], isImmutable: boolean): DeltaEntry[] {
  const entries = new Map<string, DeltaEntry>();
  for (const { kind, immutableId, id } of changes) {
    const key = isImmutable ? immutableId : id;
    const before = entries.get(key)?.kind;
    if (before === "removed" && kind === "created") continue;
    entries.set(key, { kind: before === "created" && kind === "updated" ? "created" : kind, immutableId, id });
  }
  return [...entries.values()];
}

function fits(query: URLSearchParams): (item: GraphItem) => boolean {
  const conditions = conditionsOf(query.get("$filter")) ?? [];
  return (item) => conditions.every(({ holds }) => holds(item));
}

function entryShown(entry: DeltaEntry, { mailbox, folderId, options }: DeltaState, isImmutable: boolean): object[] {
  const type = { "@odata.type": "#microsoft.graph.message" };
  const item = mailbox.items.get(entry.immutableId);
  if (entry.kind === "removed")
    return [{ ...type, id: isImmutable ? entry.immutableId : entry.id, "@removed": { reason: "deleted" } }];
  // It left the folder after the round began: the next round shows it as removed
  if (item === undefined || item.folderId !== folderId || !fits(options)(item)) return [];
  return [{ ...type, ...resourceOf(item, { isImmutable, select: selectOf(options) }) }];
}

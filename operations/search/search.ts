import { z } from "zod";
import type { Scope } from "../../domain/scopes.ts";
import { whenInTime } from "../../mongo/unfit.ts";
import type { Context } from "../context.ts";
import type { Declaration } from "../declaration.ts";
import { nullable, wholeNumber, search as words } from "../fields.ts";
import { operation } from "../operation.ts";
import { findCampaigns, findLists, findMailboxes, findTemplates } from "./find-by-name.ts";
import { findLeads, findThreads } from "./find-by-words.ts";
import { HIT_KINDS, type SearchedKind, type SearchHit } from "./hit.ts";

interface Searching {
  /** The scopes of which the caller needs one. */
  scopes: readonly Scope[];
  /** Returns at most `limit` matches of the kind. */
  find(ctx: Context, words: string, limit: number): Promise<SearchHit[]>;
}

const SEARCHES: Record<SearchedKind, Searching> = {
  CAMPAIGN: { scopes: ["campaigns:read"], find: (ctx, ...asked) => findCampaigns(ctx.workspaceId, ...asked) },
  LEAD: { scopes: ["leads:read"], find: (ctx, ...asked) => findLeads(ctx.workspaceId, ...asked) },
  LIST: { scopes: ["lead_lists:read"], find: (ctx, ...asked) => findLists(ctx.workspaceId, ...asked) },
  MAILBOX: { scopes: ["mailboxes:read"], find: (ctx, ...asked) => findMailboxes(ctx.workspaceId, ...asked) },
  THREAD: { scopes: ["inbox:read"], find: (ctx, ...asked) => findThreads(ctx.workspaceId, ...asked) },
  TEMPLATE: {
    scopes: ["campaigns:read", "inbox:read"],
    find: ({ workspaceId, scopes }, ...asked) =>
      findTemplates(workspaceId, ...asked, scopes.has("campaigns:read") ? undefined : "REPLY"),
  },
};

const kinds = (what: string) => z.array(z.enum(HIT_KINDS)).describe(what);

const Result = z
  .object({
    kind: z.enum(HIT_KINDS).describe("What it is"),
    id: z.string().describe("Its id"),
    title: z
      .string()
      .describe("The name; for a mailbox, or a lead without a name, the address; for a thread, the first participant"),
    detail: nullable(z.string()).describe(
      "The goal of a campaign, the address and company of a lead, the description of a list, the name of a mailbox, the subject of a thread or template",
    ),
    state: nullable(z.string()).describe(
      "The status of a campaign, lead or mailbox, the type of a list, the kind of a template, ARCHIVED for an archived thread",
    ),
  })
  .meta({ id: "SearchResult", description: "A record that a search found" });

const search = operation({
  summary:
    "Search campaigns, leads, lead lists, mailboxes, threads and templates at once, each as its own list does; only kinds whose scope the caller holds",
  scope: null,
  sometimesScopes: ["campaigns:read", "leads:read", "lead_lists:read", "mailboxes:read", "inbox:read"],
  input: z.strictObject({
    q: words.describe("The search words, 1 to 100 characters; accents and case are ignored, every word must match"),
    limit: wholeNumber(1, 20).default(5).describe("The most results of each kind, 1 to 20. Default 5"),
  }),
  output: z
    .object({
      results: z.array(Result).describe("The results by kind, newest first within a kind"),
      searched: kinds("The kinds that the caller may read"),
      more: kinds("The kinds with more matches than `limit`; their own lists show all"),
      partial: kinds("The kinds that could not be searched in time and have no results"),
    })
    .meta({ id: "SearchResults", description: "The results of a search over several kinds of records" }),
  async run(ctx, { q, limit }) {
    const searched = HIT_KINDS.filter((kind) => SEARCHES[kind].scopes.some((scope) => ctx.scopes.has(scope)));
    const found = await Promise.all(
      searched.map(async (kind) => [kind, await whenInTime(SEARCHES[kind].find(ctx, q, limit + 1))] as const),
    );
    return {
      results: found.flatMap(([, results]) => (results ?? []).slice(0, limit)),
      searched,
      more: found.flatMap(([kind, results]) => ((results ?? []).length > limit ? kind : [])),
      partial: found.flatMap(([kind, results]) => (results === null ? kind : [])),
    };
  },
});

export const searchDeclaration = {
  verbs: { "search.all": search },
  routes: [["get", "/search", search]],
} as const satisfies Declaration;

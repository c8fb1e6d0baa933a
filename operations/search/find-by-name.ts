import { isNamed } from "../../domain/fold.ts";
import type { TemplateKind } from "../../domain/states.ts";
import { scoped } from "../../models/scoped.ts";
import type { Collection } from "../../mongo/collection.ts";
import { type Filter, trusted } from "../../mongo/collection.ts";
import type { Owned } from "../../mongo/schema.ts";
import { findNamed } from "../find-named.ts";
import type { SearchHit } from "./hit.ts";

/** The newest campaigns whose names contain each word of the search. */
export async function findCampaigns(workspaceId: string, words: string, limit: number): Promise<SearchHit[]> {
  const { Campaign } = scoped(workspaceId);
  const select = { name: 1, goal: 1, status: 1 } as const;
  const found = await newest(Campaign, await findNamed(Campaign, words, ["name"]), limit, select);
  return found.map(({ _id, name, goal, status }) => ({
    kind: "CAMPAIGN",
    id: _id,
    title: name,
    detail: goal,
    state: status,
  }));
}

export async function findLists(workspaceId: string, words: string, limit: number): Promise<SearchHit[]> {
  const { LeadList } = scoped(workspaceId);
  const select = { name: 1, description: 1, type: 1 } as const;
  const found = await newest(LeadList, await findNamed(LeadList, words, ["name"]), limit, select);
  return found.map(({ _id, name, description, type }) => ({
    kind: "LIST",
    id: _id,
    title: name,
    detail: description,
    state: type,
  }));
}

/** The newest mailboxes by parts of address, name or tags, as their list finds them. */
export async function findMailboxes(workspaceId: string, words: string, limit: number): Promise<SearchHit[]> {
  const select = { email: 1, name: 1, tags: 1, status: 1 } as const;
  const all = await scoped(workspaceId).Mailbox.find({}, { sort: { _id: -1 }, select });
  const found = all.filter(({ email, name, tags }) => isNamed(words, [email, name ?? "", ...tags]));
  return found.slice(0, limit).map(({ _id, email, name, status }) => ({
    kind: "MAILBOX",
    id: _id,
    title: email,
    detail: name,
    state: status,
  }));
}

/** The newest templates by name or subject; `only` limits them to a kind. */
export async function findTemplates(
  workspaceId: string,
  words: string,
  limit: number,
  only?: TemplateKind,
): Promise<SearchHit[]> {
  const { Template } = scoped(workspaceId);
  const select = { name: 1, kind: 1, subject: 1 } as const;
  const ids = await findNamed(Template, words, ["name", "subject"]);
  const found = await newest(Template, ids, limit, select, only === undefined ? {} : { kind: only });
  return found.map(({ _id, name, kind, subject }) => ({
    kind: "TEMPLATE",
    id: _id,
    title: name,
    detail: subject,
    state: kind,
  }));
}

function newest<T extends Owned>(
  collection: Collection<T>,
  ids: readonly string[],
  limit: number,
  select: Record<string, 1>,
  also: Filter<T> = {},
): Promise<T[]> {
  const filter: Filter<T> = { ...also, _id: trusted({ $in: [...ids] }) };
  return collection.find(filter, { sort: { _id: -1 }, limit, select });
}

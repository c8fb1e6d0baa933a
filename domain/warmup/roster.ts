import { mix, seedOf } from "./day-hash.ts";
import type { PlannedMailbox } from "./partners.ts";

/** Members at consecutive positions: from `from` up to, but not including, `to`. */
export interface Block {
  from: number;
  to: number;
}

/** How many of the sort keys of members define a block. */
const BLOCKS = 2;

type Member = Pick<PlannedMailbox, "mailboxId" | "workspaceId" | "organisation">;

/**
 * The members of a pool in such an order that the members to whom a mailbox may not write are in a few blocks. The
 * order is different each day. Where partners must belong to different workspaces, a workspace is a block. The
 * exception is a domain that is in several workspaces, such as a mail provider's: such a domain is a block, and each
 * workspace within it is a block inside that block. Otherwise each domain is a block.
 */
export class Roster {
  /** Numbers of mailboxes by place. */
  readonly members: readonly number[];
  readonly #blocks = new Map<string, Block>();
  readonly #acrossWorkspaces: boolean;
  /** Domains that are in several workspaces, by workspace. */
  readonly #sharedDomains = new Map<string, Set<string>>();

  constructor(mailboxes: readonly Member[], members: readonly number[], acrossWorkspaces: boolean, daySeed: number) {
    this.#acrossWorkspaces = acrossWorkspaces;
    const all = members.flatMap((number) => mailboxes[number] ?? []);
    if (acrossWorkspaces) this.#findSharedDomains(all);
    const lines = members.flatMap((number) => {
      const member = mailboxes[number];
      return member === undefined
        ? []
        : [{ number, keys: [...this.#blocksOf(member), member.mailboxId].map((text) => keyOf(text, daySeed)) }];
    });
    lines.sort((one, other) => compareKeys(one.keys, other.keys));
    this.members = lines.map(({ number }) => number);
    for (const [place, { keys }] of lines.entries())
      for (const { text } of keys.slice(0, BLOCKS)) this.#lengthen(text, place);
  }

  /** The positions of the members to whom a mailbox may not write, including itself, in order. */
  bansOf({ organisation, workspaceId }: Omit<Member, "mailboxId">): Block[] {
    const others = [...(this.#sharedDomains.get(workspaceId) ?? [])].filter((domain) => domain !== organisation);
    const names = [domainBlock(organisation), ...others.map((domain) => innerBlock(domain, workspaceId))];
    if (this.#acrossWorkspaces) names.push(workspaceBlock(workspaceId));
    return names.flatMap((name) => this.#blocks.get(name) ?? []).sort((one, other) => one.from - other.from);
  }

  #blocksOf({ organisation, workspaceId }: Member): [string, string] {
    const ofWorkspace = this.#acrossWorkspaces && !this.#sharedDomains.get(workspaceId)?.has(organisation);
    return [
      ofWorkspace ? workspaceBlock(workspaceId) : domainBlock(organisation),
      innerBlock(organisation, workspaceId),
    ];
  }

  #lengthen(name: string, place: number): void {
    const block = this.#blocks.get(name);
    if (block === undefined) this.#blocks.set(name, { from: place, to: place + 1 });
    else block.to = place + 1;
  }

  #findSharedDomains(all: readonly Member[]): void {
    for (const [domain, members] of Map.groupBy(all, ({ organisation }) => organisation)) {
      const workspaces = new Set(members.map(({ workspaceId }) => workspaceId));
      if (workspaces.size < 2) continue;
      for (const workspaceId of workspaces)
        this.#sharedDomains.set(workspaceId, (this.#sharedDomains.get(workspaceId) ?? new Set()).add(domain));
    }
  }
}

function workspaceBlock(workspaceId: string): string {
  return `workspace ${workspaceId}`;
}

function domainBlock(organisation: string): string {
  return `domain ${organisation}`;
}

function innerBlock(organisation: string, workspaceId: string): string {
  return `${domainBlock(organisation)} in ${workspaceId}`;
}

interface Key {
  text: string;
  seed: number;
}

function keyOf(text: string, daySeed: number): Key {
  return { text, seed: mix(daySeed, seedOf(text)) };
}

/**
 * Compares the sort keys of two members by the day's random number of each key. Two keys with the same number are
 * compared as texts, so that a block is never split.
 */
function compareKeys(one: readonly Key[], other: readonly Key[]): number {
  for (const [index, { text, seed }] of one.entries()) {
    const against = other[index];
    if (against === undefined || text === against.text) continue;
    return seed - against.seed || (text < against.text ? -1 : 1);
  }
  return 0;
}

import type { BlockType } from "../../../../domain/states.ts";

export const BLOCK_TYPE: Record<BlockType, string> = { EMAIL: "one address", DOMAIN: "domain and all below it" };

/** What the block list says. */
export const blockListWords = {
  title: "Block list",
  lead: "Nothing is ever sent to these addresses and domains, whoever imports them again.",
  empty: "Nothing is blocked. Competitors, customers and whoever wants no mail belong here.",
  what: "Blocks",
  since: "Since",
  add: "Block…",
  addTitle: "Block an address or a domain",
  value: "Address or domain",
  valueHint: "ada@acme.com, or acme.com for everybody there and below it",
  reason: "Why, for whoever reads it later",
  effectOfNone: "At once nothing is sent there any more. Whoever is open in a campaign is taken out of it.",
  effectOfAddress: (address: string) =>
    `At once nothing is sent to ${address} any more, and it is taken out of every campaign in which it is open. What was sent stays.`,
  effectOfDomain: (domain: string) =>
    `At once nothing is sent to anybody at ${domain} or below it any more. Whoever is open in a campaign ends there when the next mail would be due. What was sent stays.`,
  act: "Block",
  remove: "Unblock",
  removeEffect: (value: string) => `${value} may be written to again. Nothing is sent by this alone.`,
  removeKeeps: "Whom this entry took out of a campaign stays out, and whoever is suppressed for another reason stays so.",
  saidAdded: (value: string) => `${value} is blocked.`,
  saidRemoved: (value: string) => `${value} is not blocked any more.`,
} as const;

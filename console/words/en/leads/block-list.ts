import type { BlockType } from "../../../../domain/states.ts";

export const BLOCK_TYPE: Record<BlockType, string> = { EMAIL: "one address", DOMAIN: "domain and subdomains" };

/** The texts of the block list. */
export const blockListWords = {
  valueHead: "Value",
  title: "Block list",
  lead: "Outreach never emails these addresses and domains, even if they are imported again.",
  empty: "Nothing blocked yet. Add competitors, customers and people who do not want emails.",
  what: "Type",
  since: "Since",
  add: "Block…",
  addTitle: "Block an address or a domain",
  value: "Address or domain",
  valueHint: "ada@acme.com, or acme.com for everyone there, including subdomains",
  reason: "Reason (shown to your team)",
  effectOfNone: "Nothing is sent there any more. Open recipients are removed from their campaigns.",
  effectOfAddress: (address: string) =>
    `Nothing is sent to ${address} any more, and it is removed from every campaign. Sent emails stay.`,
  effectOfDomain: (domain: string) =>
    `Nothing is sent to anyone at ${domain} or its subdomains any more. Open recipients are removed when their next email is due. Sent emails stay.`,
  act: "Block",
  remove: "Unblock",
  removeEffect: (value: string) => `${value} can be contacted again. This alone sends nothing.`,
  removeKeeps:
    "Recipients that this entry removed from a campaign stay removed. People suppressed for another reason stay suppressed.",
  saidAdded: (value: string) => `${value} is blocked.`,
  saidRemoved: (value: string) => `${value} is not blocked any more.`,
} as const;

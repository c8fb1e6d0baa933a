import type { Workspaced } from "../../models/scoped.ts";
import { EXEMPT } from "./exempt.ts";
import { type AnyHolding, type Entries, isHolding, type KeptData } from "./holding.ts";
import { INBOX_HELD } from "./inbox-held.ts";
import { SHARED, type SharedEntry, type SharedHolding } from "./installation.ts";
import { LEADS_HELD } from "./leads-held.ts";
import { SENDING_HELD } from "./sending-held.ts";
import { WORK_HELD } from "./work-held.ts";

/** What each collection of a workspace holds about people (rules/evidence 4.3). */
export const PERSON_TABLE: Entries<keyof Workspaced> = {
  ...EXEMPT,
  ...LEADS_HELD,
  ...SENDING_HELD,
  ...INBOX_HELD,
  ...WORK_HELD,
};

/**
 * The order in which a person is erased. Recipients end first. A thread comes after its emails, and a lead after
 * everything that is found by its id, so that an erasure that was interrupted finds the rest.
 */
const FIRST: readonly (keyof Workspaced)[] = ["Recipient", "ScheduledReply", "OutgoingMail", "BlockListEntry"];
const LAST: readonly (keyof Workspaced)[] = ["WebhookDelivery", "ActivityEvent", "Message", "Send", "Thread", "Lead"];

/** The collections of a workspace that hold data of people, in the order in which they are erased. */
export const HOLDINGS: readonly AnyHolding[] = inOrder();

export interface NamedShared {
  model: keyof typeof SHARED;
  holding: SharedHolding;
}

const sharedEntries = Object.entries(SHARED) as [keyof typeof SHARED, SharedEntry][]; // keys of the same object

/** The collections that all workspaces share and that hold data of people. */
export const SHARED_HOLDINGS: readonly NamedShared[] = sharedEntries.flatMap(([model, holding]) =>
  "erase" in holding ? [{ model, holding }] : [],
);

const EXPORTS: KeptData = {
  what: "files of workspace exports",
  why: "a file that was made before the erasure is deleted a day after it was made",
};

const entries = [...Object.values(PERSON_TABLE), ...Object.values(SHARED)];
const kept: readonly KeptData[] = [
  ...entries.flatMap((entry) => ("kept" in entry && entry.kept !== undefined ? [entry.kept] : [])),
  EXPORTS,
];

/** What an erasure keeps, each kind once. */
export const KEPT: readonly KeptData[] = kept.filter(
  ({ what }, at) => kept.findIndex((one) => one.what === what) === at,
);

function inOrder(): AnyHolding[] {
  const models = Object.keys(PERSON_TABLE) as (keyof Workspaced)[]; // keys of the same object
  const rest = models.filter((model) => !FIRST.includes(model) && !LAST.includes(model));
  return [...FIRST, ...rest, ...LAST].flatMap((model) => {
    const entry = PERSON_TABLE[model];
    return isHolding(entry as never) ? [{ model, holding: entry as unknown as AnyHolding["holding"] }] : [];
  });
}

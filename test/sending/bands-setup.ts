import { randomUUID } from "node:crypto";
import { afterAll, beforeAll } from "@jest/globals";
import type { Band } from "../../domain/mailboxes/band.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { newId } from "../../mongo/ids.ts";
import type { ClaimRequest } from "../../store/sending/claim-conditions.ts";
import { storedMailbox } from "../campaigns/campaign-parts.ts";
import { startWorld, type World } from "../support/world.ts";
import { type Claiming, claimingIn } from "./claiming.ts";

let world: World;

export let workspaceId: string;

let claiming: Claiming;

export let campaignId: string;

const NO_GAP = { minGapSeconds: 0, maxGapSeconds: 0 };

let made = 0;

export const freeMailbox = (fields: Partial<Mailbox> = {}) =>
  storedMailbox(workspaceId, { dailySendLimit: 0, ...NO_GAP, ...fields });

export const stored = async ({ _id }: Mailbox) =>
  (await scoped(workspaceId).Mailbox.get(_id)) ?? Promise.reject(new Error("gone"));

export const today = async ({ _id }: Mailbox) => scoped(workspaceId).MailboxDay.get(`${_id}:${utcDay(Date.now())}`);

/** A campaign email whose slot has come. */
export async function campaignMail(mailbox: Mailbox): Promise<ClaimRequest> {
  const send = await claiming.bookedSend(campaignId, `band${++made}@people.test`, mailbox);
  return { ...claiming.claimFor(send, campaignId, randomUUID()), mailbox: await stored(mailbox) };
}

/** An email without a campaign: warmup whose slot has come, or a reply. */
export async function singleMail(
  mailbox: Mailbox,
  kind: "WARMUP" | "REPLY",
  fields: Partial<Send> = {},
): Promise<ClaimRequest> {
  const _id = newId("snd");
  const slotAt = kind === "WARMUP" ? new Date(Date.now() - 1_000) : null;
  const row = {
    _id,
    kind,
    sendKey: _id,
    to: `single${++made}@people.test`,
    mailboxId: mailbox._id,
    state: "RESERVED" as const,
    slotAt,
  };
  const send = await scoped(workspaceId).Send.insert({ ...row, ...fields });
  return { ...claiming.claimFor(send, campaignId, randomUUID()), campaign: null, mailbox: await stored(mailbox) };
}

export const MAILS = {
  campaign: campaignMail,
  warmup: (mailbox: Mailbox) => singleMail(mailbox, "WARMUP"),
  person: (mailbox: Mailbox) => singleMail(mailbox, "REPLY"),
};

export const LEAVES: Record<keyof typeof MAILS, readonly Band[]> = {
  campaign: ["HEALTHY", "WATCH", "THROTTLED"],
  warmup: ["HEALTHY", "WATCH", "THROTTLED", "QUARANTINED"],
  person: ["HEALTHY", "WATCH", "THROTTLED", "QUARANTINED"],
};

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    world = await startWorld();
    ({ workspaceId } = await world.workspace());
    claiming = await claimingIn(workspaceId);
    campaignId = await claiming.activeCampaign();
  });
  afterAll(() => world.close());
}

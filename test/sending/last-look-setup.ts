import { randomUUID } from "node:crypto";
import { afterAll, beforeAll } from "@jest/globals";
import type { ClaimRequest } from "../../store/sending/claim-conditions.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";
import { at, type Claiming, claimingIn } from "./claiming.ts";

let world: World;

export let workspaceId: string;

export let rest: Rest;

let claiming: Claiming;

export interface Claimed {
  request: ClaimRequest;
  campaignId: string;
  recipientId: string;
  email: string;
  mailboxId: string;
}

/** An email that has been claimed, in a campaign of its own. */
export async function claimed(mailbox = 0): Promise<Claimed> {
  const campaignId = await claiming.activeCampaign();
  const email = `${randomUUID()}@mail.${randomUUID().slice(0, 8)}.test`;
  const send = await claiming.bookedSend(campaignId, email, at(claiming.mailboxes, mailbox));
  const result = await claiming.claimOf(send, campaignId, randomUUID());
  if (result.kind !== "claimed") throw new Error(`refused: ${result.kind}`);
  return {
    request: result.request,
    campaignId,
    recipientId: send.recipientId ?? "",
    email,
    mailboxId: send.mailboxId ?? "",
  };
}

export const domainOf = (email: string) => email.slice(email.indexOf("@") + 1);

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    world = await startWorld();
    ({ workspaceId, rest } = await world.workspace());
    claiming = await claimingIn(workspaceId);
  });
  afterAll(() => world.close());
}

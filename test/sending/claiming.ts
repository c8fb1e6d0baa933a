import { DEFAULT_SETTINGS } from "../../domain/campaigns/settings.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { newId, randomBase62 } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { createGates, shardOf } from "../../store/campaigns/gates.ts";
import { type ClaimResult, claim } from "../../store/sending/claim.ts";
import type { ClaimRequest } from "../../store/sending/claim-conditions.ts";

const STEP = "stp_1";

/** Rows that are ready to be claimed, and claims of them, in one workspace. */
export interface Claiming {
  /** Mailboxes without limits. Claims on different mailboxes are made together in one transaction. */
  mailboxes: Mailbox[];
  activeCampaign(): Promise<string>;
  /** From the first mailbox unless another is named. */
  bookedSend(campaignId: string, email: string, from?: Mailbox): Promise<Send>;
  claimFor(send: Send, campaignId: string, attemptId: string, fence?: number): ClaimRequest;
  claimOf(send: Send, campaignId: string, attemptId: string, fence?: number): Promise<ClaimResult>;
}

export async function claimingIn(workspaceId: string): Promise<Claiming> {
  const server = { host: "mail.test", port: 465, security: "SSL_TLS" as const };
  const unlimited = { dailySendLimit: 0, minGapSeconds: 0, maxGapSeconds: 0 };
  const mailboxes = await scoped(workspaceId).Mailbox.insertMany(
    ["ann", "bob", "cid", "dee", "eve", "fay", "gus", "hal"].map((username) => ({
      _id: newId("mbx"),
      email: `${username}-${workspaceId.toLowerCase()}@a.test`,
      username,
      smtp: server,
      imap: server,
      ...unlimited,
    })),
  );
  const first = at(mailboxes, 0);

  function claimFor(send: Send, campaignId: string, attemptId: string, fence = 0): ClaimRequest {
    const settings = { ...DEFAULT_SETTINGS, perMailboxDailyLimit: 0 };
    return {
      send,
      mailbox: mailboxes.find(({ _id }) => _id === send.mailboxId) ?? first,
      campaign: { campaignId, fence, settings, shard: shardOf(send.recipientId ?? "") },
      attemptId,
      messageId: `<${send._id}@a.test>`,
      bytesHash: "0",
      mailRef: send._id,
      content: { text: "Hello", html: null },
      tracking: null,
      subject: "Hi",
      variantId: null,
      checks: {},
    };
  }

  return {
    mailboxes,
    async activeCampaign() {
      const campaignId = newId("cmp");
      await scoped(workspaceId).Campaign.insert({
        _id: campaignId,
        name: "Race",
        status: "ACTIVE",
        statusChangedAt: new Date(),
        sequenceId: newId("seq"),
        settings: {},
      });
      await inTransaction(() => createGates(workspaceId, campaignId, true));
      return campaignId;
    },
    async bookedSend(campaignId, email, from = first) {
      const { Recipient, Send } = scoped(workspaceId);
      const recipientId = newId("rcp");
      await Recipient.insert({
        _id: recipientId,
        campaignId,
        leadId: newId("led"),
        email,
        cid: randomBase62(14),
        shard: shardOf(recipientId),
        nextStepId: STEP,
        mailboxId: from._id,
      });
      return Send.insert({
        _id: newId("snd"),
        campaignId,
        recipientId,
        stepId: STEP,
        to: email,
        mailboxId: from._id,
        state: "RESERVED",
        slotAt: new Date(Date.now() - 1_000),
      });
    },
    claimFor,
    claimOf: (send, campaignId, attemptId, fence) => claim(claimFor(send, campaignId, attemptId, fence)),
  };
}

export function at<T>(all: readonly T[], index: number): T {
  const one = all[index];
  if (one === undefined) throw new Error(`there is no number ${index}`);
  return one;
}

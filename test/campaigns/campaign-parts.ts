import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import type { Rest } from "../support/rest.ts";

/** A connected mailbox, stored as the connecting verb leaves it. No server is behind it. */
export async function storedMailbox(workspaceId: string, fields: Partial<Mailbox> = {}): Promise<Mailbox> {
  const _id = newId("mbx");
  const server = { host: "mail.example.test", port: 587, security: "STARTTLS" as const };
  const email = `${_id.toLowerCase()}@sender.test`;
  return scoped(workspaceId).Mailbox.insert({
    _id,
    email,
    name: "Grace Hopper",
    username: email,
    smtp: server,
    imap: server,
    ...fields,
  });
}

/** A campaign that can be launched: with a mailbox, and recipients at these addresses. */
export async function readyCampaign(rest: Rest, workspaceId: string, emails = ["ada@example.test"]) {
  const mailbox = await storedMailbox(workspaceId);
  const { body: campaign } = await rest.post("/campaigns", { name: "Spring" });
  const path = `/campaigns/${campaign.id}`;
  await writeOwnText(workspaceId, campaign.id);
  await rest.patch(`${path}/settings`, { mailboxIds: [mailbox._id], windows: ALWAYS });
  if (emails.length > 0) await rest.post(`${path}/recipients`, { action: "addManual", emails });
  return { campaignId: campaign.id as string, path, mailbox };
}

/**
 * Replaces the text that every campaign begins with, which cannot be launched; nothing else of the sequence changes.
 */
export async function writeOwnText(workspaceId: string, campaignId: string): Promise<void> {
  await scoped(workspaceId).Sequence.updateOne(
    { campaignId },
    { $set: { "steps.0.variants.0.bodyHtml": "<p>Hello, shall we talk?</p>" } },
  );
}

export const ALWAYS = [{ days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "24:00" }];

/** A delay that has passed at once. */
export const NOW = { value: 0, unit: "MINUTES" as const };

/** An e-mail step whose body repeats its subject. */
export const mail = (stepId: string, subject: string, more: object = {}) => ({
  stepId,
  subject,
  body: `<p>${subject}</p>`,
  delay: NOW,
  ...more,
});

/** A step of another type. */
export const other = (type: string, config: object = {}, more: object = {}) => ({ type, config, delay: NOW, ...more });

import type { MailTracking } from "../../domain/hits.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { type Hit, newHitId } from "../../models/tracking/hit.ts";
import { newId } from "../../mongo/ids.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import type { World } from "../support/world.ts";

export const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36";
/** An instant so long ago that no hit comes soon after it. */
export const SENT_AT = new Date("2025-05-05T09:00:00Z");
export const LATER = new Date("2025-05-05T10:00:00Z");

export const carrying = (links: number, more: Partial<MailTracking> = {}): MailTracking => ({
  opens: true,
  clicks: true,
  links: Array.from({ length: links }, (_, index) => ({ url: `https://shop.test/${index}`, converts: false })),
  ...more,
});

/** A campaign whose people have been sent an email, without any server behind it. */
export async function trackedCampaign(
  world: World,
  { people = 1, settings = {}, tracking = carrying(2), send = {}, owner }: Wanted = {},
) {
  const { rest, workspaceId } = owner ?? (await world.workspace());
  const emails = Array.from({ length: people }, (_, index) => `reader${index}@reader.test`);
  const { path, campaignId, mailbox } = await readyCampaign(rest, workspaceId, emails);
  if (Object.keys(settings).length > 0) await rest.patch(`${path}/settings`, settings);
  const { Recipient, Send, Sequence } = scoped(workspaceId);
  const stepId = (await Sequence.findOne({ campaignId }))?.steps[0]?.stepId ?? "";
  const recipients = await Recipient.find({ campaignId }, { sort: { _id: 1 } });
  const sends: Send[] = [];
  for (const { _id: recipientId, leadId, email: to } of recipients) {
    const ids = { campaignId, recipientId, leadId, stepId, variantId: "var_a", mailboxId: mailbox._id, to };
    sends.push(
      await Send.store({
        _id: newId("snd"),
        kind: "CAMPAIGN",
        ...ids,
        state: "SENT",
        sentAt: SENT_AT,
        tracking,
        ...send,
      }),
    );
    await Recipient.updateOne(
      { _id: recipientId },
      { $set: { status: "IN_PROGRESS", currentStepId: stepId, lastSentAt: SENT_AT, sentCount: 1 } },
    );
  }
  return { rest, path, workspaceId, campaignId, stepId, recipients, sends };
}

interface Wanted {
  people?: number;
  settings?: object;
  tracking?: MailTracking;
  send?: Partial<Send>;
  /** The workspace; a new one by default. */
  owner?: Pick<Awaited<ReturnType<World["workspace"]>>, "rest" | "workspaceId">;
}

/** Stores hits as the collecting door leaves them: due, unless said otherwise. */
export async function visit(send: Send, ...visits: (Partial<Hit> & { link?: number })[]): Promise<void> {
  await scoped(send.workspaceId).Hit.insertMany(
    visits.map(({ link, ...more }) => ({
      _id: newHitId(send._id),
      sendId: send._id,
      at: LATER,
      method: "GET",
      agent: CHROME,
      address: "198.51.100.7",
      dueAt: LATER,
      ...(link === undefined
        ? { kind: "OPEN" as const, linkIndex: null }
        : { kind: "CLICK" as const, linkIndex: link }),
      ...more,
    })),
  );
}

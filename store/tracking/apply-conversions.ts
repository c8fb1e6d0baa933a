import { sumOfDecimals } from "../../domain/decimals.ts";
import { isOpenStatus } from "../../domain/states.ts";
import type { Conversion } from "../../models/conversion.ts";
import type { Recipient } from "../../models/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { Workspace } from "../../models/workspace.ts";
import { newId } from "../../mongo/ids.ts";
import { heedMeeting } from "../inbox/meeting.ts";
import { nudge } from "../outbox.ts";
import { endRecipient } from "../recipients/stop.ts";
import type { ConversionGround } from "./conversion-ground.ts";

interface Accepted {
  row: Conversion;
  ground: ConversionGround;
}

/** Who is named as the one who set a lead's status when a conversion did. */
const ACTOR = "conversion";

/**
 * What follows from accepted conversions of one workspace (rules/tracking 5.5): the history, the outcome, the revenue and the stop. Call it in
 * the transaction that records them.
 */
export async function applyConversions(workspaceId: string, accepted: readonly Accepted[]): Promise<void> {
  if (accepted.length === 0) return;
  const { ActivityEvent, Recipient } = scoped(workspaceId);
  await ActivityEvent.bulk(accepted.map(({ row }) => ({ insert: happeningOf(row) })));
  const currency = accepted.some(({ row }) => row.type === "PURCHASE") ? await currencyOf(workspaceId) : "";
  const changes = [...Map.groupBy(accepted, ({ row }) => row.recipientId)].flatMap(([_id, own]) => {
    const [first] = own;
    const change =
      first === undefined
        ? {}
        : outcomeOf(
            first.ground.recipient,
            own.map(({ row }) => row),
            currency,
          );
    return Object.keys(change).length === 0 ? [] : [{ filter: { _id }, change: { $set: { ...change, updatedAt: new Date() } } }];
  });
  await Recipient.wroteAll(changes);
  const stopped = new Set<string>();
  for (const { row, ground } of accepted) await stop(row, ground, stopped);
  for (const campaignId of stopped) await nudge(workspaceId, "CAMPAIGN", { campaignId });
}

function happeningOf({ leadId, campaignId, recipientId, stepId, variantId, type, value, currency, url, receivedAt: at }: Conversion) {
  const data = { stepId, variantId, type, value, currency, url };
  return { _id: newId("evt"), type: "CONVERTED", at, leadId, campaignId, recipientId, actor: null, data };
}

type Outcome = Partial<Pick<Recipient, "meetingBooked" | "meetingBookedAt" | "revenueAmount" | "revenueCurrency" | "revenueCounted">>;

/** The first meeting, and the sum of purchases in the recipient's first currency unless somebody has set the amount by hand. */
function outcomeOf(recipient: Recipient, rows: readonly Conversion[], usual: string): Outcome {
  const meeting = rows.find(({ type }) => type === "MEETING_BOOKED");
  const outcome: Outcome =
    meeting === undefined || recipient.meetingBooked ? {} : { meetingBooked: true, meetingBookedAt: meeting.receivedAt };
  if (recipient.revenueAmount !== null && recipient.revenueAmount !== (recipient.revenueCounted ?? null)) return outcome;
  let { revenueAmount, revenueCurrency } = recipient;
  for (const { type, value, currency } of rows) {
    if (type !== "PURCHASE" || value === null) continue;
    const counted = currency ?? revenueCurrency ?? usual;
    if (revenueAmount !== null && counted !== revenueCurrency) continue;
    revenueAmount = sumOfDecimals(revenueAmount ?? "0", value);
    revenueCurrency = counted;
  }
  return revenueAmount === recipient.revenueAmount
    ? outcome
    : { ...outcome, revenueAmount, revenueCurrency, revenueCounted: revenueAmount };
}

async function currencyOf(workspaceId: string): Promise<string> {
  return (await Workspace.findById(workspaceId, { currency: 1 }).lean<Pick<Workspace, "currency">>())?.currency ?? "USD";
}

async function stop({ type }: Conversion, { recipient, settings }: ConversionGround, stopped: Set<string>): Promise<void> {
  const { workspaceId, _id, campaignId } = recipient;
  if (type === "MEETING_BOOKED" && !recipient.meetingBooked) await heedMeeting(recipient, settings, ACTOR);
  if (!settings.stopOnConversion || !isOpenStatus(recipient.status)) return;
  if ((await endRecipient(workspaceId, _id, { status: "COMPLETED", stopReason: "CONVERTED" })) !== null) stopped.add(campaignId);
}

import { z } from "zod";
import { type MailFigures, shareOf } from "../../domain/deliverability/score.ts";
import type { MeasuredPlaces } from "../../domain/mailboxes/score.ts";
import { nullable, wholeNumber } from "../fields.ts";

const rate = (of: string) => nullable(z.number()).describe(`Share of ${of}, 0 to 1; null without any`);

export const score = nullable(z.number().int()).describe(
  "0 to 100, from the emails of seven days that bounced, were reported or landed in Junk; null below 100 emails and 20 measured placements",
);
export const sent = z.number().int().describe("Campaign emails that were sent");
export const bounceRate = rate("sent emails that hard-bounced");
export const complaintRate = rate("sent emails that were reported as spam");
export const replyRate = rate("sent emails that got a reply");
export const openRate = rate("tracked emails that were opened");

export const spamPlacementRate = nullable(z.number()).describe(
  "Share of measured emails, of warmup and placement tests, that landed in Junk, 0 to 1; null if none was measured",
);

export const days = wholeNumber(1, 180)
  .default(30)
  .describe("How many days (UTC) are counted, including today, 1 to 180. Default 30");

/** The shares of the emails of a period, as responses show them. */
export function sharesOf({
  sent,
  bounced,
  complained,
  replied,
  tracked,
  opened,
  seen,
  inSpam,
}: MailFigures & MeasuredPlaces) {
  return {
    sent,
    bounceRate: shareOf(bounced, sent),
    complaintRate: shareOf(complained, sent),
    replyRate: shareOf(replied, sent),
    openRate: shareOf(opened, tracked),
    spamPlacementRate: shareOf(inSpam, seen),
  };
}

/** What we write to a CRM about a contact (rules/crm 5). */
export const CRM_DEEDS = ["SENT", "REPLIED", "BOUNCED", "MEETING", "DO_NOT_CONTACT"] as const;
export type CrmDeed = (typeof CRM_DEEDS)[number];

export interface CrmActivityContent {
  deed: Exclude<CrmDeed, "DO_NOT_CONTACT">;
  at: Date;
  subject: string;
  body: string;
}

/** The events of a lead's history that we write to the CRM, with the activity that each becomes. */
export function deedOf(type: string, data: Readonly<Record<string, unknown>>): CrmDeed | null {
  switch (type) {
    case "SENT":
    case "REPLIED":
    case "BOUNCED":
      return type;
    case "STATUS_CHANGED":
      return data["to"] === "MEETING_BOOKED" ? "MEETING" : null;
    case "SUPPRESSED":
      // An address that does not exist asked for nothing
      return data["reason"] === "HARD_BOUNCE" ? null : "DO_NOT_CONTACT";
    default:
      return null;
  }
}

/** The types of events that may be reported. */
export const TOLD_EVENTS = ["SENT", "REPLIED", "BOUNCED", "STATUS_CHANGED", "SUPPRESSED"] as const;

/** The words of an activity: what happened in which campaign, but nothing that people wrote. */
export function activityContent(
  deed: CrmActivityContent["deed"],
  at: Date,
  campaign: string | null,
): CrmActivityContent {
  const of = campaign === null ? "" : `: ${campaign}`;
  const subject = { SENT: "Mail sent", REPLIED: "Reply received", BOUNCED: "Mail bounced", MEETING: "Meeting booked" }[
    deed
  ];
  return {
    deed,
    at,
    subject: `${subject}${of}`.slice(0, 250),
    body: `${subject}${campaign === null ? "" : ` in the campaign “${campaign}”`}.`,
  };
}

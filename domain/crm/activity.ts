/** The kinds of activities that we write to a CRM about a contact (rules/crm 5). */
export const CRM_DEEDS = ["SENT", "REPLIED", "BOUNCED", "MEETING", "DO_NOT_CONTACT"] as const;
export type CrmDeed = (typeof CRM_DEEDS)[number];

export interface CrmActivityContent {
  deed: Exclude<CrmDeed, "DO_NOT_CONTACT">;
  at: Date;
  subject: string;
  body: string;
}

/** The activity that we write to the CRM for an event of a lead's history; null for events that are not written. */
export function deedOf(type: string, data: Readonly<Record<string, unknown>>): CrmDeed | null {
  switch (type) {
    case "SENT":
    case "REPLIED":
    case "BOUNCED":
      return type;
    case "STATUS_CHANGED":
      return data["to"] === "MEETING_BOOKED" ? "MEETING" : null;
    case "SUPPRESSED":
      // A hard bounce suppresses the address too, but the person did not ask for it
      return data["reason"] === "HARD_BOUNCE" ? null : "DO_NOT_CONTACT";
    default:
      return null;
  }
}

/** The types of events that may become activities in the CRM. */
export const TOLD_EVENTS = ["SENT", "REPLIED", "BOUNCED", "STATUS_CHANGED", "SUPPRESSED"] as const;

/** The text of an activity: what happened in which campaign, without any text that people wrote. */
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

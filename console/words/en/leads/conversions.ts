import type {
  ConversionChannel,
  ConversionResult,
  ConversionType,
  RejectionReason,
} from "../../../../domain/conversions.ts";

export const CONVERSION_TYPE: Record<ConversionType, string> = {
  SIGNUP: "Sign-up",
  MEETING_BOOKED: "Meeting booked",
  PURCHASE: "Purchase",
};

export const CONVERSION_RESULT: Record<ConversionResult, string> = {
  accepted: "counted",
  duplicate: "duplicate",
  rejected: "rejected",
};

export const CONVERSION_CHANNEL: Record<ConversionChannel, string> = {
  SERVER: "Server or script",
  PIXEL: "Pixel",
  AUTO: "Outreach itself",
};

export const REJECTION_REASON: Record<RejectionReason, string> = {
  malformed: "The event has no cid or no event name, or one of them is not a text.",
  unknown_event: "The event name is unknown. Use SIGNUP, MEETING_BOOKED or PURCHASE, spelled exactly so.",
  invalid_value: "The value is not a number from 0, or the currency is not a code of three letters.",
  invalid_cid: "No recipient of this workspace has this cid.",
  outside_attribution_window: "It came too long after the last click or email. The campaign's settings have the limit.",
};

/** The texts of the page about conversions. */
export const conversionWords = {
  title: "Conversions",
  lead: "What people do on your site after an email: they sign up, book a meeting or buy something.",
  sections: "Parts of conversions",
  parts: { events: "Events", setup: "Set up", test: "Test" },

  empty: "No conversions yet. Set up your site to report them.",
  toSetup: "Set up",
  received: "Received",
  type: "Type",
  unknownType: "unknown",
  value: "Value",
  result: "Result",
  duplicateReason: "The same event was counted before.",
  campaign: "Campaign",
  openCampaign: "Open campaign",
  person: "Lead",
  openLead: "Open lead",
  channel: "Reported by",
  noEmailMatch: "another address than the recipient's",

  setupLead: "Links to your site carry a code, the cid, which stands for the recipient. Your site reports it back.",
  link: "1. Name your site",
  linkText:
    "In the settings of a campaign, add your site to “Conversion domains”. Links to it then carry ?svc= with the cid. Each campaign has its own setting.",
  toCampaigns: "Open campaigns",
  script: "2. Add the script to your pages",
  scriptText:
    "It keeps the cid in the visitor's browser, so it needs consent like a cookie. Without the second line it keeps the cid at once.",
  scriptCode: "Script",
  report: "3. Report a conversion",
  reportText:
    "Call this when it happens. Your order number as event_id makes it count once, also if your server reports it too.",
  reportCode: "Call in the page",
  server: "Or report from your server",
  serverText:
    "Keep the cid with the order and send it when the person has paid. No key is needed: the cid alone grants nothing.",
  serverCode: "Call from a server",
  pixel: "Or with a picture",
  pixelText: "For pages that can show only a picture.",
  pixelCode: "Picture",
  address: (url: string) => `The examples use ${url}.`,
  own: "A verified tracking domain of your own is used here as soon as a mailbox has one.",

  testLead: "Checks an event as if your site had sent it. Nothing is recorded.",
  cid: "cid",
  cidHint: "The 14 letters and digits after svc= in a link of an email that was sent.",
  eventId: "Event id",
  eventIdHint: "Leave it empty for an event without an id of its own.",
  amount: "Value",
  currency: "Currency",
  act: "Test event",
  counts: "This event would count.",
  countedBefore: "An event with this id was counted before, so this one would not count again.",
  notCounted: "This event would not count.",
  by: {
    CLICK: "It belongs to the last click on a link:",
    SEND: "It belongs to the last email that was sent:",
    NONE: "Nothing was sent or clicked that it could belong to.",
  },
  until: "Events count until",
  endsSequence: "The recipient gets no more emails of the campaign.",
  booksMeeting: "A meeting is recorded.",
  addsRevenue: (amount: string) => `${amount} is added to the recipient's revenue.`,
  live: "Try your site now: new events appear on the first tab within seconds.",
} as const;

/** The types of conversions, each with the other name that `event_name` may have for it (the API, 6.3). */
export const CONVERSION_TYPES = {
  SIGNUP: "CompleteRegistration",
  MEETING_BOOKED: "Schedule",
  PURCHASE: "Purchase",
} as const;
export type ConversionType = keyof typeof CONVERSION_TYPES;

export const CONVERSION_CHANNELS = ["SERVER", "PIXEL", "AUTO"] as const;
export type ConversionChannel = (typeof CONVERSION_CHANNELS)[number];

export const CONVERSION_RESULTS = ["accepted", "duplicate", "rejected"] as const;
export type ConversionResult = (typeof CONVERSION_RESULTS)[number];

export const REJECTION_REASONS = [
  "malformed",
  "unknown_event",
  "invalid_value",
  "invalid_cid",
  "outside_attribution_window",
] as const;
export type RejectionReason = (typeof REJECTION_REASONS)[number];

/** The categories that the service knows. A workspace's own categories are shown by their names. */
export const CATEGORY: Readonly<Record<string, string>> = {
  INTERESTED: "interested",
  MEETING_REQUEST: "meeting request",
  MEETING_BOOKED: "meeting booked",
  INFORMATION_REQUEST: "question",
  REFERRAL: "referral",
  NOT_NOW: "later",
  NOT_INTERESTED: "not interested",
  WRONG_PERSON: "wrong person",
  OUT_OF_OFFICE: "out of office",
  AUTO_REPLY: "automatic reply",
  DO_NOT_CONTACT: "do not contact",
  UNSUBSCRIBE: "unsubscribes",
  DATA_REQUEST: "asks about their data",
  OTHER: "something else",
};

/** Categories that only the service sets. */
const BY_SERVICE: Readonly<Record<string, string>> = {
  BOUNCE: "bounced",
  COMPLAINT: "a complaint",
  LEGAL: "a legal threat",
};

export function categoryWord(category: string): string {
  return CATEGORY[category] ?? BY_SERVICE[category] ?? category;
}

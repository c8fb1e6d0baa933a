import type { DeliveryStatus } from "../../../domain/states.ts";
import type { WebhookEvent } from "../../../domain/webhook.ts";
import { counted } from "../format.ts";

/** What each event tells, for whoever chooses among them. */
export const EVENT: Record<WebhookEvent, string> = {
  SENT: "a mail was sent",
  OPEN: "a mail was opened",
  CLICK: "a link was followed",
  REPLIED: "somebody replied",
  BOUNCED: "a mail came back",
  UNSUBSCRIBE: "somebody unsubscribed",
  TEST: "a test",
};

export const DELIVERY_STATUS: Record<DeliveryStatus, string> = {
  PENDING: "waits",
  RETRYING: "is tried again",
  DELIVERED: "delivered",
  DEAD_LETTERED: "given up",
};

/** Why the service switched an address off. */
export const DISABLED: Readonly<Record<string, string>> = {
  GONE: "off: it answered that it is gone (410)",
  FAILING: "off: nothing but failures for five days",
};

/** What stood in the way where no answer came. */
const CAUSE: Readonly<Record<string, string>> = {
  TIMEOUT: "no answer in 15 seconds",
  DNS_FAILED: "its name is not known",
  ADDRESS_BLOCKED: "its name leads to an address that is not allowed",
  TLS_FAILED: "its certificate does not hold",
  CONNECT_FAILED: "no connection",
  RESPONSE_INVALID: "what came back is no HTTP",
  SUBSCRIPTION_DELETED: "its webhook was deleted",
  SUBSCRIPTION_DISABLED: "its webhook is off",
};

export const webhookWords = {
  title: "Webhooks",
  lead: "Addresses that are told what happens, by a signed POST.",
  empty: "Nobody is told of anything yet. Add the address of a program that is to be told.",
  add: "Add a webhook",
  addAct: "Add it",
  address: "Address",
  addressHint: "https, at a public name.",
  events: "It is told that",
  eventsHint: "None ticked: of everything.",
  all: "everything",
  state: "State",
  on: "on",
  off: "paused",
  last: "Last result",
  lastStates: { DELIVERED: "delivered", FAILED: "failed" } as Readonly<Record<string, string>>,
  none: "nothing posted yet",
  deliveries: "Deliveries",
  test: "Test",
  moreShort: "More",
  pause: "Pause",
  enable: "Switch on",
  edit: "Edit…",
  editTitle: "Edit this webhook",
  editEffect: "What waits is posted to the new address. The events count for what happens from now on.",
  save: "Save",
  rotate: "New secret…",
  remove: "Delete…",
  pauseTitle: (url: string) => `Pause ${url}?`,
  pauseEffect:
    "It is posted nothing any more. What happens meanwhile is not kept for it, and what already waits goes to the dead letters, from where it can be sent again.",
  pauseAct: "Pause it",
  enableTitle: (url: string) => `Switch ${url} on?`,
  enableEffect: "It is told of what happens from now on, as if it had never failed. Dead letters stay until somebody sends them again.",
  enableAct: "Switch it on",
  rotateTitle: "A new signing secret?",
  rotateEffect:
    "For 24 hours each delivery is signed by both: the old secret in X-Service-Signature, the new one in X-Service-Signature-Next. After that only the new one signs, in X-Service-Signature.",
  rotateAct: "Make a new secret",
  removeTitle: (url: string) => `Delete ${url}?`,
  removeEffect:
    "It is posted nothing any more. What waits for it goes to the dead letters and cannot be sent again. This cannot be undone.",
  removeAct: "Delete it",
  saidPaused: "Paused.",
  saidEnabled: "Switched on.",
  saidSaved: "Saved.",
  saidRemoved: "Deleted.",
  secretTitle: "The signing secret",
  secretText: "By it the receiver knows that a delivery is from here. Nothing shows it again: put it where the receiver reads it.",
  secret: "Secret",
  verify: "Check a signature",
  verifyText: "A receiver computes the signature of the body, exactly as it came, and compares. Try it here with what a delivery had:",
  language: "Language",
  snippet: "How a receiver does it",
  body: "Body, exactly as it came",
  header: "X-Service-Signature",
  check: "Compare",
  genuine: "It matches: the body was signed by this secret.",
  forged: "It does not match: another body, even by a space, or another secret.",
  stays: "Nothing of this leaves the browser.",
  cannotCheck: "This browser computes signatures on pages by https alone.",
} as const;

export const deliveryWords = {
  title: "Deliveries",
  back: "Webhooks",
  empty: "Nothing was posted yet. The button Test of a webhook posts something.",
  event: "Event",
  address: "Address",
  state: "State",
  attempts: "Attempts",
  answer: "Last answer",
  made: "Made",
  next: "next",
  open: (event: string, made: string) => `Show ${event} of ${made}`,
  close: (event: string, made: string) => `Hide ${event} of ${made}`,
  show: "Show",
  hide: "Hide",
  details: "Details",
  deadLetters: "Given up",
  requeue: "Send again",
  requeueEffect: (event: string, url: string) =>
    `“${event}” is posted to ${url} once more: the same body, byte for byte, with ten attempts over eight and a half hours. A receiver that has seen it knows it by X-Service-Delivery.`,
  saidRequeued: "It is on its way again.",
  gone: "a webhook that was deleted",
  attempt: "Attempt",
  at: "At",
  took: "Took",
  got: "Answer",
  words: "What it said",
  noAttempts: "It was not tried yet.",
  attemptsOf: "Its attempts",
  earlier: "Numbers start again where it was sent again.",
  body: "Body, as every attempt sent it",
  redirect: (to: string) => `leads to ${to}, which is not followed`,
  status: (code: number) => `answered ${code}`,
  cause: (cause: string) =>
    cause.startsWith("HTTP_") ? `answered ${cause.slice(5)}` : (CAUSE[cause] ?? cause.toLowerCase().replaceAll("_", " ")),
  total: (count: number) => counted(count, "attempt in all", "attempts in all"),
  milliseconds: (ms: number) => `${ms} ms`,
  filterEvent: "Event",
  filterStatus: "State",
  filterAddress: "Webhook",
} as const;

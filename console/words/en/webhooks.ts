import type { DeliveryStatus } from "../../../domain/states.ts";
import type { WebhookEvent } from "../../../domain/webhook.ts";
import { counted } from "../format.ts";

/** The label of each event, for the person who chooses events. */
export const EVENT: Record<WebhookEvent, string> = {
  SENT: "email sent",
  OPEN: "email opened",
  CLICK: "link clicked",
  REPLIED: "reply received",
  BOUNCED: "an email bounced",
  UNSUBSCRIBE: "recipient unsubscribed",
  TEST: "test event",
};

export const DELIVERY_STATUS: Record<DeliveryStatus, string> = {
  PENDING: "waiting",
  RETRYING: "retrying",
  DELIVERED: "delivered",
  DEAD_LETTERED: "failed",
};

/** Why the service disabled a webhook. */
export const DISABLED: Readonly<Record<string, string>> = {
  GONE: "off: the receiver answered 410 (gone)",
  FAILING: "off: every delivery failed for five days",
};

/** Why no answer arrived. */
const CAUSE: Readonly<Record<string, string>> = {
  TIMEOUT: "no answer in 15 seconds",
  DNS_FAILED: "host not found",
  ADDRESS_BLOCKED: "its address is not allowed",
  TLS_FAILED: "invalid certificate",
  CONNECT_FAILED: "no connection",
  RESPONSE_INVALID: "no valid HTTP response",
  SUBSCRIPTION_DELETED: "its webhook was deleted",
  SUBSCRIPTION_DISABLED: "its webhook is off",
};

export const webhookWords = {
  title: "Webhooks",
  lead: "Outreach posts signed events to these addresses.",
  empty: "No webhooks yet. Add the address of a program that receives events.",
  add: "Add webhook",
  addAct: "Add webhook",
  address: "Address",
  addressHint: "An https address with a public host name.",
  events: "Events",
  eventsHint: "Choose none to receive all events.",
  all: "all events",
  state: "State",
  on: "on",
  off: "paused",
  last: "Last result",
  lastStates: { DELIVERED: "delivered", FAILED: "failed" } as Readonly<Record<string, string>>,
  none: "nothing sent yet",
  deliveries: "Deliveries",
  test: "Test",
  moreShort: "More",
  pause: "Pause",
  enable: "Enable",
  edit: "Edit…",
  editTitle: "Edit this webhook",
  editEffect: "Waiting events are sent to the new address. The choice of events applies from now on.",
  save: "Save",
  rotate: "New secret…",
  remove: "Delete…",
  pauseTitle: (url: string) => `Pause ${url}?`,
  pauseEffect:
    "It receives no more events. Events during the pause are not kept for it. Waiting events move to the failed deliveries, where you can send them again.",
  pauseAct: "Pause webhook",
  enableTitle: (url: string) => `Enable ${url}?`,
  enableEffect: "It receives events from now on. Failed deliveries stay until someone sends them again.",
  enableAct: "Enable webhook",
  rotateTitle: "Create a new signing secret?",
  rotateEffect:
    "For 24 hours each delivery is signed with both secrets: the old secret in X-Service-Signature, the new one in X-Service-Signature-Next. After that only the new one is used, in X-Service-Signature.",
  rotateAct: "Create new secret",
  removeTitle: (url: string) => `Delete ${url}?`,
  removeEffect: "It receives no more events. Waiting events cannot be sent again. You cannot undo this.",
  removeAct: "Delete webhook",
  saidPaused: "Paused.",
  saidEnabled: "Enabled.",
  saidSaved: "Saved.",
  saidRemoved: "Deleted.",
  secretTitle: "The signing secret",
  secretText: "The receiver uses it to verify that a delivery is genuine. Copy it now. It is not shown again.",
  secret: "Secret",
  verify: "Check a signature",
  verifyText:
    "A receiver computes the signature of the exact body and compares it. Try it here with the values of a delivery:",
  language: "Language",
  snippet: "Example code",
  body: "Exact body",
  header: "X-Service-Signature",
  check: "Compare",
  genuine: "The signature matches.",
  forged: "The signature does not match. The body (even a space) or the secret differs.",
  stays: "These values stay in your browser.",
  cannotCheck: "This browser can compute signatures only on https pages.",
} as const;

export const deliveryWords = {
  title: "Deliveries",
  back: "Webhooks",
  empty: "No deliveries yet. Use Test on a webhook to send one.",
  event: "Event",
  address: "Address",
  state: "State",
  attempts: "Attempts",
  answer: "Last answer",
  made: "Created",
  next: "next",
  open: (event: string, made: string) => `Show ${event} of ${made}`,
  close: (event: string, made: string) => `Hide ${event} of ${made}`,
  show: "Show",
  hide: "Hide",
  details: "Details",
  deadLetters: "Failed",
  requeue: "Send again",
  requeueEffect: (event: string, url: string) =>
    `“${event}” is sent to ${url} again with the same body, in up to ten attempts over eight and a half hours. Receivers recognise a repeated delivery by X-Service-Delivery.`,
  saidRequeued: "Sending again.",
  gone: "a webhook that was deleted",
  attempt: "Attempt",
  at: "At",
  took: "Took",
  got: "Answer",
  words: "Response",
  noAttempts: "No attempts yet.",
  attemptsOf: "Attempts",
  earlier: "Numbers start again when a delivery is sent again.",
  body: "Body, as every attempt sent it",
  redirect: (to: string) => `redirects to ${to}, which is not followed`,
  status: (code: number) => `answered ${code}`,
  cause: (cause: string) =>
    cause.startsWith("HTTP_")
      ? `answered ${cause.slice(5)}`
      : (CAUSE[cause] ?? cause.toLowerCase().replaceAll("_", " ")),
  total: (count: number) => counted(count, "attempt", "attempts"),
  milliseconds: (ms: number) => `${ms} ms`,
  filterEvent: "Event",
  filterStatus: "State",
  filterAddress: "Webhook",
} as const;

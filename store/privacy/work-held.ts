import { isUnderWay } from "../../domain/job.ts";
import { partPattern } from "../../domain/redaction.ts";
import type { Entries } from "./holding.ts";

/** The texts of jobs in which a person can be named. The totals of an import list the first wrong rows. */
const JOB_TEXTS = [
  "items.email",
  "items.message",
  "fileName",
  "error.message",
  ...["state", "result"].flatMap((at) =>
    ["errors.email", "errors.message", "warnings.value", "warnings.suggestion"].map((text) => `${at}.${text}`),
  ),
];

/** Work in progress and its reports, which name people for some days. */
export const WORK_HELD = {
  OutboxRow: {
    what: "events to publish",
    source: "Events for webhooks, kept for a day",
    personal: ["payload"],
    plain: ["trace"],
    find: ({ addresses, recipientIds, leadIds }) => [
      {
        filter: {
          kind: "EVENT",
          $or: [
            { "payload.data.email": { $in: addresses } },
            { "payload.data.recipientId": { $in: [...recipientIds] } },
            { "payload.data.leadId": { $in: leadIds } },
          ],
        },
      },
    ],
    change: ({ kind, payload, doneAt }, { redactor }) =>
      doneAt === null && kind === "EVENT" ? { payload: redactor.deep(payload) } : "DELETE",
  },
  WebhookDelivery: {
    what: "webhook deliveries",
    source: "Events about the person that were sent to subscribers, kept for 30 days",
    personal: ["body", "attemptLog"],
    plain: ["event", "lastError", "host", "waitsFor", "takenBy"],
    find: ({ eventIds }) => [{ filter: { eventId: { $in: eventIds } }, hint: "workspaceId_1__id_-1" }],
    change: () => "DELETE",
    show: ({ event, status, body, deliveredAt, host }) => ({
      event,
      status,
      deliveredAt,
      host,
      body: Buffer.from(body.buffer).toString("utf8"),
    }),
  },
  Job: {
    what: "jobs",
    source: "Results of imports and other jobs, kept for 30 days",
    personal: ["fileName", "items", "state", "result", "error"],
    plain: ["parameters"],
    find: ({ addresses, names }) => [
      {
        filter: {
          $or: [...JOB_TEXTS.map((field) => ({ [field]: partPattern([...addresses, ...names]) }))],
        },
        hint: "workspaceId_1_type_1__id_-1",
      },
    ],
    // A job under way would store its earlier state again. What it stores is listed as kept (exempt.ts)
    change: ({ fileName, items, state, result, error, status }, { redactor, isTheirs }) => ({
      fileName: redactor.text(fileName),
      items: items.map((item) => ({
        ...redactor.deep(item),
        email: isTheirs(item.email) ? null : redactor.text(item.email),
      })),
      error: redactor.deep(error),
      ...(!isUnderWay(status) && { state: redactor.deep(state), result: redactor.deep(result) }),
    }),
    show: ({ type, items, finishedAt }, { isTheirs }) => {
      const own = items.filter(({ email }) => isTheirs(email));
      return own.length === 0 ? null : { type, finishedAt, items: own };
    },
  },
  Mailbox: {
    what: "errors of mailboxes",
    source: "Answers of mail servers",
    personal: ["lastError"],
    plain: [
      "email",
      "name",
      "statusReason",
      "workday",
      "signatureHtml",
      "replyTo",
      "sentFolder",
      "sentFiling",
      "tags",
      "smtp",
      "imap",
      "username",
      "smtpUsername",
      "trackingDomain",
      "verification",
      "dkimSelectors",
      "headerSurvival",
      "nextAtBy",
      "restReason",
      "trial",
      "pausedProviders",
      "overridden",
      "health",
    ],
    find: ({ addresses }) => [{ filter: { "lastError.message": partPattern(addresses) } }],
    change: ({ lastError }, { redactor }) => ({ lastError: redactor.deep(lastError) }),
  },
} satisfies Partial<Entries<"OutboxRow" | "WebhookDelivery" | "Job" | "Mailbox">>;

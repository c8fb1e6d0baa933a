import { partPattern } from "../../domain/redaction.ts";
import { hitsOfSend } from "../../models/tracking/hit.ts";
import { pagesOf } from "../../mongo/ids.ts";
import { endErased, erasedEvent } from "../leads/erase-lead.ts";
import { eraseNames } from "../recipients/erased.ts";
import { erasedAddressOf } from "../suppression/guard-id.ts";
import { releaseAddresses } from "../suppression/suppress.ts";
import type { Entries, Search } from "./holding.ts";
import type { KnownSubject } from "./person.ts";

/** Recipients, emails that were sent, and what followed from them. */
export const SENDING_HELD = {
  Recipient: {
    what: "recipients",
    source: "The lead was added to a campaign",
    personal: ["email", "companyDomain", "timezone", "bounce", "outcomeNotes", "thread", "addressHash", "searchWords"],
    plain: [
      "missingVariables",
      "variantByStep",
      "cid",
      "revenueAmount",
      "revenueCurrency",
      "revenueCounted",
      "reportedOutcome",
      "due",
      "had",
    ],
    find: ({ leadIds, addresses }) => [
      { filter: { leadId: { $in: leadIds } } },
      { filter: { email: { $in: addresses } } },
    ],
    change: async (recipient) => (await eraseNames(recipient.workspaceId, [recipient])).get(recipient._id) ?? null,
    show: ({ addressHash: _h, searchWords: _s, shard: _n, claims: _c, workspaceId: _w, ...shown }) => shown,
    also: endErased,
  },
  Approval: {
    what: "approvals",
    source: "Questions that people decide: an email to the person, or words of the person",
    personal: ["proposedText", "contentHash", "reason", "request", "addresses", "error", "note", "suggestion"],
    plain: ["decidedBy", "requestKeys", "pausedRecipients"],
    find: ({ addresses, names, recipientIds, threads, approvalIds, campaignIds }) => [
      { filter: { addresses: { $in: addresses } } },
      { filter: { _id: { $in: approvalIds } } },
      // Approvals of earlier versions do not say whose data a test email shows
      {
        filter: {
          campaignId: { $in: campaignIds },
          kind: "TEST_SEND",
          proposedText: partPattern([...addresses, ...names]),
        },
      },
      { filter: { recipientId: { $in: [...recipientIds] } } },
      { filter: { threadId: { $in: [...threads.keys()] } } },
    ],
    change: (approval, person) => {
      const { kind, status, reason, error, note, addresses = [] } = approval;
      const { redactor, isTheirs, recipientIds, approvalIds } = person;
      const isTheirOwn =
        kind === "TEST_SEND" ||
        approvalIds.includes(approval._id) ||
        addresses.some(isTheirs) ||
        recipientIds.has(approval.recipientId ?? "") ||
        isOwnThread(approval, person);
      if (!isTheirOwn) {
        const { proposedText } = approval;
        return {
          proposedText: redactor.text(proposedText),
          reason: redactor.text(reason),
          note: redactor.text(note ?? null),
        };
      }
      // An encrypted request cannot lose one of its people, so no one can approve it any more
      return {
        ...(status === "PENDING" && { status: "EXPIRED" as const }),
        proposedText: null,
        contentHash: null,
        request: null,
        addresses: [],
        suggestion: null,
        // The reason of a draft contains sentences that the person wrote
        reason: kind === "REPLY" || kind === "OPT_OUT" ? null : redactor.text(reason),
        error: redactor.deep(error ?? null),
        note: redactor.text(note ?? null),
      };
    },
    show: (approval, person) => {
      const { isTheirs, recipientIds } = person;
      const { kind, status, proposedText, reason, addresses = [], note } = approval;
      const isAlone = addresses.every(isTheirs);
      if (!recipientIds.has(approval.recipientId ?? "") && !(addresses.length > 0 && isAlone)) return null;
      return { kind, status, proposedText, reason, addresses: addresses.filter(isTheirs), note };
    },
    also: async (approval, { isTheirs }) => {
      const isOpen = approval.kind === "OPT_OUT" && approval.status === "PENDING";
      if (isOpen && (approval.addresses ?? []).some(isTheirs)) await releaseAddresses(approval);
    },
  },
  DueCopy: {
    what: "copies to file",
    source: "Emails sent to the person that are still to be saved in a Sent folder",
    personal: ["bytes"],
    plain: ["mailRef"],
    find: ({ leadIds, sendIds }) => [
      { filter: { leadId: { $in: leadIds } } },
      { filter: { sendId: { $in: [...sendIds] } }, hint: "workspaceId_1_leadId_1" },
    ],
    change: () => "DELETE",
    show: ({ mailboxId, sendId }) => ({ mailboxId, sendId }),
  },
  Hit: {
    what: "opens and clicks",
    source: "Requests for the pixel or a link of an email that was sent to the person",
    personal: ["kind", "at", "method", "agent", "address", "hitClass", "evidence"],
    plain: [],
    find: ({ sendIds }) => inHundreds(sendIds, (ids) => ({ $or: ids.map((id) => ({ _id: hitsOfSend(id) })) })),
    change: () => "DELETE",
  },
  Conversion: {
    what: "conversions",
    source: "Reported by the customer's page or server",
    personal: [
      "type",
      "url",
      "actionSource",
      "value",
      "currency",
      "clickedAt",
      "receivedAt",
      "cid",
      "eventId",
      "emailMatch",
    ],
    plain: ["reason"],
    find: ({ recipientIds, leadIds }) => [
      { filter: { recipientId: { $in: [...recipientIds] } } },
      { filter: { leadId: { $in: leadIds } } },
    ],
    change: ({ _id, url }, { redactor }) => ({
      leadId: null,
      cid: "",
      emailMatch: null,
      actionSource: null,
      // The reporter chose the id of the event, which may contain personal data
      eventId: `erased_${_id}`,
      url: redactor.text(url),
    }),
  },
  EmailConversion: {
    what: "conversions by address",
    source: "Reported by the customer's server with the hash of the address",
    personal: ["type", "value", "currency", "actionSource", "occurredAt", "eventId"],
    plain: ["recipients"],
    find: ({ recipientIds }) => [{ filter: { "recipients.recipientId": { $in: [...recipientIds] } } }],
    change: () => ({ eventId: null, actionSource: null }),
  },
  StepExecution: {
    what: "executed steps",
    source: "Steps of a campaign that are not emails",
    personal: ["failure", "type", "state", "doneAt"],
    plain: [],
    find: ({ recipientIds }) => [{ filter: { recipientId: { $in: [...recipientIds] } } }],
    change: () => ({ failure: null }),
  },
  ReportLink: {
    what: "links in reports",
    source: "Clicks on links whose address names the person",
    personal: ["url"],
    plain: ["zone"],
    find: ({ campaignIds, addresses }) => [
      { filter: { campaignId: { $in: campaignIds }, url: partPattern(withEncoded(addresses)) } },
    ],
    change: ({ url }, { redactor }) => ({ url: redactor.text(url) }),
  },
  ContentScore: {
    what: "emails to score",
    source: "Emails to the person that a spam filter checks",
    personal: ["mail"],
    plain: ["verdict"],
    find: ({ addresses }) => [{ filter: { "mail.to.address": { $in: addresses } } }],
    change: () => "DELETE",
  },
  Send: {
    what: "emails",
    source: "Sent, or to be sent, by campaigns and members",
    personal: ["to", "subject", "content", "response", "failure", "tracking"],
    plain: [
      "sendKey",
      "argumentHash",
      "variantShares",
      "day",
      "campaignDay",
      "throttled",
      "draft",
      "heldBack",
      "mailRef",
      "bytesHash",
      "checks",
      "evidence",
    ],
    find: ({ sendIds, threads }) => [
      ...inHundreds(sendIds, (ids) => ({ _id: { $in: ids } })),
      { filter: { threadId: { $in: [...threads.keys()] } } },
    ],
    change: (send, { sendIds, testIds, redactor }) => {
      const { subject, content, to, failure, tracking } = send;
      if (!sendIds.has(send._id)) return { subject: redactor.text(subject), content: redactor.deep(content) };
      return {
        ...(!testIds.has(send._id) && { to: erasedAddressOf(send.workspaceId, to) }),
        subject: null,
        content: null,
        response: null,
        failure: failure && { ...failure, text: null },
        tracking: redactor.deep(tracking),
      };
    },
    show: (send, { sendIds, testIds }) => {
      const { _id, kind, to, subject, content, state, sentAt, response, failure, openedAt, clickedAt } = send;
      if (!sendIds.has(_id)) return null;
      // A member got the test email
      if (testIds.has(_id)) return { kind, subject, content, state, sentAt };
      return { kind, to, subject, content, state, sentAt, response, failure, openedAt, clickedAt };
    },
  },
  ActivityEvent: {
    what: "events",
    source: "What happened to the lead, recorded by the service",
    personal: ["type", "at", "data", "actor"],
    plain: [],
    find: ({ leadIds }) => [{ filter: { leadId: { $in: leadIds } } }],
    // Reports count the events of campaigns
    change: (event) => (event.campaignId === null ? "DELETE" : erasedEvent(event)),
  },
} satisfies Partial<
  Entries<
    | "Recipient"
    | "Approval"
    | "DueCopy"
    | "Hit"
    | "Conversion"
    | "EmailConversion"
    | "StepExecution"
    | "ReportLink"
    | "ContentScore"
    | "Send"
    | "ActivityEvent"
  >
>;

export function isOwnThread({ threadId }: { threadId: string | null }, { threads }: KnownSubject): boolean {
  return threadId !== null && threads.get(threadId)?.isShared === false;
}

function withEncoded(addresses: readonly string[]): string[] {
  return [...new Set(addresses.flatMap((address) => [address, encodeURIComponent(address)]))];
}

export function inHundreds(all: ReadonlySet<string>, filterOf: (ids: string[]) => Record<string, unknown>): Search[] {
  return pagesOf([...all], 100).map((page) => ({ filter: filterOf(page) }));
}

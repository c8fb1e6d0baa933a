import type { Guard } from "../guard.ts";

const CAMPAIGN = "test/transports/api-campaign.test.ts";
const LOST = "test/transports/api-lost.deep.test.ts";

const WARMUP = "test/transports/api-warmup.test.ts";
const TREAT = "test/transports/api-treat.test.ts";

/** Checks of mailboxes that send and read over their provider's API. */
export const TRANSPORT_GUARDS: Guard[] = [
  {
    guard: "A request that may no longer begin is not written",
    file: "connectors/net/request.ts",
    text: 'if (!mayBegin()) throw new EgressError("NOT_BEGUN");',
    instead: "",
    test: "test/transports/gmail-sending.test.ts",
    only: "may no longer begin",
  },
  {
    guard: "An email over an API leaves only when the last look allows it",
    file: "activities/sending/api-line.ts",
    text: "if (!(await mayGo(draft))) {",
    instead: "if (!(await mayGo(draft)) && false) {",
    test: CAMPAIGN,
    only: "paused while the draft is made",
  },
  {
    guard: "A draft that was not allowed to leave is deleted",
    file: "activities/sending/api-line.ts",
    text: 'await discard(access, draft);\n      return { kind: "withdrawn" };',
    instead: 'return { kind: "withdrawn" };',
    test: CAMPAIGN,
    only: "paused while the draft is made",
  },
  {
    guard: "Over an API only copies that may get email are named",
    file: "activities/sending/name-copies.ts",
    text: "...fields.filter((field) => !/^b?cc:/i.test(field)),",
    instead: "...fields,",
    test: "test/transports/name-copies.test.ts",
    only: "names exactly the addresses",
  },
  {
    guard: "A step whose email was not sent is sent again only when its draft was deleted",
    file: "activities/inbox/api-evidence.ts",
    text: 'return found.kind === "draft" && (await deleteDraft(access, draft)) ? "unsent" : "unknown";',
    instead: 'await deleteDraft(access, draft);\n  return "unsent";',
    test: LOST,
    only: "whose draft the owner deleted",
  },
  {
    guard: "An email over an API queues no copy for the Sent folder",
    file: "store/mailboxes/due-copies.ts",
    text: "if (isApi(mailbox)) return;",
    instead: "",
    test: CAMPAIGN,
    only: "goes to Cc and Bcc together",
  },
  {
    guard: "The copy of a warmup email whose Message-ID the API has replaced is no email of a person",
    file: "store/warmup/arrival.ts",
    text: " ?? (await findByDraft(arrival))",
    instead: "",
    test: WARMUP,
  },
  {
    guard: "A warmup email that its owner has answered at Gmail is left alone",
    file: "activities/warmup/gmail-mailbox.ts",
    text: "isAnswered: !isOwn && (await unlessGone(isAnswered(access, head))) === true,",
    instead: "isAnswered: false,",
    test: TREAT,
    only: "GMAIL_API an email that its owner has answered",
  },
  {
    guard: "A warmup email in the bin of Gmail is left alone",
    file: "activities/warmup/gmail-mailbox.ts",
    text: 'if (labels.includes("TRASH")) return false;',
    instead: "",
    test: TREAT,
    only: "GMAIL_API an email that its owner has answered",
  },
  {
    guard: "A warmup email that its owner has answered at Graph is left alone",
    file: "connectors/graph/items.ts",
    text: "singleValueExtendedProperties.some(({ value }) => ANSWERS.has(value))",
    instead: "singleValueExtendedProperties.some(() => false)",
    test: TREAT,
    only: "GRAPH an email that its owner has answered",
  },
  {
    guard: "An email in a tab of Gmail's inbox is not in the inbox",
    file: "activities/deliverability/open-places.ts",
    text: ' && !isInTab(labels) ? "INBOX"',
    instead: ' ? "INBOX"',
    test: "test/transports/api-placement.test.ts",
    only: "in a tab of Gmail's inbox",
  },
  {
    guard: "An email that arrives while older ones are listed is not filed as an old one",
    file: "activities/inbox/gmail-source.ts",
    text: "return mail !== null && mail.receivedAt.getTime() < until ? mail : null;",
    instead: "return mail;",
    test: "test/transports/api-reading.test.ts",
    only: "arrives while older emails are listed",
  },
];

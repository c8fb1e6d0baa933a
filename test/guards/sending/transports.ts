import type { Guard } from "../guard.ts";

const CAMPAIGN = "test/transports/api-campaign.test.ts";
const LOST = "test/transports/api-lost.deep.test.ts";
const GRANTS = "test/transports/lost-grants.test.ts";
const RIGHTS = "test/transports/api-rights.deep.test.ts";

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
    guard: "Warmup does not start in a mailbox that uses an API",
    file: "store/warmup/enrol.ts",
    text: 'if (to === "ACTIVE" && isApi(mailbox))',
    instead: "if (isApi(mailbox) && false)",
    test: "test/transports/api-consent.test.ts",
    only: "warmup is refused",
  },
  {
    guard: "The warmup of a mailbox that moves to an API waits",
    file: "store/warmup/refresh.ts",
    text: "LOST.includes(mailbox.status) || isApi(mailbox)",
    instead: "LOST.includes(mailbox.status)",
    test: "test/warmup/manage.test.ts",
    only: "moves to its provider's API waits",
  },
  {
    guard: "An email that arrives while older ones are listed is not filed as an old one",
    file: "activities/inbox/gmail-source.ts",
    text: "return mail !== null && mail.receivedAt.getTime() < until ? mail : null;",
    instead: "return mail;",
    test: "test/transports/api-reading.test.ts",
    only: "arrives while older emails are listed",
  },
  {
    guard: "A token endpoint that is busy or down says nothing about the credentials",
    file: "connectors/token-refusal.ts",
    text: "if (status === 429 || status >= 500 || (code !== null && BUSY.includes(code)))",
    instead: "if (status >= 500)",
    test: GRANTS,
    only: "token endpoint is rate limited",
  },
  {
    guard: "A refused client secret does not end the consents of mailboxes",
    file: "connectors/token-refusal.ts",
    text: 'return { kind: "unavailable", access: "CLIENT_REFUSED" };',
    instead: 'return { kind: "revoked", access: "CLIENT_REFUSED" };',
    test: GRANTS,
    only: "a wrong client secret parks",
  },
  {
    guard: "A token for one mailbox frees all mailboxes that waited for the client secret",
    file: "activities/mailboxes/logins.ts",
    text: "await freeClient(provider);",
    instead: "",
    test: GRANTS,
    only: "a wrong client secret parks",
  },
  {
    guard: "A lost access parks the mailbox at once",
    file: "store/mailboxes/access-faults.ts",
    text: "if (trouble.access !== undefined) await parkMailbox(mailbox, trouble.access);\n  else await",
    instead: "await",
    test: RIGHTS,
    only: "email is refused with",
  },
  {
    guard: "A parked mailbox that can be read again continues",
    file: "activities/inbox/api-watch.ts",
    text: "if (!hasRead) await recoverAccess(mailbox);",
    instead: "",
    test: RIGHTS,
    only: "cannot be read",
  },
];

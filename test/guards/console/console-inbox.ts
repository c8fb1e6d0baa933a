import type { Guard } from "../guard.ts";

const SORTING = "test/console/inbox.test.ts";
const REPLIES = "test/console/inbox-replies.test.ts";
const HOSTILE = "test/console/hostile.test.ts";

/** The promises of sorting and answering in the console, and what an email may never do there. */
export const CONSOLE_INBOX: Guard[] = [
  {
    guard: "A category is told to no one while it can be taken back",
    file: "console/pages/inbox/sorting.ts",
    text: "setTimeout(() => sendMove(move), UNDO_MS),",
    instead: "setTimeout(() => sendMove(move), 0),",
    test: SORTING,
    only: "a category that suppresses can be undone",
  },
  {
    guard: "What a tab that died had decided is sent by the next",
    file: "console/pages/inbox/sorting.ts",
    text: "for (const move of left.filter(isOld)) {",
    instead: "for (const move of left.filter(() => false)) {",
    test: SORTING,
    only: "a category that suppresses can be undone",
  },
  {
    guard: "A single key does nothing while someone types",
    file: "console/pages/inbox/keys.tsx",
    text: "if (isTyping(event.target) || ",
    instead: "if (",
    test: "test/console/inbox.deep.test.ts",
    only: "keyboard shortcuts sort the inbox",
  },
  {
    guard: "What is typed while the reply box is not there yet sorts nothing",
    file: "console/pages/inbox/inbox.tsx",
    text: "useKeys(isAwaiting ? {} : keys);",
    instead: "useKeys(keys);",
    test: "test/console/inbox-replies.deep.test.ts",
    only: "a reply that arrives over IMAP",
  },
  {
    guard: "A draft that could not be saved is saved later",
    file: "console/pages/inbox/drafts.ts",
    text: "if (refusal.mayPass || refusal.status === 401) saveIn(threadId, AGAIN_MS);",
    instead: "",
    test: "test/console/inbox.deep.test.ts",
    only: "the text of an unfinished reply",
  },
  {
    guard: "A reply of which no one knows whether it left is repeated as it was",
    file: "console/pages/inbox/reply.tsx",
    text: "if (isUncertain) return done(await sending.repeat());",
    instead: "",
    test: REPLIES,
    only: "a reply whose outcome is unknown",
  },
  {
    guard: "Who may not decide is offered no decision",
    file: "console/pages/approvals/approval.tsx",
    text: "if (!may(scopeOf(approval))) return null;",
    instead: "",
    test: REPLIES,
    only: "what an agent wants to send",
  },
  {
    guard: "The frame of an email loads no image unless someone asked for them",
    file: "api/console/mail-frame.ts",
    text: 'hasImages ? "https: data:" : "data:"',
    instead: '"https: data:"',
    test: HOSTILE,
    only: "the frame of an email has an opaque origin",
  },
  {
    guard: "A link of an email leads to a place, never to a script",
    file: "console/mail-frame.ts",
    text: 'if (name === "a" && /^(?:https?:\\/\\/|mailto:|tel:)/i.test(address))',
    instead: 'if (name === "a")',
    test: HOSTILE,
    only: "attack vectors that reach the frame",
  },
  {
    guard: "A text of a sequence loads no image",
    file: "console/pages/campaign/step-variant.tsx",
    text: "hasImages={false}",
    instead: "hasImages={true}",
    test: HOSTILE,
    only: "a hostile text of a sequence",
  },
  {
    guard: "Images of an email are left out unless they are asked for",
    file: "domain/mail/clean-html.ts",
    text: "images ? WITH_IMAGES : CLEANING",
    instead: "images === null ? CLEANING : WITH_IMAGES",
    test: "test/domain/mail/clean-html.test.ts",
  },
  {
    guard: "Images that are asked for are fetched by https alone",
    file: "domain/mail/clean-html.ts",
    text: 'allowedSchemesByTag: { img: ["https"] },',
    instead: "",
    test: "test/domain/mail/clean-html.test.ts",
  },
];

import type { Guard } from "../guard.ts";

const STORY = "test/console/mailboxes.test.ts";
const CONSENTS = "test/mailboxes/oauth.test.ts";

/** The promises of connecting a mailbox in the console. */
export const CONSOLE_MAILBOXES: Guard[] = [
  {
    guard: "What is typed while credentials are tried was not tried",
    file: "console/pages/mailboxes/credentials.tsx",
    text: "if (typingsBefore === typings.current) setTried(found);",
    instead: "if (typingsBefore >= 0) setTried(found);",
    test: STORY,
    only: "a wrong password stores nothing",
  },
  {
    guard: "Servers that someone typed are not guessed anew",
    file: "console/pages/mailboxes/credentials.tsx",
    text: "if (isTyped || usual === null) return;",
    instead: "if (usual === null) return;",
    test: STORY,
    only: "a wrong password stores nothing",
  },
  {
    guard: "Without a clipboard the text is selected",
    file: "console/kit/copy.tsx",
    text: "if (!isCopied) field.current?.select();",
    instead: "",
    test: "test/console/mailboxes.deep.test.ts",
    only: "the page shows which DNS records",
  },
  {
    guard: "No one sees a deed on a mailbox that their role does not hold",
    file: "console/pages/mailboxes/controls.tsx",
    text: ".filter((deed) => may(SCOPES[deed]))",
    instead: ".filter((deed) => SCOPES[deed] !== null)",
    test: STORY,
    only: "a viewer sees no button",
  },
  {
    guard: "A consent leads back to a path of ours alone",
    file: "operations/mailboxes/oauth-start.ts",
    text: ".refine((asked) => ownPath(asked) !== null, {",
    instead: '.refine((asked) => asked !== "", {',
    test: CONSENTS,
    only: "returnTo address outside the console",
  },
  {
    guard: "Only whoever began a consent in the console is sent on, past the page that undoes it",
    file: "api/public/connect-callback.ts",
    text: "if (isOwn && back !== null) {",
    instead: "if (back !== null) {",
    test: CONSENTS,
    only: "a consent from the console returns",
  },
];

import type { Guard } from "../guard.ts";

const STORY = "test/console/mailboxes.test.ts";
const DELIVERABILITY = "test/console/deliverability.test.ts";
const WARMUP = "test/console/warmup.test.ts";
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
    guard: "A link opens a domain that is not on the page of the list",
    file: "console/pages/deliverability/domains.tsx",
    text: "{ isOff: !isApart, every: SOON_MS }",
    instead: "{ isOff: true, every: SOON_MS }",
    test: DELIVERABILITY,
    only: "also one of another page",
  },
  {
    guard: "Who may not change mailboxes is not offered a check of a domain",
    file: "console/pages/deliverability/domains.tsx",
    text: '{may("mailboxes:write") && prober !== undefined && <CheckAgain',
    instead: "{prober !== undefined && <CheckAgain",
    test: DELIVERABILITY,
    only: "shows what is wrong with each domain",
  },
  {
    guard: "Who may not change mailboxes marks no alert as seen",
    file: "console/pages/deliverability/alerts.tsx",
    text: 'alert.status === "OPEN" && may("mailboxes:write") ?',
    instead: 'alert.status === "OPEN" ?',
    test: DELIVERABILITY,
    only: "shows what is wrong with each domain",
  },
  {
    guard: "No one sees a button of a warmup that their role may not press",
    file: "console/pages/warmup/warmup.tsx",
    text: '{may("warmup:write") && <WarmupControls mailbox={mailbox} enrolment={enrolment} />}',
    instead: "<WarmupControls mailbox={mailbox} enrolment={enrolment} />",
    test: WARMUP,
    only: "the warmup of several mailboxes",
  },
  {
    guard: "A warmup of several mailboxes starts only where it can",
    file: "console/pages/warmup/many.tsx",
    text: 'return warmup !== undefined && status !== "RECONNECT_REQUIRED" && status !== "DISCONNECTED";',
    instead: 'return warmup !== undefined && status !== "RECONNECT_REQUIRED";',
    test: WARMUP,
    only: "the warmup of several mailboxes",
  },
  {
    guard: "A preset sets its own ramp, so only a ramp of one's own is sent with it",
    file: "console/pages/warmup/fields.tsx",
    text: '...(preset === "CUSTOM" && { ...ramp, replyRate: rate("replyRate") }),',
    instead: '...ramp,\n    replyRate: rate("replyRate"),',
    test: WARMUP,
    only: "a warmup is started in the browser",
  },
  {
    guard: "The fields of a warmup have the limits of the API",
    file: "console/build-limits.ts",
    text: "const inner = isInner ? [] : Object.entries(limitsIn(resolved, schemas, true));",
    instead: "const inner: [string, FieldLimits][] = [];",
    test: WARMUP,
    only: "a warmup is started in the browser",
  },
  {
    guard: "A daily warmup limit below the ramp is named as the reason",
    file: "console/words/warmup-reasons.ts",
    text: "if (dailyLimit === limit) return [WHY_LESS.limit(limit), ...healthReasons(mailbox)];",
    instead: "",
    test: "test/console/warmup-reasons.test.ts",
    only: "the page says why a warmup",
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

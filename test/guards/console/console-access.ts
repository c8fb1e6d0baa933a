import type { Guard } from "../guard.ts";

const ACCESS = "test/console/access.test.ts";
const ROLES = "test/console/roles.deep.test.ts";

/** What the console's pages of members, keys, connections and accounts show before they do it, and to whom. */
export const CONSOLE_ACCESS: Guard[] = [
  {
    guard: "A lower role names the keys that exceed it, and no others",
    file: "console/pages/access/ending.tsx",
    text: "next === null || scopes.some((scope) => !roleScopes.includes(scope))",
    instead: "next === null || scopes.length > roleScopes.length",
    test: "test/console/access.deep.test.ts",
    only: "an invite link is shown once",
  },
  {
    guard: "Only an owner is offered what is done to an owner",
    file: "console/pages/access/members.tsx",
    text: 'if (member.role === "OWNER" && !isOwner) return [];',
    instead: "",
    test: ROLES,
    only: "only an owner is offered",
  },
  {
    guard: "A key is made of what was ticked, and of nothing else",
    file: "console/pages/access/new-key.tsx",
    text: "const scopes = held.filter((scope) => chosen.has(scope));",
    instead: "const scopes = held.filter((scope) => chosen.size > 0 || scope === null);",
    test: ACCESS,
    only: "an API key is shown once",
  },
  {
    guard: "A button that is working keeps its width, so that a second click presses no other",
    file: "console/kit/modal.tsx",
    text: "<span hidden={isRunning}>{act}</span>",
    instead: "{isRunning ? null : <span>{act}</span>}",
    test: ACCESS,
    only: "an API key is shown once",
  },
  {
    guard: "Where no page may copy, what is shown once is marked for whoever copies it",
    file: "console/kit/copy.tsx",
    text: "if (!isCopied) field.current?.focus();\n    setTold",
    instead: "setTold",
    test: ACCESS,
    only: "an API key is shown once",
  },
  {
    guard: "Whoever has a passkey alone is asked for it, not for a code",
    file: "console/frame/password-form.tsx",
    text: 'hasPasskey && factor.data?.totp === false ? "passkey" : "code"',
    instead: '"code"',
    test: ACCESS,
    only: "a passkey is added",
  },
  {
    guard: "Whoever may not unblock sees no button for it, as on every page",
    file: "console/pages/block-list.tsx",
    text: '{...(may("block_list:write") && { acts: actsOn })}',
    instead: "acts={actsOn}",
    test: ROLES,
    only: "VIEWER sees no button",
  },
];

import type { Guard } from "../guard.ts";

const test = "test/home/home.test.ts";

/** Guards of what Home shows, and to whom. */
export const HOME: Guard[] = [
  {
    guard: "Home shows only parts whose scopes the caller holds",
    file: "operations/analytics/home.ts",
    text: "PARTS.filter((part) => NEEDS[part].every((scope) => scopes.has(scope)))",
    instead: "PARTS.filter((part) => NEEDS[part].length >= 0)",
    test,
    only: "only the parts",
  },
  {
    guard: "The checklist shows only steps that the caller may read",
    file: "operations/analytics/home.ts",
    text: "looks.filter(([, scope]) => scopes.has(scope))",
    instead: "looks.filter(([, scope]) => scope.length > 0)",
    test,
    only: "only the parts",
  },
  {
    guard: "A campaign that is stuck comes first",
    file: "operations/analytics/home-campaigns.ts",
    text: "if (code !== null && isStuck(code)) return -1;",
    instead: 'if (code !== null && isStuck(code)) return status === "ACTIVE" ? 9 : -1;',
    test,
    only: "a stuck campaign before a draft",
  },
  {
    guard: "Yesterday is compared only up to the present hour",
    file: "operations/analytics/home-today.ts",
    text: "hour <= present",
    instead: "hour <= 23",
    test,
    only: "up to the present hour",
  },
  {
    guard: "A part that takes too long does not take Home with it",
    file: "operations/analytics/home.ts",
    text: "await whenInTime<unknown>(reads[part]())",
    instead: "whenInTime === undefined ? null : await reads[part]()",
    test: "test/home/partial.deep.test.ts",
  },
];

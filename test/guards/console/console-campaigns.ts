import type { Guard } from "../guard.ts";

const SETUP = "test/console/campaign-setup.deep.test.ts";
const RUNNING = "on a running campaign";

/** What the pages of campaigns show before they change anything. */
export const CONSOLE_CAMPAIGNS: Guard[] = [
  {
    guard: "A setting of a launched campaign shows its effect before it changes",
    file: "console/pages/campaign-setup/setting-write.tsx",
    text: "if (hasBegun(status)) {",
    instead: "if (status === null) {",
    test: SETUP,
    only: RUNNING,
  },
  {
    guard: "New recipients of a running campaign are shown with what they would get before they join",
    file: "console/pages/campaign-setup/add-recipients.tsx",
    text: "(runs ? setAsked(wanted) : void add(wanted))",
    instead: "void add(wanted)",
    test: SETUP,
    only: RUNNING,
  },
  {
    guard: "A plan that is out of date is shown anew and not carried out",
    file: "console/pages/campaign-setup/planned.tsx",
    text: "if (!wasStale) return;",
    instead: "if (wasStale || !wasStale) return;",
    test: SETUP,
    only: RUNNING,
  },
  {
    guard: "A refused value stays in its field",
    file: "console/pages/campaign-setup/setting-row.tsx",
    text: "if (!isRefused) setTyped(shown);",
    instead: "setTyped(shown);",
    test: SETUP,
    only: "a setting is saved",
  },
];

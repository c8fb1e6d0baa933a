import type { Guard } from "../guard.ts";

const SETUP = "test/console/campaign-setup.deep.test.ts";
const RUNNING = "on a running campaign";
const RACES = "test/console/campaign-setup-races.deep.test.ts";
const REMOVAL = "test/console/remove-recipients.deep.test.ts";
const MEANWHILE = "launched meanwhile";

/** What the pages of campaigns show before they change anything. */
export const CONSOLE_CAMPAIGNS: Guard[] = [
  {
    guard: "A setting of a launched campaign shows its effect before it changes",
    file: "console/pages/campaign-setup/setting-write.tsx",
    text: "needsPlan: hasBegun,",
    instead: "needsPlan: (status) => hasBegun(status) && campaignId === name,",
    test: SETUP,
    only: RUNNING,
  },
  {
    guard: "A setting is not changed without a plan when the campaign was launched since the page was read",
    file: "console/pages/campaign-setup/setting-write.tsx",
    text: "settings: patch, expectedVersion }",
    instead: "settings: patch, expectedVersion: expectedVersion && undefined }",
    test: RACES,
    only: MEANWHILE,
  },
  {
    guard: "No person joins without a plan when the campaign was launched since the page was read",
    file: "operations/recipients/add.ts",
    text: "loadEditable(ctx.workspaceId, campaignId, expectedVersion)",
    instead: "loadEditable(ctx.workspaceId, campaignId, expectedVersion && undefined)",
    test: RACES,
    only: MEANWHILE,
  },
  {
    guard: "A list does not join a campaign that has changed since the caller read it",
    file: "operations/recipients/add.ts",
    text: "loadEditable(workspaceId, campaignId, expectedVersion)",
    instead: "loadEditable(workspaceId, campaignId, expectedVersion && undefined)",
    test: "test/campaigns/campaigns.test.ts",
    only: "of an outdated version change nothing",
  },
  {
    guard: "New recipients of a running campaign are shown with what they would get before they join",
    file: "console/pages/campaign-setup/add-recipients.tsx",
    text: "needsPlan: isRunning, write",
    instead: "needsPlan: () => false, write",
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
    guard: "A mailbox stays ticked while another choice is being saved",
    file: "console/pages/campaign-setup/senders.tsx",
    text: "if (!isRunning && !isSame(known, saved)) {",
    instead: "if (!isSame(known, saved)) {",
    test: RACES,
    only: "mailboxes that are ticked",
  },
  {
    guard: "Hours that were painted during a save stay on the page",
    file: "console/pages/campaign-setup/schedule.tsx",
    text: "setDraft((draft) => (draft === next ? null : draft))",
    instead: "setDraft(null)",
    test: RACES,
    only: "hours that are painted",
  },
  {
    guard: "An hour that is painted before the page shows the one before it does not undo that one",
    file: "console/pages/campaign-setup/week-grid.tsx",
    text: "withHour(present, { day, hour, isOpen })",
    instead: "withHour(present === week ? present : week, { day, hour, isOpen })",
    test: RACES,
    only: "hours that are painted",
  },
  {
    guard: "A number or time that the browser cannot read does not restore the default",
    file: "console/pages/campaign-setup/setting-row.tsx",
    text: "if (validity.badInput) return;",
    instead: "if (validity === null) return;",
    test: RACES,
    only: "cannot read",
  },
  {
    guard: "Only recipients that match the search are removed with all that match",
    file: "console/pages/campaign-setup/remove-recipients.tsx",
    text: '...(search !== "" && { search }),',
    instead: "",
    test: REMOVAL,
    only: "that match a filter",
  },
  {
    guard: "A removal offers no undo where a paused recipient would continue",
    file: "console/pages/campaign-setup/remove-recipients.tsx",
    text: '&& open.every(({ status }) => status !== "PAUSED")',
    instead: "",
    test: REMOVAL,
    only: "unless one was paused",
  },
  {
    guard: "The focus stays in the dialog when a lead is left out",
    file: "console/pages/campaign-setup/keep-focus.ts",
    text: "near.find((one) => one.isConnected)?.focus();",
    instead: "near.find((one) => one.isConnected);",
    test: SETUP,
    only: "pasted addresses",
  },
  {
    guard: "An undo whose effect cannot be shown any more is not silent",
    file: "console/pages/campaign-setup/setting-write.tsx",
    text: "else if (!isShown.current) say(says.notUndone(name));",
    instead: "",
    test: RACES,
    only: MEANWHILE,
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

import { expect, test } from "@jest/globals";
import { EFFECTS } from "../../domain/access/policy.ts";
import { verbs } from "../../operations/declarations.ts";
import type { AnyOperation } from "../../operations/operation.ts";
import { expectNone, expectSame } from "../support/expect-none.ts";

/** Writing verbs without an effect (rules/access 4.7), by the reason. */
const WITHOUT_EFFECT = {
  "only stops or withdraws": [
    ...[
      "workspace.manage pauseSending",
      "campaigns.control pause",
      "campaigns.control complete",
      "campaigns.manageArchive archive",
    ],
    ...[
      "recipients.manage bulkRemove",
      "recipients.manage pauseRecipients",
      "sends.resolve markNotSent",
      "leads.suppress suppress",
    ],
    ...[
      "blockList.add",
      "blockList.manage add",
      "mailboxes.manage pause",
      "mailboxes.disconnect disconnect",
      "warmup.manage pause",
    ],
    ...[
      "warmup.manage stop",
      "warmup.manage remove",
      "placementTests.cancel",
      "inbox.cancelScheduled",
      "promises.manage cancel",
    ],
    ...["leads.cancelImport", "mailboxes.cancelImport", "crm.connect disconnect", "calendar.manage disconnect"],
    ...[
      "members.manage remove",
      "invites.manage revoke",
      "verification.deleteSchedule",
      "workspace.managePortalDomain remove",
    ],
  ],
  "makes or changes what sends nothing by itself": [
    ...[
      "campaigns.create",
      "campaigns.update",
      "campaigns.duplicate",
      "files.upload",
      "leadLists.create",
      "customFields.create",
    ],
    // Campaigns and replies get copies of a template
    ...["templates.create", "templates.update"],
    ...[
      "customFields.manage reorder",
      "deals.create",
      "workspaces.create",
      "warmup.managePools createPrivate",
      "inbox.saveDraft",
    ],
    ...[
      "leads.manage createNote",
      "mailboxes.manage updateTags",
      "mailboxes.manage bulkUpdateTags",
      "deliverability.acknowledgeAlert",
    ],
    ...["recipients.manage updateOutcome", "conversions.report", "members.manage updateRole", "invites.manage resend"],
  ],
  "comes out paused": ["campaigns.manageArchive unarchive"],
  "marks mail that is there already": [
    ...["archive", "unarchive", "markRead", "markUnread", "star", "unstar"].map(
      (action) => `inbox.manageThreads ${action}`,
    ),
    ...["warmup.manage markImportant", "warmup.manage unspam"],
  ],
  "reads or tries out": [
    ...[
      "leads.import dryRun",
      "leads.import googleSheet",
      "leads.importColumns",
      "leads.getImport",
      "crm.import status",
      "workspace.getExport",
    ],
    ...["mailboxes.listProviders", "mailboxes.getImport", "mailboxes.testImport", "mailboxes.connect smtpTest"],
    ...["mailboxes.manageTrackingDomain verify", "workspace.manageTrackingDomain verify"],
    ...["workspace.managePortalDomain verify", "verification.startJob", "verification.setSchedule"],
  ],
  "ends at a page where a person agrees": [
    ...[
      "mailboxes.connect providerAOAuthStart",
      "mailboxes.connect providerBOAuthStart",
      "billing.checkout",
      "billing.portal",
    ],
  ],
  "searches people, outside of leads and campaigns": [
    ...[
      "reveal",
      "revealBulk",
      "revealList",
      "getReveal",
      "listLists",
      "createList",
      "addToList",
      "listItems",
      "removeFromList",
    ],
    ...["copyToList", "addSearch", "getAddSearch", "listSavedSearches", "getSavedSearch", "saveSearch"],
  ].map((verb) => `leadSearch.${verb}`),
  "tells a place that was told before": [
    ...["webhooks.manage test", "webhooks.test", "webhooks.rotateSecret"],
    ...["webhookDeliveries.requeue", "webhookDeliveries.manageDeadLetters requeue"],
  ],
};

const WRITES = /:(write|launch|send|suppress|connect|reveal|lists)$/;

const writing: [string, AnyOperation][] = Object.entries(verbs).flatMap(([name, verb]): [string, AnyOperation][] => {
  const found: [string, AnyOperation][] =
    "actions" in verb
      ? Object.entries(verb.actions).map(([action, one]) => [`${name} ${action}`, one])
      : [[name, verb]];
  return found.filter(([, { scope }]) => scope !== null && WRITES.test(scope));
});

test("every writing verb requires a permit, declares its effects, or is on the list of verbs without effect", () => {
  const silent = writing.filter(
    ([, { asksPermit, effects = {} }]) => asksPermit !== true && Object.keys(effects).length === 0,
  );
  expectSame(
    silent.map(([name]) => name),
    Object.values(WITHOUT_EFFECT).flat(),
    {
      missing: "Take the verb from WITHOUT_EFFECT in test/rules/effects.test.ts: it has effects now, or is gone",
      extra: "Give the verb `effects`, or add it to WITHOUT_EFFECT in test/rules/effects.test.ts under its reason",
    },
  );
  expect(writing.length).toBeGreaterThan(150);
});

test("every declared effect is a known one, and a verb that requires a permit declares no effects besides", () => {
  expectNone(
    writing
      .filter(([, { effects = {} }]) => Object.keys(effects).some((name) => !EFFECTS.some((effect) => effect === name)))
      .map(([name]) => name),
    "Name the effect as domain/access/policy.ts does",
  );
  expectNone(
    writing
      .filter(([, { asksPermit, effects = {} }]) => asksPermit === true && Object.keys(effects).length > 0)
      .map(([name]) => name),
    "Remove `effects`: the permit of the verb asks for its policy already",
  );
});

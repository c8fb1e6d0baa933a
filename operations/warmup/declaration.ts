import { choice } from "../choice.ts";
import type { Declaration } from "../declaration.ts";
import { EXAMPLE_IDS as ids } from "../described-ids.ts";
import * as warmup from "./enrolments.ts";
import * as warmupHistory from "./history.ts";
import { manage as manageWarmup } from "./manage.ts";
import { pools as warmupPools } from "./pools.ts";

export const warmupDeclaration = {
  verbs: {
    "warmup.list": warmup.list,
    "warmup.get": warmup.get,
    "warmup.getHeatmap": warmupHistory.heatmap,
    "warmup.getReputation": warmupHistory.reputation,
    "warmup.getBounces": warmupHistory.bounces,
    "warmup.manage": manageWarmup,
    "warmup.managePools": warmupPools,
  },
  routes: [
    ["get", "/warmup/enrolments", warmup.list],
    ["get", "/warmup/enrolments/:mailboxId", warmup.get],
    ["get", "/warmup/enrolments/:mailboxId/heatmap", warmupHistory.heatmap],
    ["get", "/warmup/enrolments/:mailboxId/reputation", warmupHistory.reputation],
    ["get", "/warmup/enrolments/:mailboxId/bounces", warmupHistory.bounces],
    ["post", "/warmup/manage", manageWarmup],
    ["post", "/warmup/pools", warmupPools],
  ],
  tools: {
    warmup: {
      warmup_list: {
        operation: choice(
          "warmup:read",
          "List the mailboxes that warm up, or see one of them",
          {
            list: warmup.list,
            get: warmup.get,
            heatmap: warmupHistory.heatmap,
            reputation: warmupHistory.reputation,
            bounces: warmupHistory.bounces,
          },
          "list",
          "view",
        ),
        title: "List warmups",
        readOnly: true,
        paged: true,
        when: "The progress of each warmup, and how many emails partners read, answered, found in Junk and rescued. All views but list need a mailboxId, which mailboxes_list returns.",
      },
      warmup_manage: {
        operation: manageWarmup,
        title: "Manage warmups",
        destructive: true,
        when: "A started mailbox exchanges emails with partners every day; before that it does not warm up. Some providers' terms forbid such networks. mailboxes_list returns the ids, warmup_list the states.",
      },
      warmup_pools: {
        operation: choice("warmup:read", warmupPools.summary, { ...warmupPools.actions }, "overview"),
        title: "Warmup pools",
        destructive: true,
        paged: true,
        when: "A mailbox starts in SHARED, with mailboxes of all workspaces here. A private pool has chosen mailboxes of this workspace; each joins by setParticipation.",
      },
    },
  },
  examples: {
    warmup: [
      {
        at: "post /warmup/manage",
        title: "Warm up a new mailbox slowly",
        body: {
          action: "start",
          mailboxId: ids.mailboxId,
          preset: "COLD",
          config: { language: "de", weekdaysOnly: true },
        },
      },
      {
        at: "post /warmup/manage",
        title: "Start several mailboxes with the same settings",
        body: {
          action: "onboard",
          onboard: {
            mailboxIds: [ids.mailboxId, ids.testMailboxId],
            preset: "WARM",
            pools: [{ type: "SHARED", share: 1 }],
          },
        },
      },
      {
        at: "post /warmup/manage",
        title: "Set a custom ramp",
        body: {
          action: "applyPreset",
          mailboxId: ids.mailboxId,
          preset: "CUSTOM",
          customConfig: { start: 5, increment: 1, max: 25 },
        },
      },
      {
        at: "post /warmup/manage",
        title: "Keep warmup emails where they arrive",
        body: { action: "configure", mailboxId: ids.mailboxId, config: { folder: "" } },
      },
      {
        at: "post /warmup/manage",
        title: "Move warmup emails out of Junk",
        body: { action: "unspam", mailboxId: ids.mailboxId },
      },
      {
        at: "post /warmup/manage",
        title: "Read and flag warmup emails",
        body: { action: "markImportant", mailboxId: ids.mailboxId },
      },
      { at: "post /warmup/pools", title: "Show pools and shares", body: { action: "overview" } },
      {
        at: "post /warmup/pools",
        title: "Create a private pool",
        body: { action: "createPrivate", name: "Our own firms", mailboxIds: [ids.mailboxId, ids.testMailboxId] },
      },
      {
        at: "post /warmup/pools",
        title: "Split a mailbox between pools",
        body: {
          action: "setParticipation",
          mailboxId: ids.mailboxId,
          pools: [
            { type: "SHARED", share: 0.5 },
            { type: ids.poolId, share: 0.5 },
          ],
        },
      },
      { at: "post /warmup/pools", title: "Delete a pool", body: { action: "deletePrivate", poolId: ids.poolId } },
      { at: "post /warmup/manage", title: "Pause a mailbox", body: { action: "pause", mailboxId: ids.mailboxId } },
      {
        at: "post /warmup/manage",
        title: "Stop several mailboxes",
        body: { action: "bulkAction", bulkAction: "stop", mailboxIds: [ids.mailboxId, ids.testMailboxId] },
      },
      {
        at: "post /warmup/manage",
        title: "Remove a mailbox from warmup",
        body: { action: "remove", mailboxId: ids.mailboxId },
      },
    ],
  },
} as const satisfies Declaration;

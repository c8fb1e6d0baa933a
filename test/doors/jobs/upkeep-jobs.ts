import type { Job } from "./job.ts";

const warmUp: Job = {
  name: "Warm up mailboxes",
  asked: "Warm both mailboxes up slowly, and tell me how they are doing.",
  most: 3,
  async run(call) {
    const { items } = await call("mailboxes_list", { detail: "low" }, "id email status");
    const mailboxIds = items.map(({ id }: { id: string }) => id);
    const onboard = { mailboxIds, preset: "COLD", pools: [{ type: "SHARED", share: 1 }] };
    await call("warmup_manage", { action: "onboard", onboard, idempotencyKey: "warmup-both-1" });
    await call("warmup_list", {}, "email status dayNumber dailyLimit");
  },
};

const fixDns: Job = {
  name: "Fix DNS records",
  asked: "Are the DNS records of ann@north.test in order? I can change them.",
  most: 5,
  async run(call, { dns, settled }, meanwhile) {
    const { items } = await call("mailboxes_list", { search: "ann@north.test", detail: "low" }, "id email");
    const mailboxId = items[0].id;
    const isChecked = ({ verification }: { verification: { status: string } }) => verification.status !== "PENDING";
    await call("mailboxes_verify_dns", { action: "resend", mailboxId }, "email verification");
    await settled(`/mailboxes/${mailboxId}`, isChecked);
    const { checks } = await call("mailboxes_verify_dns", { mailboxId });
    if (checks.dmarc === "PASS") throw new Error("There is nothing to fix");
    dns.zone["_dmarc.north.test"] = { TXT: ["v=DMARC1; p=none"] };
    meanwhile("The agent names the missing DMARC record, and the person publishes it.");
    await call("mailboxes_verify_dns", { action: "resend", mailboxId }, "email verification");
    await settled(`/mailboxes/${mailboxId}`, isChecked);
    await call("mailboxes_verify_dns", { mailboxId });
  },
};

const webhooks: Job = {
  name: "Set up a webhook",
  asked: "Tell our CRM about replies and bounces, and check that it arrives.",
  most: 4,
  async run(call, { hooks, settled }) {
    const url = new URL("/outreach", hooks.url).href;
    const created = await call(
      "webhooks_manage",
      {
        action: "create",
        url,
        events: ["REPLIED"],
        idempotencyKey: "webhook-crm-1",
      },
      "id url events enabled signingSecret",
    );
    const webhookId = created.id;
    await call("webhooks_manage", { action: "test", webhookId, idempotencyKey: "webhook-test-1" });
    await hooks.waitFor(() => true);
    await settled("/webhooks/deliveries", ({ items }) => items[0]?.status === "DELIVERED");
    await call("webhooks_manage", { action: "deliveries", webhookId }, "event status responseStatus total");
    await call("webhooks_manage", { action: "update", webhookId, events: ["REPLIED", "BOUNCED"] }, "id events");
  },
};

const prospecting: Job = {
  name: "Find new people",
  asked: "Find heads of sales in Berlin, reveal at most three addresses, and put them on a lead list.",
  most: 8,
  async run(call, { settled }) {
    await call("lead_search_lookups", { kind: "TITLE", query: "head" });
    const { items } = await call(
      "lead_search_browse",
      {
        filters: { titles: ["Head of Sales"], locations: ["Berlin"] },
        pageSize: 10,
      },
      "id fullName title emailStatus total",
    );
    const { id: listId } = await call("lead_search_create_list", { name: "Berlin" });
    const prospectIds = items.map(({ id }: { id: string }) => id);
    await call("lead_search_add_to_list", { listId, prospectIds });
    const { id: jobId } = await call(
      "lead_search_reveal_list",
      {
        listId,
        maxCredits: 3,
        idempotencyKey: "reveal-berlin-1",
      },
      "id status estimatedCredits",
    );
    await settled(`/lead-search/reveal/${jobId}`, ({ status }) => status === "COMPLETED");
    await call("lead_search_reveal_status", { jobId }, "status creditsUsed fullName email");
    const { id: leadListId } = await call("lead_lists", { action: "create", name: "Berlin" });
    await call(
      "lead_search_copy_to_list",
      { fromListId: listId, leadListId, idempotencyKey: "berlin-leads-1" },
      "status result",
    );
  },
};

const cleanUp: Job = {
  name: "Clean up",
  asked: "The fair is over. End the campaign, delete the addresses that bounced, and remove the list.",
  most: 6,
  async run(call, { known }, meanwhile) {
    const campaignId = known.get("campaignId");
    await call("campaign_control", { campaignId, action: "complete" }, "id status");
    await call("campaign_archive", { campaignId }, "id status");
    const { items } = await call("leads_search", { status: ["BOUNCED"], detail: "low" }, "id email status");
    const ids = items.map(({ id }: { id: string }) => id);
    const { planToken } = await call(
      "leads_manage",
      { action: "bulkDelete", ids, planOnly: true },
      "causes what deleted planToken",
    );
    meanwhile("The agent shows who would be deleted, and the person agrees.");
    await call("leads_manage", { action: "bulkDelete", ids, planToken, idempotencyKey: "delete-bounced-1" });
    await call("lead_lists", { action: "delete", listId: known.get("listId") });
  },
};

export const UPKEEP_JOBS = [fixDns, webhooks, prospecting, cleanUp, warmUp];

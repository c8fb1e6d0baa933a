import type { Scope } from "../../domain/scopes.ts";

/** Section 4.14 of the public API, written down by hand: each tool by its minimum scope. */
export const CATALOGUE: readonly [scope: Scope, names: string][] = [
  [
    "campaigns:read",
    "campaigns_list campaigns_get campaign_validate campaign_settings_get campaign_sequence_get campaign_sequence_preview",
  ],
  [
    "campaigns:write",
    "campaigns_create campaign_update campaign_duplicate campaign_archive campaign_settings_update campaign_sequence_update",
  ],
  ["campaigns:launch", "campaign_control campaign_test_send"],
  ["recipients:read", "recipients_list"],
  ["recipients:write", "recipients_manage"],
  ["leads:read", "leads_search leads_get leads_export leads_activity"],
  ["leads:write", "leads_create leads_manage leads_import"],
  ["leads:suppress", "leads_suppress"],
  ["block_list:read", "block_list"],
  ["lead_lists:read", "lead_lists"],
  ["custom_fields:read", "custom_fields"],
  ["deals:read", "deals"],
  ["mailboxes:read", "mailboxes_list mailboxes_verify_dns"],
  ["mailboxes:write", "mailboxes_manage mailboxes_tracking_domain"],
  ["mailboxes:connect", "mailboxes_connect mailboxes_disconnect mailboxes_import"],
  ["warmup:read", "warmup_list warmup_manage warmup_pools"],
  [
    "inbox:read",
    "inbox_threads_list inbox_thread_get inbox_summary inbox_draft inbox_scheduled inbox_attachment_download",
  ],
  ["inbox:write", "inbox_thread_manage inbox_message_categorize"],
  ["inbox:send", "inbox_reply_send inbox_reply_schedule"],
  ["inbox:read", "agent_settings agent_models_list agent_approvals agent_calendar"],
  ["inbox:write", "agent_approval_action"],
  [
    "deliverability:read",
    "deliverability_overview deliverability_domains deliverability_mailboxes deliverability_alerts",
  ],
  [
    "deliverability:read",
    "deliverability_recommendations deliverability_placement_tests deliverability_postmaster deliverability_settings",
  ],
  [
    "verification:read",
    "verification_jobs verification_usage verification_schedules verification_settings verification_export",
  ],
  ["webhooks:read", "webhooks_manage webhooks_dlq"],
  ["crm:read", "crm_connections crm_segments"],
  ["crm:write", "crm_connect crm_import"],
  ["analytics:read", "analytics_report analytics_report_links"],
  ["account:read", "account_get workspaces_list"],
  ["workspace:read", "workspace_get"],
  ["workspace:write", "workspace_create workspace_manage"],
  ["workspace:read", "workspace_tracking_domain workspace_portal_domain"],
  ["members:read", "members invites"],
  ["billing:read", "billing_status"],
  ["billing:write", "billing_checkout"],
  ["agency:read", "agency_workspaces"],
  ["lead_search:browse", "lead_search_browse lead_search_companies lead_search_lookups"],
  [
    "lead_search:reveal",
    "lead_search_reveal lead_search_reveal_bulk lead_search_reveal_list lead_search_reveal_status",
  ],
  ["lead_search:lists", "lead_search_lists lead_search_create_list lead_search_add_to_list lead_search_list_items"],
  ["lead_search:lists", "lead_search_remove_from_list lead_search_copy_to_list lead_search_add_search_to_list"],
  ["lead_search:lists", "lead_search_add_search_status lead_search_saved_searches lead_search_get_saved_search"],
  ["lead_search:lists", "lead_search_save_search lead_search_delete_saved_search"],
];

/** Marked (S) in the API. */
export const SENSITIVE = [
  ...[
    "campaign_control",
    "campaign_test_send",
    "leads_suppress",
    "block_list",
    "mailboxes_connect",
    "mailboxes_disconnect",
  ],
  ...["lead_search_reveal", "lead_search_reveal_bulk", "lead_search_reveal_list"],
  ...[
    "mailboxes_import",
    "inbox_reply_send",
    "inbox_reply_schedule",
    "workspace_manage",
    "members",
    "invites",
    "crm_connect",
  ],
  ...["billing_status", "billing_checkout"],
];

/**
 * The tools of `?toolsets=default`: enough to import people, build and launch a campaign, answer replies and report,
 * for applications that accept few tools (rules/tools 3.2).
 */
export const DEFAULT_TOOLS: ReadonlySet<string> = new Set([
  "campaigns_list",
  "campaigns_get",
  "campaign_validate",
  "campaigns_create",
  "campaign_settings_update",
  "campaign_sequence_update",
  "campaign_control",
  "recipients_list",
  "recipients_manage",
  "leads_search",
  "leads_import",
  "leads_suppress",
  "mailboxes_list",
  "inbox_threads_list",
  "inbox_thread_get",
  "inbox_reply_send",
  "analytics_report",
  "account_get",
]);

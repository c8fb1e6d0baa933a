/** From which share of seven days' mails on a mailbox or domain raises an alert; a workspace may set its own. */
export interface AlertThresholds {
  bounceRate: number;
  complaintRate: number;
}

export const ALERT_THRESHOLDS: AlertThresholds = { bounceRate: 0.03, complaintRate: 0.001 };

/** What a workspace may set about its deliverability. */
export interface DeliverabilitySettings {
  alertThresholds: AlertThresholds;
  /** Domains that are checked beside those of the mailboxes. */
  monitoredDomains: string[];
}

/** The settings of a workspace, with the defaults of what it has not set. */
export function deliverabilityOf(
  set: { alertThresholds?: Partial<AlertThresholds>; monitoredDomains?: string[] } | undefined,
): DeliverabilitySettings {
  return { alertThresholds: { ...ALERT_THRESHOLDS, ...set?.alertThresholds }, monitoredDomains: set?.monitoredDomains ?? [] };
}

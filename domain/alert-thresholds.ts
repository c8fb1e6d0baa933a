/**
 * The shares of a mailbox's or domain's emails in seven days from which on an alert is raised. A workspace may set its
 * own.
 */
export interface AlertThresholds {
  bounceRate: number;
  complaintRate: number;
  /** The share of measured emails that landed in Junk. */
  spamRate: number;
}

export const ALERT_THRESHOLDS: AlertThresholds = { bounceRate: 0.03, complaintRate: 0.001, spamRate: 0.1 };

export const PLACEMENT_SCHEDULES = ["DAILY", "WEEKLY"] as const;
export type PlacementSchedule = (typeof PLACEMENT_SCHEDULES)[number];
/** The most mailboxes that a workspace may keep for placement tests. */
export const MOST_TEST_MAILBOXES = 50;

/**
 * The mailboxes that a workspace keeps for placement tests, and how often its other mailboxes are tested; null: never
 * automatically.
 */
interface PlacementSettings {
  testMailboxIds: string[];
  schedule: PlacementSchedule | null;
}

/** The deliverability settings of a workspace. */
export interface DeliverabilitySettings {
  alertThresholds: AlertThresholds;
  /** Domains that are checked in addition to those of the mailboxes. */
  monitoredDomains: string[];
  placement: PlacementSettings;
}

/** The settings that a workspace has changed. All others have their defaults. */
export interface OwnDeliverability {
  alertThresholds?: Partial<AlertThresholds>;
  monitoredDomains?: string[];
  placement?: Partial<PlacementSettings>;
}

/** The settings of a workspace, with defaults for those that it has not changed. */
export function deliverabilityOf(set: OwnDeliverability | undefined): DeliverabilitySettings {
  return {
    alertThresholds: { ...ALERT_THRESHOLDS, ...set?.alertThresholds },
    monitoredDomains: set?.monitoredDomains ?? [],
    placement: { testMailboxIds: [], schedule: null, ...set?.placement },
  };
}

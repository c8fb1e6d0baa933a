import type { Settings } from "../campaigns/settings.ts";
import { DAY_MS } from "../time/durations.ts";
import { sendingVerdictOf, type VerificationSettings } from "../verification.ts";
import { formatInstant, type Rule, rule } from "./explain.ts";

/** The facts that the stop rules need about one recipient. */
export interface StopFacts {
  companyDomain: string | null;
  verificationStatus: string;
  verification: VerificationSettings;
  /** How often the email that the recipient waits for was planned again after temporary refusals. */
  softFailures: number;
  /** How often that email was delayed after a refusal without a reason. */
  policyRefusals: number;
  guardOverrideUntil: Date | null;
  unsendableSince: Date | null;
  now: number;
}

/** What could stop or delay an open recipient under the settings of its campaign (rules/campaigns 1.4). */
export function stopsOf(settings: Settings, facts: StopFacts): Rule[] {
  return [...replyRules(settings, facts), ...failureRules(settings, facts), ...guardRules(settings, facts)];
}

function replyRules(settings: Settings, { companyDomain }: StopFacts): Rule[] {
  const { stopOnReply, stopOnReplyScope, outOfOfficeMode, outOfOfficeFallbackDays: fallbackDays } = settings;
  return [
    ...ruleIf(stopOnReply, rule("STOP_ON_REPLY", { scope: stopOnReplyScope })),
    ...ruleIf(settings.stopForCompany && companyDomain !== null, rule("STOP_FOR_COMPANY", { company: companyDomain })),
    ...ruleIf(settings.stopOnAutoReply, rule("STOP_ON_AUTO_REPLY")),
    ...ruleIf(outOfOfficeMode === "PAUSE_AND_RESUME", rule("OUT_OF_OFFICE_PAUSE", { fallbackDays })),
    ...ruleIf(outOfOfficeMode === "STOP", rule("OUT_OF_OFFICE_STOP")),
    ...ruleIf(settings.stopOnOpen, rule("STOP_ON_OPEN")),
    ...ruleIf(settings.stopOnClick, rule("STOP_ON_CLICK")),
    ...ruleIf(settings.stopOnMeetingBooked, rule("STOP_ON_MEETING")),
    ...ruleIf(settings.stopOnConversion, rule("STOP_ON_CONVERSION")),
    rule("OPT_OUT"),
  ];
}

function failureRules(
  settings: Settings,
  { verificationStatus, verification, softFailures, policyRefusals }: StopFacts,
): Rule[] {
  const ends = settings.allowRiskyRecipients ? ["INVALID"] : ["INVALID", "RISKY"];
  const statuses = ["INVALID", "RISKY", "CATCH_ALL"].filter((status) =>
    ends.includes(sendingVerdictOf(status, verification)),
  );
  return [
    rule("HARD_BOUNCE"),
    rule("SOFT_BOUNCES", { used: softFailures }),
    rule("POLICY_REFUSALS", { used: policyRefusals }),
    rule("SEND_GIVEN_UP"),
    rule("VERIFICATION", { statuses, verificationStatus }),
    rule("MISSING_VARIABLES", { policy: settings.missingVariablePolicy }),
    rule("MAILBOX_DISCONNECTED", {
      failover: settings.mailboxFailover,
      afterHours: settings.mailboxFailoverAfterHours,
    }),
  ];
}

function guardRules(settings: Settings, { guardOverrideUntil, unsendableSince, now }: StopFacts): Rule[] {
  const { bounceGuard, complaintGuard, replyRateFloor, endAt } = settings;
  const { enabled: _, ...bounces } = bounceGuard;
  const { enabled: __, ...complaints } = complaintGuard;
  const since = unsendableSince?.getTime() ?? null;
  const isOverridden = guardOverrideUntil !== null && guardOverrideUntil.getTime() > now;
  return [
    ...ruleIf(endAt !== null, rule("END_AT", { endAt })),
    ...ruleIf(bounceGuard.enabled, rule("BOUNCE_GUARD", bounces)),
    ...ruleIf(complaintGuard.enabled, rule("COMPLAINT_GUARD", complaints)),
    ...ruleIf(replyRateFloor !== null, rule("REPLY_RATE_FLOOR", { floor: replyRateFloor })),
    ...(isOverridden ? [rule("GUARDS_OVERRIDDEN", { until: formatInstant(guardOverrideUntil) })] : []),
    ...(since === null
      ? []
      : [rule("UNSENDABLE", { since: formatInstant(since), pausesAt: formatInstant(since + DAY_MS) })]),
  ];
}

function ruleIf(holds: boolean, one: Rule): Rule[] {
  return holds ? [one] : [];
}

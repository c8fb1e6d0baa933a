import { maySend } from "../../domain/access/suspension.ts";
import { trackingWishOf } from "../../domain/campaigns/read-settings.ts";
import { type Settings, settingsOf, unknownSettings } from "../../domain/campaigns/settings.ts";
import { bandOf, barWordOf, maySendCampaigns } from "../../domain/mailboxes/band.ts";
import type { VerificationState } from "../../domain/mailboxes/dns-check.ts";
import { nextTryOf, restEvidenceOf } from "../../domain/mailboxes/rest-facts.ts";
import { trackingDomainOf } from "../../domain/mailboxes/tracking-domain.ts";
import { whyCold } from "../../domain/mailboxes/warmth.ts";
import { type CampaignFinding, finding, sequenceErrors, sequenceWarnings } from "../../domain/sequences/check.ts";
import type { Step } from "../../domain/sequences/sequence.ts";
import {
  customKeysOf,
  namesOfSignatures,
  namesOfSteps,
  signatureErrors,
  unknownVariables,
} from "../../domain/sequences/variable-names.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { nextOpening } from "../../domain/time/schedule.ts";
import type { Workspace } from "../../models/access/workspace.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { findCustomKeys } from "../leads/custom-keys.ts";
import { calendarOf } from "../sending/calendar.ts";
import { checkTexts } from "../sequences/text-check.ts";
import { checkAudience, countWritable, hasOpenRecipient } from "./audience-check.ts";
import { type Outlook, outlookOf } from "./capacity.ts";
import { type Scoring, spammyContents } from "./content-scores.ts";
import { loadSequence, loadWorkspace } from "./load.ts";
import { loadCampaignMailboxes } from "./mailboxes-of-campaign.ts";
import type { RenderSources } from "./missing.ts";

/** Whether a campaign can be launched, and what would happen then. */
export interface CampaignValidation {
  valid: boolean;
  errors: CampaignFinding[];
  warnings: CampaignFinding[];
  summary: {
    recipients: number;
    open: number;
    heldOut: number;
    steps: number;
    variants: number;
    mailboxes: number;
    version: number;
  } & Outlook;
}

const LONG_DAYS = 60;
const MOST_NAMED = 100;

/**
 * The errors that prevent the launch of a campaign, the warnings for its owner, and what would happen after the launch
 * (rules/campaigns 4.1). With `scoring`, the warnings include stored verdicts of the spam filter.
 */
export async function validateCampaign(campaign: Campaign, scoring: Scoring = null): Promise<CampaignValidation> {
  const { recipientCount } = campaign;
  const ground = await groundOf(campaign);
  const { settings, sequence, workspace, mailboxes, usable } = ground;
  const [audience, { open, heldOut }, { finishAt, ...outlook }, spammy, texts] = await Promise.all([
    checkAudience(ground),
    countWritable(campaign),
    // When no mailbox can send, the forecast assumes that all can
    outlookOf(ground, usable.length > 0 ? usable : mailboxes.map((mailbox) => ({ ...mailbox, health: null }))),
    spammyContents(ground, scoring),
    checkTexts(ground),
  ]);
  const warnings = [
    ...texts,
    ...audience.warnings,
    ...mailboxWarnings(mailboxes, settings, workspace),
    ...(await coldWarnings(workspace._id, mailboxes)),
    ...capacityWarnings(settings, open, finishAt),
    ...sequenceWarnings(sequence.steps, settings, workspace.postalAddress),
    ...spammy,
    ...unknownSettings(campaign.settings).map((key) =>
      finding("UNKNOWN_SETTING", `The setting ${key} has no effect`, `settings.${key}`),
    ),
  ];
  const errors = errorsOf(ground, audience.hasOpen, warnings);
  const variants = sequence.steps.reduce(
    (count, step) => count + step.variants.filter(({ enabled }) => enabled).length,
    0,
  );
  // When approval is required, the time of an email cannot be predicted
  const unknown = settings.approvalMode === "NONE" ? {} : { firstSendAt: null, expectedFinishAt: null };
  const summary = {
    recipients: recipientCount,
    open,
    heldOut,
    steps: sequence.steps.length,
    variants,
    mailboxes: mailboxes.length,
    version: campaign.version,
    ...outlook,
    ...unknown,
  };
  return { valid: errors.length === 0, errors, warnings, summary };
}

/**
 * The validation if the campaign is not valid, otherwise null. It is faster than `validateCampaign`, because it
 * computes warnings only when one of them could block the launch.
 */
export async function invalidityOf(campaign: Campaign, scoring: Scoring = null): Promise<CampaignValidation | null> {
  if (settingsOf(campaign.settings).launchBlockers.length === 0) {
    const [ground, hasOpen] = await Promise.all([groundOf(campaign), hasOpenRecipient(campaign)]);
    if (errorsOf(ground, hasOpen, []).length === 0) return null;
  }
  const validation = await validateCampaign(campaign, scoring);
  return validation.valid ? null : validation;
}

/** The data for rendering a campaign's emails, with the mailbox that would send first. */
export function loadCampaignSources(campaign: Campaign): Promise<RenderSources> {
  return groundOf(campaign);
}

interface Ground extends RenderSources {
  mailboxes: Mailbox[];
  /** Mailboxes that can send now. */
  usable: Mailbox[];
  /** Errors about variable names that do not exist, and about signatures that are not valid templates. */
  misnamed: CampaignFinding[];
  /** Errors whose cause is not the sequence, the audience or the mailboxes. */
  held: CampaignFinding[];
}

async function groundOf(campaign: Campaign): Promise<Ground> {
  const { workspaceId } = campaign;
  const settings = settingsOf(campaign.settings);
  const [sequence, workspace, mailboxes, schedule, restore] = await Promise.all([
    loadSequence(workspaceId, campaign._id),
    loadWorkspace(workspaceId),
    loadCampaignMailboxes(workspaceId, settings),
    scheduleErrors(settings),
    restoreErrors(workspaceId),
  ]);
  const usable = mailboxes.filter(maySendCampaigns);
  const mailbox = usable[0] ?? mailboxes[0] ?? null;
  const signing = settings.signatureMode === "NONE" ? [] : mailboxes;
  const misnamed = await namingErrors(workspaceId, sequence.steps, signing);
  return {
    campaign,
    settings,
    sequence,
    workspace,
    mailbox,
    mailboxes,
    usable,
    misnamed,
    held: [...schedule, ...restore],
  };
}

function errorsOf(
  { campaign, settings, sequence, workspace, mailboxes, usable, misnamed, held }: Ground,
  hasOpen: boolean,
  warnings: CampaignFinding[],
) {
  return [
    ...sequenceErrors(campaign.type, sequence.steps),
    ...misnamed,
    ...(hasOpen || settings.autoRefreshAudience ? [] : [finding("NO_RECIPIENTS", "No recipient is open")]),
    ...mailboxErrors(mailboxes, usable),
    ...held,
    ...policyErrors(!maySend(workspace), settings, warnings),
  ];
}

/** The workspace's custom field keys are loaded only when a text uses a name that is not built in. */
async function namingErrors(
  workspaceId: string,
  steps: readonly Step[],
  signing: readonly Mailbox[],
): Promise<CampaignFinding[]> {
  const named = [...namesOfSteps(steps), ...namesOfSignatures(signing)];
  const customKeys = customKeysOf(named).length === 0 ? [] : await findCustomKeys(workspaceId);
  return [...signatureErrors(signing), ...(customKeys === null ? [] : unknownVariables(named, customKeys))];
}

function mailboxErrors(mailboxes: Mailbox[], usable: Mailbox[]): CampaignFinding[] {
  if (mailboxes.length === 0)
    return [finding("NO_MAILBOX", "The campaign names no connected mailbox", "settings.mailboxIds")];
  if (usable.length > 0) return [];
  const now = Date.now();
  const nextTries = mailboxes.slice(0, 100).map((mailbox) => {
    const until = nextTryOf(mailbox, now);
    return { mailboxId: mailbox._id, status: barWordOf(mailbox), until, evidence: restEvidenceOf(mailbox) };
  });
  const next = Math.min(...nextTries.flatMap(({ until }) => until?.getTime() ?? []));
  const again = Number.isFinite(next) ? `; the next one is tried again at ${new Date(next).toISOString()}` : "";
  const message = `None of the campaign's mailboxes can send now${again}`;
  return [finding("ALL_MAILBOXES_UNHEALTHY", message, "settings.mailboxIds", { mailboxes: nextTries })];
}

async function scheduleErrors(settings: Settings): Promise<CampaignFinding[]> {
  const now = Date.now();
  if (settings.endAt !== null && Date.parse(settings.endAt) <= now)
    return [finding("END_DATE_PAST", "The end date has passed", "settings.endAt")];
  const calendar = await calendarOf(settings, null, null, null, now);
  if (nextOpening(calendar, now) !== null) return [];
  return [finding("NO_SCHEDULE_WINDOW", "No window opens in which the campaign may send", "settings.windows")];
}

function policyErrors(
  isSuspended: boolean,
  { launchBlockers }: Settings,
  warnings: CampaignFinding[],
): CampaignFinding[] {
  const blocking = [...new Set(warnings.map(({ code }) => code))].filter((code) =>
    launchBlockers.some((one) => one === code),
  );
  return [
    ...(isSuspended
      ? [
          finding("BLOCKED_BY_POLICY", "Sending is suspended for this workspace", null, {
            reason: "WORKSPACE_SUSPENDED",
          }),
        ]
      : []),
    ...(blocking.length > 0
      ? [
          finding(
            "BLOCKED_BY_POLICY",
            `These warnings block a launch: ${blocking.join(", ")}`,
            "settings.launchBlockers",
            {
              warnings: blocking,
            },
          ),
        ]
      : []),
  ];
}

/**
 * An error while the Sent folders are still being checked after a restore, because an email may have been sent that the
 * restored database does not contain (rules/sending 12.2).
 */
async function restoreErrors(workspaceId: string): Promise<CampaignFinding[]> {
  const { SentFolderCheck } = scoped(workspaceId);
  const waiting = await SentFolderCheck.find({}, { limit: 100, select: { _id: 1 } });
  if (waiting.length === 0) return [];
  const details = { count: await SentFolderCheck.count(), mailboxIds: waiting.map(({ _id }) => _id) };
  return [
    finding(
      "RESTORE_UNFINISHED",
      "After a restore, the Sent folders of some mailboxes are not checked yet",
      null,
      details,
    ),
  ];
}

/** A mailbox without warmup history counts as cold (rules/campaigns 4.2). */
async function coldWarnings(workspaceId: string, mailboxes: Mailbox[]): Promise<CampaignFinding[]> {
  const ids = mailboxes.map(({ _id }) => _id);
  const select = { status: 1, warmSince: 1 } as const;
  const enrolled = await scoped(workspaceId).WarmupEnrolment.read({ _id: { $in: ids } }, { select });
  const warmupOf = new Map(enrolled.map((one) => [one._id, one]));
  const cold = mailboxes.flatMap((mailbox) => {
    const why = whyCold(mailbox, warmupOf.get(mailbox._id) ?? null);
    return why.length === 0
      ? []
      : [{ mailboxId: mailbox._id, why, score: mailbox.health?.score ?? null, band: bandOf(mailbox) }];
  });
  if (cold.length === 0) return [];
  const named = cold.slice(0, MOST_NAMED);
  const details = { count: cold.length, mailboxIds: named.map(({ mailboxId }) => mailboxId), mailboxes: named };
  return [
    finding("MAILBOX_NOT_WARM", "Cold email needs mailboxes that have been warmed up", "settings.mailboxIds", details),
  ];
}

/** Email without a tracking domain is not tracked (rules/states 6.4). */
function mailboxWarnings(mailboxes: Mailbox[], settings: Settings, workspace: Workspace): CampaignFinding[] {
  const among = (code: string, message: string, path: string, some: Mailbox[]) =>
    some.length === 0
      ? []
      : [finding(code, message, path, { count: some.length, mailboxIds: some.slice(0, 100).map(({ _id }) => _id) })];
  const unverified = mailboxes.filter(({ verification }) => !VERIFIED.includes(verification?.status ?? "PENDING"));
  const wish = trackingWishOf(settings);
  const untracked = wish === null ? [] : mailboxes.filter((mailbox) => trackingDomainOf(mailbox, workspace) === null);
  const withoutOneClick = settings.unsubscribeHeader ? mailboxes.filter(losesOneClick) : [];
  return [
    ...among(
      "ONE_CLICK_UNSUBSCRIBE_LOST",
      "The provider removes the headers for one-click unsubscribe",
      "settings.mailboxIds",
      withoutOneClick,
    ),
    ...among(
      "DNS_NOT_VERIFIED",
      "MX, SPF, DKIM or DMARC of the sending domain are not verified",
      "settings.mailboxIds",
      unverified,
    ),
    ...among(
      "TRACKING_DOMAIN_UNVERIFIED",
      "Without a verified tracking domain, email is not tracked",
      `settings.${wish}`,
      untracked,
    ),
  ];
}

function losesOneClick({ headerSurvival }: Mailbox): boolean {
  return headerSurvival ? !headerSurvival.listUnsubscribe || !headerSurvival.listUnsubscribePost : false;
}

/** The states that raise no warning: checked, or skipped on purpose. */
const VERIFIED: readonly VerificationState[] = ["VERIFIED", "SKIPPED"];

function capacityWarnings({ endAt }: Settings, recipients: number, finish: Date | null): CampaignFinding[] {
  if (recipients === 0) return [];
  const daysToFinish = finish === null ? null : Math.ceil((finish.getTime() - Date.now()) / DAY_MS);
  const isLate = endAt !== null && finish !== null && finish.getTime() >= Date.parse(endAt);
  if (daysToFinish !== null && daysToFinish <= LONG_DAYS && !isLate) return [];
  const message =
    daysToFinish === null ? "The campaign cannot finish at this pace" : `The campaign would take ${daysToFinish} days`;
  return [finding("CAPACITY_LOW", message, null, { daysToFinish })];
}

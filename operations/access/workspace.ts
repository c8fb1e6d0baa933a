import { z } from "zod";
import { MOST_TEST_MAILBOXES, PLACEMENT_SCHEDULES } from "../../domain/alert-thresholds.ts";
import { readBy } from "../../domain/issues.ts";
import { isPublicSuffix, normalizeAddress } from "../../domain/mail/message.ts";
import { zoneField } from "../../domain/values/zone-field.ts";
import { CATCH_ALL_TREATMENTS } from "../../domain/verification.ts";
import { Workspace as Workspaces } from "../../models/access/workspace.ts";
import { CAP_SOURCES } from "../../models/sending/sending-cap.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { resumeSending as letSend, suspendSending } from "../../store/campaigns/kill-switch.ts";
import { loadDailyCap } from "../../store/daily-caps.ts";
import { loadKnownMailboxes } from "../../store/mailboxes/known.ts";
import { loadCap } from "../../store/sending/caps.ts";
import { loadLimits } from "../../store/workspace-limits.ts";
import { choice } from "../choice.ts";
import { changing, name, time } from "../fields.ts";
import { operation } from "../operation.ts";
import { shownAs } from "../shown-as.ts";
import { PortalBrand, refuseUnreadable, ShownBrand } from "../sign-in/portal-brand.ts";
import { appendAuditEntry } from "./audit.ts";
import { deleteWorkspace } from "./delete-workspace.ts";
import { findOwner } from "./workspaces.ts";

const CURRENCIES = new Set(Intl.supportedValuesOf("currency"));

const share = (of: string) =>
  z.number().min(0.0001).max(1).describe(`The share of ${of} at which an alert opens, 0.0001 to 1`).optional();
const sendingDomain = z
  .string()
  .transform((text) => normalizeAddress(`any@${text}`)?.domain ?? "")
  .refine((domain) => domain !== "" && !isPublicSuffix(domain), {
    message: "is not a domain of yours",
    params: { code: "NOT_A_DOMAIN" },
  });

const currency = z.string().refine((code) => CURRENCIES.has(code), {
  message: "is not an ISO 4217 currency",
  params: { code: "UNKNOWN_CURRENCY" },
});

/** The changes to address verification; an absent field stays unchanged. */
export const VerificationPatch = z.strictObject({
  autoVerifyOnImport: z.boolean().describe("Whether the new leads of imports are verified automatically").optional(),
  blockInvalid: z.boolean().describe("Whether nothing is sent to an address that was found INVALID").optional(),
  reverifyAfterDays: z
    .number()
    .int()
    .min(1)
    .max(365)
    .describe(
      "How many days a result counts before an address is checked again, 1 to 365; mail servers are queried at most once in 30 days",
    )
    .optional(),
  treatCatchAllAs: z
    .enum(CATCH_ALL_TREATMENTS)
    .describe("How sending treats addresses whose domain accepts every address: like VALID, RISKY or INVALID ones")
    .optional(),
});

/** The changes to a workspace; an absent field stays unchanged. */
const WorkspacePatch = changing(
  z.strictObject({
    name: name.describe("The name of the workspace").optional(),
    postalAddress: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .nullable()
      .describe(
        "The address in the footer of each campaign email, with line breaks between lines; null: none, and each launch warns about it",
      )
      .optional(),
    timezone: zoneField.describe("IANA time zone used where no other is set").optional(),
    defaults: changing(
      z.strictObject({ currency: currency.describe("ISO 4217 code of the currency of new deals").optional() }),
    )
      .optional()
      .describe("Defaults of new records; fields that you leave out stay the same"),
    deliverability: changing(
      z.strictObject({
        alertThresholds: changing(
          z.strictObject({
            bounceRate: share("emails that bounced"),
            complaintRate: share("emails that were reported as spam"),
            spamRate: share("measured emails that landed in Junk"),
          }),
        )
          .optional()
          .describe("Thresholds over seven days, for a mailbox or domain"),
        monitoredDomains: shownAs(z.array(sendingDomain).max(50), z.array(z.string()).max(50))
          .optional()
          .describe("Domains to check besides those of the mailboxes, at most 50; they replace the previous ones"),
        placement: changing(
          z.strictObject({
            testMailboxIds: z
              .array(z.string().max(64))
              .max(MOST_TEST_MAILBOXES)
              .describe(
                `Connected mailboxes reserved for placement tests, at most ${MOST_TEST_MAILBOXES}; they replace the previous ones`,
              )
              .optional(),
            schedule: z
              .enum(PLACEMENT_SCHEDULES)
              .nullable()
              .describe(
                "How often every other connected mailbox sends to them; null: never automatically. Only a credential that sends directly may set it",
              )
              .optional(),
          }),
        )
          .optional()
          .describe("Placement tests; fields that you leave out stay the same"),
      }),
    )
      .optional()
      .describe(
        "Alert thresholds, watched domains and placement tests; fields that you leave out stay the same. GET /deliverability/settings returns it",
      ),
    verification: changing(VerificationPatch)
      .optional()
      .describe(
        "When addresses are verified, and how sending uses the results; fields that you leave out stay the same. GET /verification/settings returns it",
      ),
    honeypotLink: z
      .boolean()
      .describe(
        "Whether tracked HTML emails carry a hidden link that only robots follow, so that its visitors are known to be robots. It harms inbox placement with some providers",
      )
      .optional(),
    weeklyReport: z
      .boolean()
      .describe("Whether owners and admins get a weekly email about the client workspaces; needs SYSTEM_SMTP_URL")
      .optional(),
    acceptSuggestedFrom: z
      .number()
      .min(0.5)
      .max(1)
      .nullable()
      .describe(
        "The confidence, 0.5 to 1, from which a suggested category of interest is set automatically, and so counts as a positive reply; null: a person confirms each",
      )
      .optional(),
    portal: PortalBrand.nullable()
      .optional()
      .describe(
        "Name and colours of the pages at its portal and tracking domains; set all fields at once. Null: its name, in the default colours",
      ),
    needsSecondFactor: z
      .boolean()
      .describe("Whether members need a second factor to sign in; members without one must set it up first")
      .optional(),
  }),
);

const limit = (of: string) => z.number().int().describe(`The most ${of} in the workspace`);
const limits = z.object({
  customFields: limit("custom fields"),
  leadLists: limit("lead lists"),
  blockListEntries: limit("entries of the block list"),
  mailboxes: limit("mailboxes"),
  webhooks: limit("webhook subscriptions"),
  members: limit("members, open invites included"),
});

const dailyLimit = (of: string, done: string) =>
  z
    .object({
      most: z.number().int().describe(`The most ${of}`),
      usedToday: z.number().int().describe(`How many of them it has ${done} today`),
      by: z.enum(["OPERATOR", "NEW"]).describe("OPERATOR, or NEW: a new workspace"),
      reason: z.string().describe("Why the limit is set"),
    })
    .nullable()
    .describe(`The most ${of}; null: no limit`);

export const Workspace = z.object({
  id: z.string().describe("Prefix `wsp_`"),
  name: z.string().describe("The name of the workspace"),
  postalAddress: z.string().nullable().describe("The address in the footer of each campaign email; null: none"),
  timezone: z.string().describe("IANA time zone used where no other is set"),
  defaults: z
    .object({ currency: z.string().describe("ISO 4217 code of the currency of new deals") })
    .describe("Defaults of new records"),
  limits: limits.describe("The limits of the workspace"),
  isSendingPaused: z
    .boolean()
    .describe("Whether all sending is stopped: no email leaves, including replies and test emails"),
  suspension: z
    .object({
      by: z.enum(["OPERATOR", "SERVICE"]).describe("A person who operates the service, or the service itself"),
      reason: z.string().describe("Why the workspace was suspended"),
      since: time.describe("Since when"),
    })
    .nullable()
    .describe(
      "Set while the operator of the service has suspended the workspace: nothing is sent, and no call of the workspace ends it; null: not suspended",
    ),
  sendingCap: z
    .object({
      most: z.number().int().describe("The most emails that it may send on a UTC day, warmup emails not counted"),
      sentToday: z.number().int().describe("How many of them it has sent today"),
      by: z.enum(CAP_SOURCES).describe("OPERATOR, RATES: too many bounces or complaints, or NEW: a new workspace"),
      reason: z.string().describe("Why the limit is set"),
    })
    .nullable()
    .describe("The limit of the operator or the service for the whole workspace; null: none"),
  dailyLimits: z
    .object({
      connectionTests: dailyLimit("connections to mail servers that it may test", "tested"),
      importedRows: dailyLimit("rows of leads that it may import", "imported"),
    })
    .describe("Further limits of the operator, or of a new workspace, on a UTC day"),
  honeypotLink: z
    .boolean()
    .describe("Whether tracked HTML emails carry a link that only robots follow; off by default"),
  weeklyReport: z.boolean().describe("Whether owners and admins get a weekly email about its clients"),
  acceptSuggestedFrom: z
    .number()
    .nullable()
    .describe(
      "The confidence from which a suggested category of interest is set automatically; null: a person confirms each",
    ),
  portal: ShownBrand.nullable().describe(
    "Name and colours of the pages at its portal and tracking domains; null: its name, in the default colours",
  ),
  needsSecondFactor: z.boolean().describe("Whether members who sign in need a second factor"),
  createdAt: time.describe("When it was made"),
});

const scope = "workspace:write" as const;
const output = Workspace;

export const get = operation({
  summary: "Get the workspace: name, postal address, time zone, defaults and limits",
  scope: "workspace:read",
  input: z.strictObject({}),
  output,
  run: ({ workspaceId }) => loadWorkspace(workspaceId),
});

const update = operation({
  summary:
    "Change name, postal address, time zone, tracking defaults or other settings. Applies to emails sent from now on",
  scope,
  errors: ["MAILBOX_NOT_FOUND", "SENDING_NOT_ALLOWED"],
  audits: "workspace.update",
  effects: {
    SENDS: (_ctx, { patch }) => patch.deliverability?.placement !== undefined,
    CHANGES_SENDING: (_ctx, { patch: { name, ...rest } }) => Object.values(rest).some((value) => value !== undefined),
  },
  input: z.strictObject({ patch: WorkspacePatch.describe("The changes") }),
  output,
  async run(ctx, { patch }) {
    return changeWorkspace(ctx.workspaceId, patch);
  },
});

const pauseSending = operation({
  summary: "Stop all sending: after this response no email of the workspace leaves, including replies and test emails",
  scope,
  // Runs outside the transaction of an idempotency key, so that it takes effect immediately, however many campaigns it
  // pauses
  sends: true,
  audits: "workspace.pauseSending",
  stops: true,
  input: z.strictObject({}),
  output,
  async run({ workspaceId, credentialId }) {
    await suspendSending(workspaceId, credentialId);
    return loadWorkspace(workspaceId);
  },
});

const resumeSending = operation({
  summary: "Resume sending after a stop: only the campaigns that the stop paused continue",
  scope,
  sends: true,
  stepUp: true,
  effects: { SENDS: true },
  audits: "workspace.resumeSending",
  input: z.strictObject({}),
  output,
  async run({ workspaceId, credentialId }) {
    await letSend(workspaceId, credentialId);
    return loadWorkspace(workspaceId);
  },
});

export const manage = choice(scope, "Change the workspace, stop and resume all its sending, or delete it", {
  update,
  delete: deleteWorkspace,
  pauseSending,
  resumeSending,
});

/** @throws AppError MAILBOX_NOT_FOUND, Error when there is no such workspace */
async function changeWorkspace(
  workspaceId: string,
  patch: z.output<typeof WorkspacePatch>,
): Promise<z.input<typeof Workspace>> {
  const { defaults = {}, deliverability = {}, verification = {}, ...fields } = patch;
  const { alertThresholds = {}, monitoredDomains, placement = {} } = deliverability;
  const within = (group: string, values: object) =>
    Object.entries(values).map(([name, value]) => [`deliverability.${group}.${name}`, value]);
  if (fields.portal) refuseUnreadable(fields.portal);
  const { testMailboxIds } = placement;
  if (testMailboxIds !== undefined) await loadKnownMailboxes(workspaceId, testMailboxIds);
  const watched = monitoredDomains === undefined ? undefined : [...new Set(monitoredDomains)].sort();
  const nested = {
    ...Object.fromEntries(Object.entries(verification).map(([name, value]) => [`verification.${name}`, value])),
    ...Object.fromEntries([...within("alertThresholds", alertThresholds), ...within("placement", placement)]),
    "deliverability.monitoredDomains": watched,
  };
  const changes = Object.entries({ ...fields, ...defaults, ...nested }).filter(([, value]) => value !== undefined);
  return inTransaction(async () => {
    if (changes.length > 0)
      await Workspaces.updateOne({ _id: workspaceId }, { $set: Object.fromEntries(changes) }, sessionOption());
    return loadWorkspace(workspaceId);
  });
}

/**
 * Changes a workspace for the operator; the audit log names the workspace's owner.
 * @throws Error with one line per invalid field
 */
export async function updateByOperator(workspaceId: string, asked: unknown): Promise<void> {
  const patch = readBy(WorkspacePatch, asked);
  if (!patch.success) throw new Error(patch.issues.map(({ path, message }) => `${path} ${message}`).join("\n"));
  const owner = await findOwner(workspaceId);
  if (owner === null) throw new Error(`There is no workspace ${workspaceId}`);
  const deed = {
    workspaceId,
    actor: { kind: "CONSOLE" as const, id: owner },
    action: "workspace.update",
    input: { patch: patch.data },
  };
  await inTransaction(async () => appendAuditEntry(deed, "DONE", null, await changeWorkspace(workspaceId, patch.data)));
}

export async function loadWorkspace(workspaceId: string): Promise<z.input<typeof Workspace>> {
  const found = await Workspaces.findOne({ _id: workspaceId }, null, sessionOption()).lean<Workspaces>();
  if (found === null) throw new Error(`There is no workspace ${workspaceId}`);
  const {
    _id: id,
    name,
    postalAddress,
    timezone,
    currency,
    isSuspended,
    suspension = null,
    honeypotLink = false,
    needsSecondFactor = false,
    weeklyReport = false,
    acceptSuggestedFrom = null,
    portal = null,
    createdAt,
  } = found;
  // Workspaces created before this field lack it
  const defaults = { currency: currency ?? "USD" };
  return {
    id,
    name,
    postalAddress: postalAddress ?? null,
    timezone,
    defaults,
    limits: await loadLimits(id),
    isSendingPaused: isSuspended,
    sendingCap: await loadCap(id),
    dailyLimits: {
      connectionTests: await loadDailyCap(id, "CONNECTION_TESTS"),
      importedRows: await loadDailyCap(id, "IMPORTED_ROWS"),
    },
    suspension: suspension && { by: suspension.by, reason: suspension.reason, since: suspension.at },
    honeypotLink,
    weeklyReport,
    acceptSuggestedFrom,
    portal,
    needsSecondFactor,
    createdAt,
  };
}

import { z } from "zod";
import { BANDS, HEALTH_MEASURES } from "../../domain/mailboxes/band.ts";
import { CHANGED_BY } from "../../domain/mailboxes/health-fold.ts";
import { BAND_THRESHOLDS, type BandThresholds, type JudgedBand } from "../../domain/mailboxes/judge.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { replayHealth } from "../../store/mailboxes/health.ts";
import { ids, nullable, optionalTime, pageFrom, pageOf, paging, time, wholeNumber } from "../fields.ts";
import { operation } from "../operation.ts";
import { loadMailbox, mailboxId } from "./find.ts";

/** The measured share that decided a mailbox's health band. */
export const evidenceFields = {
  measure: nullable(z.enum(HEALTH_MEASURES)).describe(
    "The measure that decided; null if no measure is against the mailbox",
  ),
  numerator: nullable(z.number().int()).describe(
    "Emails of the last seven days that landed in Junk, were reported or bounced",
  ),
  denominator: nullable(z.number().int()).describe("Emails of the last seven days that were measured"),
  threshold: nullable(z.number()).describe("The share, 0 to 1, at which the band starts"),
};
const until = optionalTime.describe(
  "When the band, or a person's decision on it, ends; null if neither ends by itself",
);
export const step = nullable(z.number().int()).describe(
  "Percent of its capacity that a THROTTLED mailbox may use; null in other bands",
);

const HealthChanged = z
  .object({
    at: time.describe("When it changed"),
    from: z.enum(BANDS).describe("The previous band"),
    to: z.enum(BANDS).describe("The new band"),
    fromStep: nullable(z.number().int()).describe("The previous step"),
    step,
    until,
    ...evidenceFields,
    by: z.enum(CHANGED_BY).describe("FACTS: results; PERSON: reset to HEALTHY by a person"),
  })
  .meta({ id: "MailboxHealthChange", description: "A change of a mailbox's band, step or term" });

const MOST_DAYS = 180;
const MOST_CHANGES = 1_000;
const days = wholeNumber(1, MOST_DAYS).default(30);

export const listHealthChanges = operation({
  summary: "List how the band of a mailbox has changed, newest first, with the numbers that led to each change",
  scope: "mailboxes:read",
  errors: ["MAILBOX_NOT_FOUND"],
  input: z.strictObject({ mailboxId, days: days.describe("The last 1 to 180 days. Default 30") }),
  output: z.array(HealthChanged),
  async run({ workspaceId }, { mailboxId, days }) {
    await loadMailbox(workspaceId, mailboxId);
    const since = trusted({ $gte: sinceOf(days) });
    return scoped(workspaceId).MailboxHealthChange.find(
      { mailboxId, at: since },
      { sort: { at: -1, _id: -1 }, limit: MOST_CHANGES },
    );
  },
});

const share = z.number().min(0).max(1).nullable();
const shares = z.strictObject({
  WATCH: share.optional().describe("0 to 1; null: the measure never does this"),
  THROTTLED: share.optional().describe("0 to 1; null: the measure never does this"),
  QUARANTINED: share.optional().describe("0 to 1; null: the measure never does this"),
  BLOCKED: share.optional().describe("0 to 1; null: the measure never does this"),
});
const thresholds = z
  .strictObject({
    SPAM_RATE: shares.optional().describe("Shares of measured warmup emails in Junk"),
    COMPLAINT_RATE: shares.optional().describe("Shares of campaign emails reported as spam"),
    BOUNCE_RATE: shares.optional().describe("Shares of campaign emails that hard bounced"),
  })
  .default({});

const Replayed = z
  .object({
    mailboxId,
    email: z.string().describe("The address of the mailbox"),
    band: z.enum(BANDS).describe("The band of the mailbox under these thresholds"),
    step,
    until,
    changes: z.array(HealthChanged).describe("The changes that would have led there, newest first"),
  })
  .meta({ id: "ReplayedHealth", description: "The health of a mailbox under other thresholds" });

export const replayHealthOf = operation({
  summary: "Show the bands that mailboxes would have under other thresholds, by their stored results. Nothing changes",
  scope: "mailboxes:read",
  input: z.strictObject({
    ...paging,
    pageSize: wholeNumber(1, 50).default(20).describe("Mailboxes on a page, 1 to 50. Default 20"),
    mailboxIds: ids.optional().describe("Only these mailboxes, 1 to 1,000"),
    days: days.describe("Changes of the last 1 to 180 days. Default 30"),
    thresholds: thresholds.describe("Thresholds that you leave out stay the same"),
  }),
  output: pageOf(Replayed),
  async run({ workspaceId }, { page, pageSize, mailboxIds, days, thresholds }) {
    const filter = mailboxIds === undefined ? {} : { _id: trusted({ $in: mailboxIds }) };
    const found = await pageFrom(
      scoped(workspaceId).Mailbox,
      filter,
      { page, pageSize },
      { select: { sealedPassword: 0 } },
    );
    const by = merged(thresholds);
    const since = sinceOf(days);
    const items: z.input<typeof Replayed>[] = [];
    for (const mailbox of found.items) {
      const { course, changes } = await replayHealth(mailbox, by);
      const { band = "HEALTHY" as const, step = null, until = null } = course ?? {};
      const shown = changes.filter(({ at }) => at >= since).toReversed();
      items.push({ mailboxId: mailbox._id, email: mailbox.email, band, step, until, changes: shown });
    }
    return { ...found, items };
  },
});

/** The current thresholds, overridden by those in the request. */
function merged(asked: z.output<typeof thresholds>): BandThresholds {
  const one = (measure: keyof BandThresholds) => {
    const own = asked[measure] ?? {};
    const of = (band: JudgedBand) => (own[band] === undefined ? BAND_THRESHOLDS[measure][band] : own[band]);
    return { WATCH: of("WATCH"), THROTTLED: of("THROTTLED"), QUARANTINED: of("QUARANTINED"), BLOCKED: of("BLOCKED") };
  };
  return { SPAM_RATE: one("SPAM_RATE"), COMPLAINT_RATE: one("COMPLAINT_RATE"), BOUNCE_RATE: one("BOUNCE_RATE") };
}

function sinceOf(days: number): Date {
  return new Date(Date.now() - days * DAY_MS);
}

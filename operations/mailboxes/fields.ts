import { z } from "zod";
import { invalid } from "../../domain/errors.ts";
import { checkSignature } from "../../domain/templates/template.ts";
import { clock, closing } from "../../domain/time/clock.ts";
import { zoneField } from "../../domain/values/zone-field.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { address } from "../address.ts";
import { changing, longText } from "../fields.ts";
import { senderName } from "./credentials.ts";

const limit = z.number().int().min(0).max(100_000);
const gap = z.number().int().min(0).max(86_400).nullable();

const Workday = z
  .strictObject({
    timezone: zoneField.describe("The IANA time zone"),
    days: z.array(z.number().int().min(1).max(7)).min(1).max(7).describe("ISO weekdays, 1 is Monday"),
    from: clock.describe("Local time `HH:mm` when sending starts"),
    to: closing.describe("Local time `HH:mm` when sending ends"),
  })
  .refine(({ from, to }) => from < to, { message: "`from` must be before `to`", params: { code: "WINDOW_EMPTY" } });

/** The fields of a mailbox that a person may change (rules/states 1.6); null removes a value. */
export const Patch = changing(
  z.strictObject({
    name: senderName.nullable().optional().describe("The sender name, 1 to 200 characters"),
    dailySendLimit: limit
      .optional()
      .describe("Most emails a day from this mailbox in all campaigns and warmup; 0: no limit"),
    warmupDailyLimit: limit.optional().describe("The most warmup emails a day"),
    minGapSeconds: gap.optional().describe("Shortest gap in seconds between two emails; null: the campaign's gap"),
    maxGapSeconds: gap.optional().describe("Longest gap in seconds between two emails; null: the campaign's gap"),
    workday: Workday.nullable()
      .optional()
      .describe(
        "Hours for campaign and warmup emails; campaigns send only when their own hours are open too. Null: only the campaign's hours",
      ),
    signatureHtml: longText.nullable().optional().describe("The signature of its emails, as HTML"),
    replyTo: address.nullable().optional().describe("The address for replies; null: its own address"),
    saveToSent: z.boolean().optional().describe("Whether a copy goes to its Sent folder"),
  }),
).meta({ id: "MailboxPatch", description: "Settings of a mailbox to change; fields that you leave out stay the same" });

/**
 * The fields to set on one mailbox.
 * @throws AppError VALIDATION_FAILED when the smallest gap would exceed the largest, or the signature contains active
 * content; TEMPLATE_INVALID when the signature is not a valid template
 */
export function changesOf(mailbox: Mailbox, patch: z.output<typeof Patch>): Partial<Mailbox> {
  const { replyTo, ...fields } = patch;
  const { minGapSeconds, maxGapSeconds } = { ...mailbox, ...given(fields) };
  if (minGapSeconds !== null && maxGapSeconds !== null && minGapSeconds > maxGapSeconds) {
    throw invalid("patch.minGapSeconds", "must not exceed maxGapSeconds");
  }
  if (fields.signatureHtml) checkSignature(fields.signatureHtml, "patch.signatureHtml");
  const nextAt = sooner(mailbox, fields.maxGapSeconds);
  return {
    ...given(fields),
    ...(nextAt && { nextAt }),
    ...(replyTo !== undefined && { replyTo: replyTo?.address ?? null }),
  };
}

/** Returns true when changing these fields may let the mailbox send sooner, or more. */
export function freesSending(fields: Partial<Mailbox>): boolean {
  return FREEING.some((name) => name in fields);
}

const FREEING = ["dailySendLimit", "minGapSeconds", "maxGapSeconds", "workday", "tags", "warmupDailyLimit"] as const;

/**
 * The new time of the next send after a shorter gap was set; null when it does not change. A delay that the server
 * asked for is not shortened.
 */
function sooner({ nextAt, rateRefusals, ...before }: Mailbox, maxGapSeconds: number | null | undefined): Date | null {
  if (
    nextAt === null ||
    rateRefusals > 0 ||
    typeof maxGapSeconds !== "number" ||
    maxGapSeconds === before.maxGapSeconds
  )
    return null;
  const latest = new Date(Date.now() + maxGapSeconds * 1_000);
  return nextAt > latest ? latest : null;
}

/** Removes unset fields, so that they stay unchanged. */
function given<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> }; // the same keys, without the absent ones
}

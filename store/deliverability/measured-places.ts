import type { MailReceiver, PlacementFolder } from "../../domain/deliverability/placement.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import type { MailSums } from "./figures.ts";

/** How many emails of a mailbox were found in one kind of folder at one kind of receiver on a UTC day. */
export interface PlaceCount {
  mailboxId: string;
  day: string;
  folder: PlacementFolder;
  receiver: MailReceiver;
  count: number;
}

const LONGEST_MS = 10 * MINUTE_MS;

interface Range {
  $gte: Date;
  $lt: Date;
}

/**
 * Where emails of the workspace's mailboxes landed, by the day on which this was found. Covers placement tests and the
 * workspace's own warmup emails.
 */
export async function loadPlaces(workspaceId: string, at: Range): Promise<PlaceCount[]> {
  const day = (field: string) => ({ $dateToString: { date: field, format: "%Y-%m-%d" } });
  const ofTests = scoped(workspaceId).PlacementMail.walk<{ _id: Omit<PlaceCount, "count">; count: number }>(
    { judgedAt: at, folder: { $ne: null } },
    [
      {
        $group: {
          _id: { mailboxId: "$mailboxId", day: day("$judgedAt"), folder: "$folder", receiver: "$provider" },
          count: { $sum: 1 },
        },
      },
    ],
    LONGEST_MS,
  );
  const found: PlaceCount[] = [];
  for await (const { _id, count } of ofTests) found.push({ ..._id, count });
  const provider = "$landed.provider";
  const ofWarmup = await WarmupMail.aggregate<{ _id: Omit<PlaceCount, "count">; count: number }>([
    { $match: { fromWorkspaceId: workspaceId, "landed.at": at } },
    {
      $group: {
        _id: {
          mailboxId: "$fromMailboxId",
          day: day("$landed.at"),
          folder: "$landed.folder",
          receiver: { $cond: [{ $in: [provider, ["PROVIDERA", "PROVIDERB"]] }, provider, "OTHER"] },
        },
        count: { $sum: 1 },
      },
    },
  ]).option({ maxTimeMS: LONGEST_MS });
  return [...found, ...ofWarmup.map(({ _id, count }) => ({ ..._id, count }))];
}

const NAMES = {
  PROVIDERA: { measured: "measuredAtProviderA", inInbox: "inInboxAtProviderA" },
  PROVIDERB: { measured: "measuredAtProviderB", inInbox: "inInboxAtProviderB" },
} as const;

/**
 * Adds emails in one kind of folder to figures. An email that was not found anywhere counts as missing, not as seen.
 */
export function addPlaces(figures: MailSums, folder: PlacementFolder, receiver: MailReceiver, count: number): void {
  figures[folder === "MISSING" ? "missing" : "seen"] += count;
  if (folder === "SPAM") figures.inSpam += count;
  if (folder === "INBOX") figures.inInbox += count;
  if (receiver === "OTHER") return;
  figures[NAMES[receiver].measured] += count;
  if (folder === "INBOX") figures[NAMES[receiver].inInbox] += count;
}

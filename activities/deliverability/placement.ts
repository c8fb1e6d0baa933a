import { setTimeout as delay } from "node:timers/promises";
import { ApplicationFailure, Context } from "@temporalio/activity";
import type { Logger } from "pino";
import { ImapTrouble, troubleOf } from "../../connectors/imap/connection.ts";
import { firstSeenIn, nothingSeen, type SeenMails } from "../../connectors/imap/places.ts";
import { whyUnreached } from "../../connectors/net/why-unreached.ts";
import {
  PLACEMENT_LIMITS,
  type PlacementFolder,
  type PlacementIds,
  type PlacementLimits,
  type PlacementSeat,
  type PlacementStatus,
  type PlacementWork,
} from "../../domain/deliverability/placement.ts";
import { CONNECTION_ERRORS, type ConnectionErrorCode } from "../../domain/mailboxes/connection-error.ts";
import { scoped } from "../../models/scoped.ts";
import {
  loadOpenPlacements,
  noteErrors,
  notePlaces,
  type OpenPlacement,
  unsentErrorOf,
} from "../../store/deliverability/placement-results.ts";
import { beginPlacement, closePlacement } from "../../store/deliverability/placement-tests.ts";
import { withHeartbeat } from "../beat.ts";
import { hasLogin } from "../mailboxes/logins.ts";
import type { OpenPlaces, SeenPlaces } from "./open-places.ts";

export interface PlacementActivities {
  beginPlacementTest(ids: PlacementIds): Promise<PlacementWork | null>;
  closePlacementTest(ids: PlacementIds): Promise<PlacementStatus | null>;
}

export interface PlacementLookActivities {
  /** Returns once every email of the test in this mailbox has a result, or the test is cancelled. */
  lookForPlacements(seat: PlacementSeat): Promise<void>;
}

/** The beginning and the end of a placement test, which use only MongoDB. */
export function placementActivities(): PlacementActivities {
  return {
    beginPlacementTest: (ids) => withHeartbeat(() => beginPlacement(ids)),
    closePlacementTest: (ids) => withHeartbeat(() => closePlacement(ids)),
  };
}

export interface PlacementLookDeps {
  open: OpenPlaces;
  log: Logger;
  limits?: PlacementLimits;
}

/**
 * Finds out in which folder the emails of placement tests arrived, over one connection for each test mailbox
 * (rules/deliverability 6.4).
 */
export function placementLookActivities({
  open: openPlaces,
  log,
  limits = PLACEMENT_LIMITS,
}: PlacementLookDeps): PlacementLookActivities {
  async function runLook(seat: PlacementSeat): Promise<void> {
    const { workspaceId, mailboxId } = seat;
    const signal = Context.current().cancellationSignal;
    let places: SeenPlaces | null = null;
    const seen = nothingSeen();
    try {
      for (let pauseMs = limits.firstPauseMs; ; pauseMs = Math.min(limits.longestPauseMs, pauseMs * 1.5)) {
        const mailbox = await scoped(workspaceId).Mailbox.get(mailboxId);
        const open = await settleUnsent(seat);
        if (open.length === 0) return;
        if (mailbox === null || !hasLogin(mailbox)) {
          await giveUp(seat, open, {
            code: "MAILBOX_DISCONNECTED",
            message: "The test mailbox is no longer connected",
          });
          return;
        }
        places ??= await openPlaces(mailbox, firstSentAt(open));
        if (await lookOnce(places, seat, open, seen, limits)) return;
        await delay(pauseMs, undefined, { signal });
      }
    } catch (err) {
      signal.throwIfAborted();
      const code = imapFaultOf(err);
      if (code === null) throw err;
      log.info({ mailboxId, code, why: whyUnreached(err), err }, "a test mailbox cannot be read");
      const late = (await settleUnsent(seat)).filter((open) =>
        isPast(open, Date.now(), limits.missingAfterMs + limits.graceMs),
      );
      await giveUp(seat, late, { code, message: `The test mailbox cannot be read. ${CONNECTION_ERRORS[code]}` });
      throw ApplicationFailure.retryable(CONNECTION_ERRORS[code], code);
    } finally {
      places?.close();
    }
  }

  return { lookForPlacements: (seat) => withHeartbeat(() => runLook(seat)) };
}

/**
 * The emails of a test to one mailbox that have no result yet. Emails that will never be sent get an error as their
 * result and are not included.
 */
async function settleUnsent({ workspaceId, testId, mailboxId }: PlacementSeat): Promise<OpenPlacement[]> {
  const open = await loadOpenPlacements(workspaceId, testId, mailboxId);
  const unsent = new Map(
    open.flatMap((one) => {
      const error = unsentErrorOf(one);
      return error === null ? [] : [[one.mail._id, error] as const];
    }),
  );
  await noteErrors(workspaceId, testId, unsent);
  return open.filter(({ mail }) => !unsent.has(mail._id));
}

/**
 * Reads the folders once, and stores which emails were found and which count as missing by now. Returns true when every
 * email has a result.
 */
async function lookOnce(
  places: SeenPlaces,
  { workspaceId, testId }: PlacementSeat,
  open: readonly OpenPlacement[],
  seen: SeenMails,
  { missingAfterMs }: PlacementLimits,
): Promise<boolean> {
  // Taken before the folders are read: an email that is not found had not arrived by this time
  const at = Date.now();
  await places.read(seen);
  const found = new Map<string, PlacementFolder>();
  const absent = new Map<string, PlacementFolder>();
  const unclear = new Map<string, { code: string; message: string }>();
  for (const one of open) {
    const { mail, send } = one;
    const place = firstSeenIn(seen, [...(send?.messageIds ?? []), ...(send?.mailRef ? [send.mailRef] : [])]);
    if (place !== undefined) found.set(mail._id, place);
    else if (isPast(one, at, missingAfterMs) && send?.state === "UNKNOWN") unclear.set(mail._id, UNCLEAR);
    else if (isPast(one, at, missingAfterMs)) absent.set(mail._id, "MISSING");
  }
  await notePlaces(workspaceId, testId, found);
  await notePlaces(workspaceId, testId, absent, false);
  await noteErrors(workspaceId, testId, unclear);
  return found.size + absent.size + unclear.size === open.length;
}

const UNCLEAR = {
  code: "SEND_UNKNOWN",
  message: "It is not known whether the email was sent, and it was not found in any folder",
};

/** From when on emails of a test may have arrived: the first claim, or now. */
function firstSentAt(open: readonly OpenPlacement[]): Date {
  return new Date(Math.min(Date.now(), ...open.flatMap(({ send }) => send?.claimedAt?.getTime() ?? [])));
}

/** Whether an email was sent, or may have been, at least so long ago. */
function isPast({ send }: OpenPlacement, at: number, ms: number): boolean {
  const sentAt = send?.state === "UNKNOWN" ? (send.claimedAt ?? send.unknownAt) : (send?.sentAt ?? null);
  return sentAt !== null && sentAt.getTime() + ms <= at;
}

async function giveUp(
  { workspaceId, testId }: PlacementSeat,
  open: readonly OpenPlacement[],
  error: { code: string; message: string },
): Promise<void> {
  await noteErrors(workspaceId, testId, new Map(open.map(({ mail }) => [mail._id, error])));
}

/** The error code of a mail server; null for any other error, which comes from this service or the database. */
function imapFaultOf(err: unknown): ConnectionErrorCode | null {
  if (err instanceof ImapTrouble) return err.code;
  const isOfImap =
    typeof err === "object" && err !== null && ("_connId" in err || "responseStatus" in err || "cid" in err);
  const { code } = troubleOf(err);
  return isOfImap || code !== "PROTOCOL_ERROR" ? code : null;
}

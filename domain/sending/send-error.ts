import { AppError } from "../errors.ts";
import { cleanHeader } from "../mail/message.ts";
import { CONNECTION_ERRORS, isConnectionErrorCode } from "../mailboxes/connection-error.ts";
import { nextUtcDay } from "../time/schedule.ts";

/** Why a single email was not sent, as the database stores it. */
export interface SendFailure {
  reason: string;
  code: string | null;
  /** The text of the server's answer after its code. */
  text?: string | null;
  /** When a reached limit of the day starts anew; null if it never does. Failures of earlier versions have none. */
  resetsAt?: Date | null;
}

/** The most characters of a server's text that a caller gets. */
const MOST_TEXT = 200;

/**
 * The error that the caller gets (rules/campaigns 4.5). A server's text is shown only if the server gave a code;
 * everything else is in our own words. A daily limit says when the next day begins. `failedAt`: for failures of earlier
 * versions, which did not record it.
 */
export function sendErrorOf(failure: SendFailure, failedAt: Date | null = null): AppError {
  const { reason, code, text = null } = failure;
  const serverText =
    code === null || text === null ? null : cleanHeader(text.replaceAll(/\s+/g, " "), MOST_TEXT) || null;
  const failed = (message: string) => new AppError("SEND_FAILED", message, { reason, code, text: serverText });
  switch (reason) {
    case "RECIPIENT_SUPPRESSED":
      return new AppError(
        "RECIPIENT_SUPPRESSED",
        "An address of the email is suppressed or on the block list: nothing was sent",
      );
    case "MAILBOX_DISCONNECTED":
    case "MAILBOX_UNAVAILABLE":
    case "BLOCKED":
      return new AppError("NO_SENDING_MAILBOX", "The mailbox cannot send now", { reason });
    case "DAILY_LIMIT":
      return beyondDay("The mailbox has reached its daily limit", "dailySendLimit", resetOf(failure, failedAt));
    case "WORKSPACE_LIMIT":
      return beyondDay("The workspace has reached its daily limit", "workspace", resetOf(failure, failedAt));
    case "PROVIDER_LIMIT":
      return beyondDay(
        "The mailbox has reached the daily limit of its provider",
        "provider",
        resetOf(failure, failedAt),
      );
    case "LIMIT_EXCEEDED":
      return new AppError("LIMIT_EXCEEDED", "The message is larger than 10 MiB", { limit: "10 MiB" });
    case "SEND_UNKNOWN":
      return failed("It is unknown whether the email was sent, so it is not sent again");
    default:
      if (serverText !== null) return failed(`The mail server refused the email: ${serverText}`);
      return failed(
        isConnectionErrorCode(reason)
          ? `The email was not sent. ${CONNECTION_ERRORS[reason]}`
          : `The email was not sent: ${reason}`,
      );
  }
}

/** When the limit starts anew; undefined if unknown. */
function resetOf({ resetsAt }: SendFailure, failedAt: Date | null): Date | null | undefined {
  if (resetsAt !== undefined) return resetsAt;
  return failedAt === null ? undefined : nextUtcDay(failedAt.getTime());
}

/** A limit that is counted by UTC days. */
function beyondDay(message: string, limit: string, resetsAt: Date | null | undefined): AppError {
  if (resetsAt === undefined) return new AppError("LIMIT_EXCEEDED", message, { limit });
  if (resetsAt === null)
    return new AppError("LIMIT_EXCEEDED", `${message}: it is 0 and does not reset`, { limit, resetsAt });
  const at = resetsAt.toISOString();
  return new AppError("LIMIT_EXCEEDED", `${message}: it can send again at ${at}`, { limit, resetsAt: at });
}

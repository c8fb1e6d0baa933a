import { AppError } from "../errors.ts";
import { cleanHeader } from "../mail/message.ts";
import { CONNECTION_ERRORS, isConnectionErrorCode } from "../mailboxes/connection-error.ts";
import { DAY_MS } from "../time/durations.ts";

/** Why a single email was not sent, as the database stores it. */
export interface SendFailure {
  reason: string;
  code: string | null;
  /** The text of the server's answer after its code. */
  text?: string | null;
}

/** The most characters of a server's text that a caller gets. */
const MOST_TEXT = 200;

/**
 * The error that the caller gets (rules/campaigns 4.5). A server's text is shown only if the server gave a code;
 * everything else is in our own words. With the time of the failure, a daily limit says when the next day begins.
 */
export function sendErrorOf({ reason, code, text = null }: SendFailure, failedAt: Date | null = null): AppError {
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
      return beyondDay("The mailbox has reached its daily limit", "dailySendLimit", failedAt);
    case "WORKSPACE_LIMIT":
      return beyondDay("The workspace has reached its daily limit", "workspace", failedAt);
    case "PROVIDER_LIMIT":
      return beyondDay("The mailbox has reached the daily limit of its provider", "provider", failedAt);
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

/** A limit that is counted by UTC days. */
function beyondDay(message: string, limit: string, failedAt: Date | null): AppError {
  if (failedAt === null) return new AppError("LIMIT_EXCEEDED", message, { limit });
  const resetsAt = new Date(Math.floor(failedAt.getTime() / DAY_MS) * DAY_MS + DAY_MS).toISOString();
  return new AppError("LIMIT_EXCEEDED", `${message}: it can send again at ${resetsAt}`, { limit, resetsAt });
}

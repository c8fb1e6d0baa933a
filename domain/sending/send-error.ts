import { AppError } from "../errors.ts";
import { cleanHeader } from "../mail/message.ts";
import { CONNECTION_ERRORS, isConnectionErrorCode } from "../mailboxes/connection-error.ts";

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
 * everything else is in our own words.
 */
export function sendErrorOf({ reason, code, text = null }: SendFailure): AppError {
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
      return new AppError("LIMIT_EXCEEDED", "The mailbox has reached its daily limit", { limit: "dailySendLimit" });
    case "WORKSPACE_LIMIT":
      return new AppError("LIMIT_EXCEEDED", "The workspace has reached its daily limit", { limit: "workspace" });
    case "PROVIDER_LIMIT":
      return new AppError("LIMIT_EXCEEDED", "The mailbox has reached the daily limit of its provider", {
        limit: "provider",
      });
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

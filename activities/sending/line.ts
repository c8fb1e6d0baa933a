import type { Transmission } from "../../connectors/smtp/connection.ts";
import type { ProviderDraft } from "../../domain/mailboxes/transport.ts";

/**
 * `held`: the mailbox has to wait so many milliseconds for its provider before the email may begin. `late`: the request
 * that sends it could not begin in time after the last look.
 */
export type LineTransmission = Transmission | { kind: "held"; waitMs: number } | { kind: "late" };

/** A mailbox that is ready to send: a connection to its SMTP server, or its provider's API with an access token. */
export interface MailLine {
  /** Whether copies go in envelopes of their own, after the email; otherwise they are named with it. */
  hasEnvelopes: boolean;
  /**
   * Sends one message in one envelope, from the mailbox. If the connection is at its end and has carried emails before,
   * and no content has begun, the message immediately goes over a fresh connection (rules/sending 5.8). `mayGo` gets
   * the provider's draft where there is one, and has stored it when it allows the email to leave.
   */
  transmit(
    to: string | string[],
    bytes: Buffer,
    mayGo: (draft: ProviderDraft | null) => Promise<boolean>,
    options?: {
      /** Who else gets it, for a line without envelopes. */
      copies?: readonly string[];
      /** The provider's id of the thread that it continues. */
      inThread?: string | null;
      /** Called with the stored draft before it is deleted, because the email was certainly not sent. */
      withdraws?: (draft: ProviderDraft) => Promise<void>;
    },
  ): Promise<LineTransmission>;
}

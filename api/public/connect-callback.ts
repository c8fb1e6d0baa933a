import type { Router } from "express";
import type { Services } from "../../operations/context.ts";
import { completeConsent } from "../../operations/mailboxes/oauth-callback.ts";
import { MAILBOX_CALLBACKS } from "../../operations/mailboxes/oauth-start.ts";
import { connectedPage } from "./connect-undo.ts";
import { consentCallbackOf } from "./consent-callback.ts";
import { sealPage } from "./page.ts";

/** Where the consent of a mailbox's user ends: the page there undoes it. */
export function connectCallbackOf(services: Services): Router {
  return consentCallbackOf(services, MAILBOX_CALLBACKS, "Mailbox not connected", async (provider, returned, by, res) => {
    const { undo, ...connection } = await completeConsent(services, provider, returned, by);
    sealPage(res, { hasForm: true });
    return connectedPage(connection, `/connect/undo/${undo}`);
  });
}

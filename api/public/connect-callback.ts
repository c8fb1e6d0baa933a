import type { Response, Router } from "express";
import type { Services } from "../../operations/context.ts";
import { completeConsent, findWayBack } from "../../operations/mailboxes/oauth-callback.ts";
import { MAILBOX_CALLBACKS } from "../../operations/mailboxes/oauth-start.ts";
import { at, doorOf } from "../pages/door.ts";
import { connectedPage } from "./connect-undo.ts";
import { consentCallbackOf } from "./consent-callback.ts";
import { linkTo, sealPage } from "./page.ts";

/**
 * The end of a mailbox user's consent. A person who began it in the console returns to the page where they were. Anyone
 * else may have got the link from another person, so they stay on the page that shows which workspace has the mailbox
 * now and can undo the connection.
 */
export function connectCallbackOf(services: Services): Router {
  const placeOf = (res: Response, path: string) => at(doorOf(res, services.settings.publicUrl), path);
  return consentCallbackOf(
    services,
    MAILBOX_CALLBACKS,
    "Mailbox not connected",
    async (provider, returned, by, res) => {
      const { undo, isOwn, ...connection } = await completeConsent(services, provider, returned, by);
      const back = await findWayBack(returned.state);
      if (isOwn && back !== null) {
        res.redirect(303, placeOf(res, back));
        return null;
      }
      sealPage(res, { hasForm: true });
      return connectedPage(connection, {
        via: services.settings.providers[provider].name,
        undo: `/connect/undo/${undo}`,
        back: back === null ? null : placeOf(res, back),
      });
    },
    async ({ state }, res) => {
      const back = await findWayBack(state);
      return back === null ? "" : linkTo(placeOf(res, back), "Go back");
    },
  );
}

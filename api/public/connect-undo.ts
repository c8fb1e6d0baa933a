import { Router } from "express";
import { STATUS_OF } from "../../domain/errors.ts";
import type { Services } from "../../operations/context.ts";
import { type Connection, findUndoable, undoConsent } from "../../operations/mailboxes/undo-consent.ts";
import { credential } from "../../operations/sign-in/attempts.ts";
import { addressOf } from "../limits.ts";
import { buttonOf, escapeText, linkTo, pageOf, sealPage, sendPage } from "./page.ts";

const PATH = "/connect/undo/:token";

/**
 * `/connect/undo/:token`: a page whose button disconnects what an OAuth consent has just connected. GET and HEAD change
 * nothing, because scanners fetch links. The token is the only authority.
 */
export function connectUndoOf(services: Services): Router {
  const router = Router();
  const route = router.route(PATH);
  route.all((_req, res, next) => {
    res.locals["route"] = PATH;
    sealPage(res, { hasForm: true });
    next();
  });
  route.get((req, res) => {
    const find = () => findUndoable(services, req.params.token);
    return sendPage(res, REFUSED, async () => connectedPage(await credential(addressOf(req), find)));
  });
  route.post((req, res) => {
    req.resume(); // the token alone decides, so the body is ignored
    const from = { ip: req.ip ?? null, traceId: String(res.locals["traceId"]) };
    const undo = () => undoConsent(services, req.params.token, from);
    return sendPage(res, REFUSED, async () => disconnectedPage(await credential(addressOf(req), undo)));
  });
  route.all((_req, res) => {
    res
      .set("Allow", "GET, HEAD, POST")
      .status(STATUS_OF.METHOD_NOT_ALLOWED)
      .type("text/plain")
      .send("This URL accepts only GET and POST.\n");
  });
  return router;
}

const REFUSED = "Nothing was changed";

/**
 * The page that shows which workspace has the mailbox now, with the button that disconnects it: the button posts to
 * `undo`, or to the page's own address. `via` is the provider, `back` is the page to which the person returns.
 */
export function connectedPage(
  { email, workspace }: Connection,
  { via, undo, back }: { via: string | null; undo: string | null; back: string | null } = {
    via: null,
    undo: null,
    back: null,
  },
): string {
  const text = `${via === null ? "" : `With your consent at ${via}, `}${email} is connected to the workspace “${workspace}”, which can now send email from it and read its inbox.`;
  const place = undo === null ? "" : ` <a href="${escapeText(undo)}">This page</a> also has the button.`;
  const hint = `\n<p>If that is not what you wanted, disconnect it. The button works once, within 24 hours.${place}</p>`;
  return pageOf(
    "Mailbox connected",
    text,
    `${hint}${buttonOf(`Disconnect ${email}`, undo)}${back === null ? "" : linkTo(back, "Go back")}`,
  );
}

function disconnectedPage({ email, workspace }: Connection): string {
  return pageOf(
    "Mailbox disconnected",
    `${email} is no longer connected to the workspace “${workspace}”, and its credentials are deleted.`,
  );
}

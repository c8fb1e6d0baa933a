import { type Request, type Response, Router } from "express";
import { STATUS_OF } from "../../domain/errors.ts";
import type { Services } from "../../operations/context.ts";
import { addressOfToken, type LinkedAddress, unsubscribeByToken } from "../../operations/suppression/unsubscribe.ts";
import { asAppError } from "../errors.ts";
import { buttonOf, escapeText, pageOf, sealPage } from "./page.ts";
import { languageOf, sendIn } from "./page-language.ts";
import { type Language, TEXTS } from "./unsubscribe-texts.ts";

/**
 * The query parameter that marks a POST of the page's own button, whose response is a page. A one-click POST has no
 * such parameter and gets a line of text.
 */
const BY_PAGE = "page";
/** The query parameter of the link for a person to whom the email was forwarded. */
const FORWARDED = "forwarded";

/**
 * `/u/:token` (rules/mail 3.3, RFC 8058): for POST the token alone decides, whatever the body is; GET and HEAD change
 * nothing, because scanners fetch links.
 */
export function unsubscribeOf(services: Services): Router {
  const router = Router();
  const route = router.route("/u/:token");
  route.all((_req, res, next) => {
    res.locals["route"] = "/u/:token";
    sealPage(res, { hasForm: true });
    next();
  });
  route.head((_req, res) => {
    res.type("html").vary("Accept-Language").end();
  });
  route.get((req, res) => show(services, req, res));
  route.post((req, res) => unsubscribe(services, req, res));
  route.all((_req, res) => {
    res
      .set("Allow", "GET, HEAD, POST")
      .status(STATUS_OF.METHOD_NOT_ALLOWED)
      .type("text/plain")
      .send("This URL accepts only GET and POST.\n");
  });
  return router;
}

type Asked = Request<{ token: string }>;

/** While the database is unreachable, the page still has its button but shows no address. */
async function show(services: Services, req: Asked, res: Response): Promise<void> {
  const language = languageOf(req);
  try {
    const linked = await addressOfToken(services, req.params.token);
    if (linked === "SENDER_GONE") sendIn(res, language, gonePage(language));
    else sendIn(res, language, linked === null ? invalidPage(language) : pageFor(req, language, linked));
  } catch (err) {
    res.locals["error"] = asAppError(err);
    sendIn(res, language, beforePage(language, TEXTS[language].someAddress));
  }
}

function pageFor(req: Asked, language: Language, { masked, isUnsubscribed }: LinkedAddress): string {
  const { doneTitle, already } = TEXTS[language];
  if (FORWARDED in req.query) return forwardedPage(language, masked);
  return isUnsubscribed ? pageOf(doneTitle, already(masked), "", language) : beforePage(language, masked);
}

async function unsubscribe(services: Services, req: Asked, res: Response): Promise<void> {
  req.resume(); // the token alone decides, so the body is ignored
  const language = languageOf(req);
  const answer = async (status: number, text: string, page: () => string | Promise<string>) => {
    res.status(status);
    if (BY_PAGE in req.query) sendIn(res, language, await page());
    else res.type("text/plain").send(text);
  };
  try {
    const outcome = await unsubscribeByToken(services, req.params.token);
    if (outcome === "UNSUBSCRIBED")
      await answer(200, "You are unsubscribed.\n", () => donePage(services, req.params.token, language));
    else if (outcome === "SENDER_GONE")
      await answer(200, "This sender no longer uses this service. You will get no more emails.\n", () =>
        gonePage(language),
      );
    else await answer(404, "This unsubscribe link is not valid.\n", () => invalidPage(language));
  } catch (err) {
    const error = asAppError(err);
    res.locals["error"] = error;
    if (error.status === STATUS_OF.SERVICE_UNAVAILABLE) res.set("Retry-After", "5");
    await answer(error.status, "That did not work. Please try again in a moment.\n", () => failedPage(language));
  }
}

/** Forms and links use relative addresses, so no part of the request appears in a page. */
function beforePage(language: Language, address: string): string {
  const { unsubscribe, before, notMine } = TEXTS[language];
  const forwarded = `\n<p class="aside"><a href="?${FORWARDED}">${escapeText(notMine)}</a></p>`;
  return pageOf(unsubscribe, before(address), `${buttonOf(unsubscribe, `?${BY_PAGE}`)}${forwarded}`, language);
}

function forwardedPage(language: Language, address: string): string {
  const { forwardedTitle, forwarded, back } = TEXTS[language];
  return pageOf(
    forwardedTitle,
    forwarded(address),
    `\n<p class="aside"><a href="?">${escapeText(back)}</a></p>`,
    language,
  );
}

/** The recipient is already unsubscribed, so the page confirms it even if the database is unreachable now. */
async function donePage(services: Services, token: string, language: Language): Promise<string> {
  const { doneTitle, done, someAddress } = TEXTS[language];
  const linked = await addressOfToken(services, token).catch(() => null);
  const address = linked === null || linked === "SENDER_GONE" ? someAddress : linked.masked;
  return pageOf(doneTitle, done(address), "", language);
}

function invalidPage(language: Language): string {
  const { invalidTitle, invalid } = TEXTS[language];
  return pageOf(invalidTitle, invalid, "", language);
}

function gonePage(language: Language): string {
  const { goneTitle, gone } = TEXTS[language];
  return pageOf(goneTitle, gone, "", language);
}

function failedPage(language: Language): string {
  const { failedTitle, failed, unsubscribe } = TEXTS[language];
  return pageOf(failedTitle, failed, buttonOf(unsubscribe, `?${BY_PAGE}`), language);
}

import { type Request, type Response, Router } from "express";
import { AppError, invalid } from "../../domain/errors.ts";
import type { Services } from "../../operations/context.ts";
import { loadWaiting, passkeyOptions, passSecondFactor, type Waiting } from "../../operations/sign-in/waiting.ts";
import { addressOf } from "../limits.ts";
import { escapeText, pageOf } from "../public/page.ts";
import { clearCookie, cookieOf } from "../session-cookie.ts";
import { at, doorOf } from "./door.ts";
import { HOME, openSession } from "./login.ts";
import { errorOf, type FormField, formOf, handlersOf, hiddenField, pathOf } from "./page.ts";
import { PASSKEY_SCRIPT } from "./passkey-script.ts";

const CODE: FormField = {
  name: "code",
  label: "Code",
  type: "text",
  autocomplete: "one-time-code",
  hint: "From your authenticator app, or one of your recovery codes",
};

/**
 * `/login/second-factor` takes a code without a script; `/login/passkey` is the one page that needs a script, since
 * browsers offer no other way.
 */
export function secondFactorOf(services: Services): Router {
  const { publicUrl } = services.settings;
  const waitingOf = (req: Request, res: Response) =>
    loadWaiting(cookieOf(req, publicUrl, "waiting"), doorOf(res, publicUrl).portalId, addressOf(req));
  const code = handlersOf("/login/second-factor", publicUrl, {
    async show(req, res, error) {
      return codePage(publicUrl, req, res, await waitingOf(req, res), error);
    },
    async take(req, res, { code = "" }) {
      if (code.trim() === "") throw invalid("code", "is required", "REQUIRED");
      await pass(services, req, res, await waitingOf(req, res), { code });
    },
  });
  const passkey = handlersOf("/login/passkey", publicUrl, {
    async show(req, res, error) {
      const options = await passkeyOptions(services, await waitingOf(req, res));
      if (options === null) throw new AppError("WRONG_CODE", "You have no passkey: use a code");
      allowScript(res);
      return passkeyPage(publicUrl, req, res, options, error);
    },
    async take(req, res, { proof = "" }) {
      await pass(services, req, res, await waitingOf(req, res), { passkey: proofOf(proof) });
    },
  });
  const router = Router();
  router.get("/login/second-factor", code.get);
  router.post("/login/second-factor", ...code.post);
  router.get("/login/passkey", passkey.get);
  router.post("/login/passkey", ...passkey.post);
  router.get("/login/passkey.js", (_req, res) => {
    res.locals["route"] = "/login/passkey.js";
    res.type("text/javascript").set("Cache-Control", "no-cache").send(PASSKEY_SCRIPT);
  });
  return router;
}

async function pass(
  services: Services,
  req: Request,
  res: Response,
  waiting: Waiting,
  given: { code: string } | { passkey: object },
): Promise<void> {
  const { publicUrl } = services.settings;
  const { _id: userId } = waiting.person;
  await passSecondFactor(services, waiting, given);
  clearCookie(res, publicUrl, "waiting");
  await openSession(publicUrl, req, res, { userId, asksFactor: false }, pathOf(req.query["returnTo"], HOME));
}

function codePage(publicUrl: string, req: Request, res: Response, { person }: Waiting, error: AppError | null): string {
  const form = formOf(req, res, publicUrl, { fields: [CODE], button: "Continue" });
  const returnTo = encodeURIComponent(pathOf(req.query["returnTo"], HOME));
  const door = doorOf(res, publicUrl);
  const address = escapeText(at(door, `/login/passkey?returnTo=${returnTo}`));
  // A browser offers a passkey only to the domain for which it was created, which is the service's own domain
  const passkey =
    person.passkeys.length === 0 || door.portalId !== null
      ? ""
      : `\n<p><a href="${address}">Use a passkey instead</a></p>`;
  const lost =
    '\n<p class="aside">Lost your app and your recovery codes? The operator of this service can remove the second factor: <code>npm run user:link -- --email &lt;address&gt;</code>.</p>';
  return pageOf("Second factor", `Signing in as ${person.email}.`, `${errorOf(error)}${form}${passkey}${lost}`);
}

function passkeyPage(publicUrl: string, req: Request, res: Response, options: object, error: AppError | null): string {
  const form = formOf(req, res, publicUrl, { fields: [], button: "Use the passkey", hidden: { proof: "" } });
  const optionsField = hiddenField("options", JSON.stringify(options)).replace("<input ", '<input id="options" ');
  const returnTo = encodeURIComponent(pathOf(req.query["returnTo"], HOME));
  const script = `<script src="${escapeText(at(doorOf(res, publicUrl), "/login/passkey.js"))}" defer></script>`;
  const code = `\n<p><a href="${escapeText(at(doorOf(res, publicUrl), `/login/second-factor?returnTo=${returnTo}`))}">Use a code instead</a></p>`;
  return pageOf(
    "Passkey",
    "Your browser asks for the passkey of this service.",
    `${errorOf(error)}${form}${optionsField}${code}${script}`,
  );
}

/** Allows our own script, from its own address. No other page has a script. */
function allowScript(res: Response): void {
  const policy = String(res.getHeader("Content-Security-Policy"));
  res.set("Content-Security-Policy", `${policy}; script-src 'self'`);
}

function proofOf(text: string): object {
  try {
    const proof: unknown = JSON.parse(text);
    if (typeof proof === "object" && proof !== null) return proof;
  } catch {
    // a proof that is not JSON is not valid
  }
  throw new AppError("WRONG_CODE", "The browser did not send a passkey");
}

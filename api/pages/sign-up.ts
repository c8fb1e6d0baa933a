import { type Request, type Response, Router } from "express";
import type { AppError } from "../../domain/errors.ts";
import type { Services } from "../../operations/context.ts";
import { KNOWN_MS, rememberBrowser } from "../../operations/sign-in/password.ts";
import { hasSecondFactor } from "../../operations/sign-in/people.ts";
import { type AlsoOnSignUp, signUpOrIn } from "../../operations/sign-in/sign-up.ts";
import { type CountSignUp, signUpCounts } from "../../operations/sign-in/sign-up-limits.ts";
import {
  confirmAddress,
  followSignUp,
  isConfirmation,
  isOfPerson,
  readSignUp,
  requestSignUp,
} from "../../operations/sign-in/sign-up-requests.ts";
import { pageOf } from "../public/page.ts";
import { setCookie } from "../session-cookie.ts";
import { deadLinkPage } from "./dead-link.ts";
import { HOME, openSession } from "./login.ts";
import { errorOf, type FormField, formOf, handlersOf } from "./page.ts";
import { signedIn } from "./sign-in.ts";
import { visitorOf } from "./visitor.ts";

const ROUTE = "/signup";
const LINK_ROUTE = "/signup/:token";

const EMAIL: FormField = { name: "email", label: "Your email address", type: "email", autocomplete: "username" };
const WORKSPACE: FormField = {
  name: "workspace",
  label: "Name of your workspace",
  type: "text",
  autocomplete: "organization",
  hint: "Your company or team; it can be changed later",
};
const NAME: FormField = { name: "name", label: "Your name", type: "text", autocomplete: "name", isOptional: true };
const PASSWORD: FormField = {
  name: "password",
  label: "Password",
  type: "password",
  autocomplete: "new-password",
  hint: "At least 10 characters. A short phrase works best",
};

type Fields = Record<string, string>;

/**
 * `/signup`, if the operator allows it: a visitor makes an account and a workspace. If the service has its own mail
 * server, the visitor first confirms the address at `/signup/:token`. GET of that only shows a form, so a scanner that
 * follows the link does not use it up.
 */
export function signUpOf(services: Services, also: AlsoOnSignUp): Router {
  const router = Router();
  const { publicUrl, allowSignUp, hasSystemMail } = services.settings;
  if (!allowSignUp) return router;
  const count = signUpCounts(services.settings.signUp);
  const start = handlersOf(ROUTE, publicUrl, {
    show: (req, res, error) => showStart(services, req, res, error),
    take: (req, res, fields) =>
      hasSystemMail
        ? takeRequest(services, count, req, res, fields)
        : takeAccount(publicUrl, { also, count }, req, res, fields),
  });
  router.get(ROUTE, start.get);
  router.post(ROUTE, ...start.post);
  if (!hasSystemMail) return router;
  const link = handlersOf(LINK_ROUTE, publicUrl, {
    show: (req, res, error) => showLink(publicUrl, req, res, error),
    take: (req, res, fields) => takeLink(publicUrl, also, req, res, fields),
    instead: (req, res, error) => deadLinkPage(services.settings, req, res, error),
  });
  router.get(LINK_ROUTE, link.get);
  router.post(LINK_ROUTE, ...link.post);
  return router;
}

/** Shows the form, which keeps the `svc` of the page's URL. */
async function showStart({ settings }: Services, req: Request, res: Response, error: AppError | null): Promise<string> {
  const { publicUrl, hasSystemMail } = settings;
  const asked = hasSystemMail ? [EMAIL, WORKSPACE] : [EMAIL, NAME, WORKSPACE, PASSWORD];
  const svc = typed(req, "svc") ?? textOf(req.query["svc"]);
  const button = hasSystemMail ? "Send me the link" : "Create my account";
  const form = formOf(req, res, publicUrl, { fields: asked, button, ...(svc !== null && { hidden: { svc } }) });
  const signInHint = `\n<p class="aside">Do you already have an account? <a href="login">Sign in</a></p>`;
  return pageOf(
    "Create an account",
    "Your account comes with its own workspace.",
    `${errorOf(error)}${form}${signInHint}`,
  );
}

async function takeAccount(
  publicUrl: string,
  { also, count }: { also: AlsoOnSignUp; count: CountSignUp },
  req: Request,
  res: Response,
  fields: Fields,
): Promise<void> {
  const { email = "", password = "", name = null, workspace = "", svc = null } = fields;
  const account = { email, password, name, workspaceName: workspace, svc };
  await enter(publicUrl, req, res, await signUpOrIn(account, visitorOf(req, publicUrl), also, count));
}

async function takeRequest(
  services: Services,
  count: CountSignUp,
  req: Request,
  res: Response,
  fields: Fields,
): Promise<void> {
  const { email = "", workspace = "", svc = null } = fields;
  const visitor = visitorOf(req, services.settings.publicUrl);
  await requestSignUp(services, { email, workspaceName: workspace, svc }, visitor, new Date(), count);
  const text = `An email is on its way to ${email.trim()}: open the link in it within a day.`;
  const late =
    '\n<p class="aside">No email? Check your spam folder before you ask again: an address can ask only a few times a day.</p>';
  res.type("html").send(pageOf("Check your email", text, late));
}

async function showLink(publicUrl: string, req: Request, res: Response, error: AppError | null): Promise<string> {
  const request = await readSignUp(tokenOf(req), visitorOf(req, publicUrl), new Date());
  const { email, workspaceName } = request;
  if (await isConfirmation(request)) {
    const isHere = await isOfPerson(request, await signedIn(publicUrl, req, res));
    const fields = isHere ? [] : [PASSWORD];
    const confirm = formOf(req, res, publicUrl, { fields, button: "Confirm my address" });
    const how = isHere
      ? ""
      : " Choose a new password. All sessions, API keys, connectors and second factors of the account end, in case someone else made it. To keep them, sign in first and open the link again.";
    return pageOf("Confirm your address", `This confirms that ${email} is yours.${how}`, `${errorOf(error)}${confirm}`);
  }
  const form = formOf(req, res, publicUrl, { fields: [NAME, PASSWORD], button: "Create my account" });
  return pageOf(
    `Create ${workspaceName}`,
    `You will be its owner, with the address ${email}. Choose a password.`,
    `${errorOf(error)}${form}`,
  );
}

async function takeLink(
  publicUrl: string,
  also: AlsoOnSignUp,
  req: Request,
  res: Response,
  fields: Fields,
): Promise<void> {
  const { name = null, password = "" } = fields;
  const visitor = visitorOf(req, publicUrl);
  if (await isConfirmation(await readSignUp(tokenOf(req), visitor, new Date()))) {
    const here = await signedIn(publicUrl, req, res);
    await confirmAddress(tokenOf(req), { password, signedIn: here }, visitor, new Date());
    const next = '\n<p class="aside"><a href="../">Continue</a></p>';
    res.type("html").send(pageOf("Your address is confirmed", "Workspaces that you own can send email now.", next));
    return;
  }
  await enter(publicUrl, req, res, await followSignUp(tokenOf(req), { name, password }, also, visitor, new Date()));
}

type Person = Awaited<ReturnType<typeof followSignUp>>;

async function enter(publicUrl: string, req: Request, res: Response, person: Person): Promise<void> {
  setCookie(res, publicUrl, "known", await rememberBrowser(person._id, new Date()), KNOWN_MS);
  await openSession(publicUrl, req, res, { userId: person._id, asksFactor: hasSecondFactor(person) }, HOME);
}

/** The text in a field of the posted form. */
function typed(req: Request, name: string): string | null {
  return textOf(req.body?.[name]);
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value.length <= LONGEST_SHOWN ? value : null;
}

/** The most characters of typed text that the form shows again. */
const LONGEST_SHOWN = 320;

function tokenOf(req: Request): string {
  const { token } = req.params;
  return typeof token === "string" ? token : "";
}

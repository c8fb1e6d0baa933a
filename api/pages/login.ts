import { type Request, type Response, Router } from "express";
import type { AppError } from "../../domain/errors.ts";
import { findMemberships } from "../../operations/access/members.ts";
import { endSession, SESSION_MS, startSession } from "../../operations/access/sessions.ts";
import type { Services } from "../../operations/context.ts";
import { KNOWN_MS, rememberBrowser, signIn } from "../../operations/sign-in/password.ts";
import { hasSecondFactor, loadPerson } from "../../operations/sign-in/people.ts";
import { escapeText, pageOf } from "../public/page.ts";
import { clearCookie, setCookie } from "../session-cookie.ts";
import { at, doorOf } from "./door.ts";
import { errorOf, type FormField, formOf, handlersOf, pathOf } from "./page.ts";
import { findSessionAt, visitorOf } from "./visitor.ts";

/** The page after a sign-in when no return page was requested. */
export const HOME = "/login";
const WAITING_MS = 600_000;

const FIELDS: readonly FormField[] = [
  { name: "email", label: "E-mail address", type: "email", autocomplete: "username" },
  { name: "password", label: "Password", type: "password", autocomplete: "current-password" },
];

/** `/login` and `/logout`: the form for email and password, or the page that shows who is signed in. */
export function loginOf(services: Services): Router {
  const { publicUrl } = services.settings;
  const login = handlersOf("/login", publicUrl, {
    show: (req, res, error) => showLogin(services, req, res, error),
    take: (req, res, fields) => takeLogin(publicUrl, req, res, fields),
  });
  const logout = handlersOf("/logout", publicUrl, {
    show: (req, res, error) => showLogin(services, req, res, error),
    take: (req, res) => takeLogout(publicUrl, req, res),
  });
  const router = Router();
  router.get("/login", login.get);
  router.post("/login", ...login.post);
  router.get("/logout", logout.get);
  router.post("/logout", ...logout.post);
  return router;
}

async function showLogin({ settings }: Services, req: Request, res: Response, error: AppError | null): Promise<string> {
  const { publicUrl, allowSignUp } = settings;
  const { portalId } = doorOf(res, publicUrl);
  const session = await findSessionAt(publicUrl, req, res);
  if (session !== null && error === null) return signedInPage(publicUrl, req, res, session.userId);
  const form = formOf(req, res, publicUrl, { fields: FIELDS, button: "Sign in" });
  const join = allowSignUp && portalId === null ? '\n<p class="aside"><a href="signup">Create an account</a></p>' : "";
  return pageOf(
    "Sign in",
    "Enter the email address and password of your account.",
    `${errorOf(error)}${form}${join}${portalId === null ? LOST : LOST_AT_PORTAL}`,
  );
}

const LOST =
  '\n<p class="aside">No password yet, or forgot it? The operator of this service can create a link: <code>npm run user:link -- --email &lt;address&gt;</code>.</p>';
const LOST_AT_PORTAL = '\n<p class="aside">No password yet, or forgot it? The person who invited you can help.</p>';

async function signedInPage(publicUrl: string, req: Request, res: Response, userId: string): Promise<string> {
  const [{ email, name }, memberships] = await Promise.all([
    loadPerson(userId),
    findMemberships(userId, doorOf(res, publicUrl).portalId),
  ]);
  const lines = memberships.map(
    ({ workspaceName, role }) => `<li>${escapeText(workspaceName)}: ${role.toLowerCase()}</li>`,
  );
  const list = lines.length === 0 ? "\n<p>You have no workspace yet.</p>" : `\n<ul>${lines.join("")}</ul>`;
  const form = formOf(req, res, publicUrl, { fields: [], button: "Sign out", action: "logout" });
  const account = name === null ? email : `${name} (${email})`;
  return pageOf("Signed in", `You are signed in as ${account}. Your workspaces:`, `${list}${form}`);
}

async function takeLogin(
  publicUrl: string,
  req: Request,
  res: Response,
  fields: Record<string, string>,
): Promise<void> {
  const { email = "", password = "" } = fields;
  const now = new Date();
  const { portalId } = doorOf(res, publicUrl);
  const { person, isKnown } = await signIn({ email, password, portalId }, visitorOf(req, publicUrl), now);
  if (!isKnown) setCookie(res, publicUrl, "known", await rememberBrowser(person._id, now), KNOWN_MS);
  const returnTo = pathOf(req.query["returnTo"], HOME);
  await openSession(publicUrl, req, res, { userId: person._id, asksFactor: hasSecondFactor(person) }, returnTo);
}

async function takeLogout(publicUrl: string, req: Request, res: Response): Promise<void> {
  const session = await findSessionAt(publicUrl, req, res);
  if (session !== null) await endSession(session);
  clearCookie(res, publicUrl, "session");
  res.redirect(303, at(doorOf(res, publicUrl), HOME));
}

/** Opens a new session for a person in this browser, or asks for the second factor first. */
export async function openSession(
  publicUrl: string,
  req: Request,
  res: Response,
  { userId, asksFactor }: { userId: string; asksFactor: boolean },
  returnTo: string,
): Promise<void> {
  const door = doorOf(res, publicUrl);
  const browser = { ip: req.ip ?? null, userAgent: req.headers["user-agent"] ?? null, portalId: door.portalId };
  const earlier = await findSessionAt(publicUrl, req, res);
  if (earlier !== null) await endSession(earlier);
  const value = await startSession(userId, asksFactor ? "SECOND_FACTOR" : "OPEN", browser, new Date());
  if (asksFactor) {
    setCookie(res, publicUrl, "waiting", value, WAITING_MS);
    res.redirect(303, at(door, `/login/second-factor?returnTo=${encodeURIComponent(returnTo)}`));
    return;
  }
  setCookie(res, publicUrl, "session", value, SESSION_MS);
  res.redirect(303, at(door, returnTo));
}

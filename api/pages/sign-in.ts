import { type Request, type Response, Router } from "express";
import type { AppError } from "../../domain/errors.ts";
import type { Services } from "../../operations/context.ts";
import { followLink, type Linked, readLink, UNNAMED } from "../../operations/sign-in/links.ts";
import { KNOWN_MS, rememberBrowser } from "../../operations/sign-in/password.ts";
import { hasSecondFactor } from "../../operations/sign-in/people.ts";
import { pageOf } from "../public/page.ts";
import { setCookie } from "../session-cookie.ts";
import { deadLinkPage } from "./dead-link.ts";
import { doorOf } from "./door.ts";
import { HOME, openSession } from "./login.ts";
import { errorOf, type FormField, formOf, handlersOf } from "./page.ts";
import { findSessionAt, visitorOf } from "./visitor.ts";

const PASSWORD: FormField = { name: "password", label: "Password", type: "password", autocomplete: "current-password" };
const NEW_PASSWORD: FormField = {
  name: "password",
  label: "New password",
  type: "password",
  autocomplete: "new-password",
  hint: "At least 10 characters. A short phrase works best",
};
const EMAIL: FormField = { name: "email", label: "Your e-mail address", type: "email", autocomplete: "username" };
const NAME: FormField = { name: "name", label: "Your name", type: "text", autocomplete: "name", isOptional: true };

/**
 * `/sign-in/:token`: the link of the first start, of an invite and of a password reset. GET only shows a form, so a
 * scanner that follows the link does not use it up.
 */
export function signInLinksOf(services: Services): Router {
  const { publicUrl } = services.settings;
  const link = handlersOf("/sign-in/:token", publicUrl, {
    show: (req, res, error) => showLink(publicUrl, req, res, error),
    take: (req, res, fields) => takeLink(publicUrl, req, res, fields),
    instead: (req, res, error) => deadLinkPage(services.settings, req, res, error),
  });
  const router = Router();
  router.get("/sign-in/:token", link.get);
  router.post("/sign-in/:token", ...link.post);
  return router;
}

async function showLink(publicUrl: string, req: Request, res: Response, error: AppError | null): Promise<string> {
  const linked = await readLink(tokenOf(req), doorOf(res, publicUrl).portalId, visitorOf(req, publicUrl), new Date());
  const isHere = linked.person !== null && (await signedIn(publicUrl, req, res)) === linked.person._id;
  const { title, text, fields, button } = asked(linked, isHere);
  return pageOf(title, text, `${errorOf(error)}${formOf(req, res, publicUrl, { fields, button })}`);
}

interface Asked {
  title: string;
  text: string;
  fields: readonly FormField[];
  button: string;
}

function asked({ email, person, invite }: Linked, isHere: boolean): Asked {
  if (invite === null) {
    const isFirst = person?.email === UNNAMED;
    const text = isFirst
      ? "You are the operator of this service. Enter your details and choose a password."
      : `Choose a new password for ${email}.`;
    return {
      title: isFirst ? "Welcome" : "Choose a password",
      text,
      fields: isFirst ? [EMAIL, NAME, NEW_PASSWORD] : [NEW_PASSWORD],
      button: "Sign in",
    };
  }
  const title = `Join ${invite.workspaceName}`;
  const as = `You are invited as ${invite.role.toLowerCase()}, with the address ${email}.`;
  if (isHere) return { title, text: as, fields: [], button: "Join" };
  const isNew = person === null || person.passwordHash === null;
  const how = isNew ? "Choose a password for it." : "You already have an account. Enter its password.";
  return { title, text: `${as} ${how}`, fields: isNew ? [NAME, NEW_PASSWORD] : [PASSWORD], button: "Join" };
}

async function takeLink(publicUrl: string, req: Request, res: Response, fields: Record<string, string>): Promise<void> {
  const { password = null, name = null, email = null } = fields;
  const here = await signedIn(publicUrl, req, res);
  const { portalId } = doorOf(res, publicUrl);
  const answer = { password, name, email, signedIn: here, portalId, visitor: visitorOf(req, publicUrl) };
  const person = await followLink(tokenOf(req), answer, new Date());
  setCookie(res, publicUrl, "known", await rememberBrowser(person._id, new Date()), KNOWN_MS);
  const asksFactor = hasSecondFactor(person) && here !== person._id;
  await openSession(publicUrl, req, res, { userId: person._id, asksFactor }, HOME);
}

/** The id of the person who is signed in in this browser; null for no one. */
export async function signedIn(publicUrl: string, req: Request, res: Response): Promise<string | null> {
  return (await findSessionAt(publicUrl, req, res))?.userId ?? null;
}

function tokenOf(req: Request): string {
  const { token } = req.params;
  return typeof token === "string" ? token : "";
}

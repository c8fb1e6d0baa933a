import type { Request, Response } from "express";
import type { AppError } from "../../domain/errors.ts";
import type { ServiceSettings } from "../../operations/context.ts";
import { type DeadLink, whyDead } from "../../operations/sign-in/dead-link.ts";
import { isUnclaimed } from "../../operations/sign-in/people.ts";
import { escapeText, linkTo, pageOf } from "../public/page.ts";
import { languageOf } from "../public/page-language.ts";
import { DEAD_LINK_TEXTS, type DeadLinkTexts } from "./dead-link-texts.ts";
import { at, doorOf } from "./door.ts";

const COMMANDS = {
  command: "npm run user:link -- --email <address>",
  firstCommand: "npm run user:link",
  file: ".data/first-sign-in",
};

/**
 * The page of a link that does not work: why, how to get a working link, and a link to sign in. Null for other errors.
 * Visitors of a portal do not run the service, so they see no commands.
 */
export async function deadLinkPage(
  { publicUrl }: ServiceSettings,
  req: Request,
  res: Response,
  error: AppError,
): Promise<string | null> {
  const why = whyDead(error);
  if (why === null) return null;
  const door = doorOf(res, publicUrl);
  const language = languageOf(req);
  res.set("Content-Language", language).vary("Accept-Language");
  const texts = DEAD_LINK_TEXTS[language];
  const ways = why.startsWith("SIGN_UP") ? [] : await waysOf(texts, why, door.portalId === null);
  const signUp = why === "SIGN_UP_UNKNOWN" ? linkTo(at(door, "/signup"), texts.signUp) : "";
  return pageOf(
    texts.title,
    texts.why[why],
    `${ways.map(paragraph).join("")}${signUp}${linkTo(at(door, "/login"), texts.signIn)}`,
    language,
  );
}

/** How to get a link that works. The link of an invite comes from a person, every other link from the service. */
async function waysOf(texts: DeadLinkTexts, why: DeadLink, isOwnAddress: boolean): Promise<string[]> {
  if (why === "INVITE_LATE" || why === "INVITE_REVOKED" || !isOwnAddress) return [texts.invited];
  const first = (await isUnclaimed()) ? [texts.first] : [];
  return [...(why === "UNKNOWN" ? [texts.invited] : []), ...first, texts.operator];
}

/** Renders a text; placeholders in braces become commands and file names. */
function paragraph(text: string): string {
  const html = escapeText(text).replace(/\{(\w+)\}/g, (whole, name: string) => {
    const named = Object.entries(COMMANDS).find(([key]) => key === name);
    return named === undefined ? whole : `<code>${escapeText(named[1])}</code>`;
  });
  return `\n<p>${html}</p>`;
}

import type { Request, Response } from "express";
import { dressPage } from "./page.ts";
import { LANGUAGES, type Language } from "./unsubscribe-texts.ts";

/** The browser's language, or the first of our languages. */
export function languageOf(req: Pick<Request, "acceptsLanguages">): Language {
  const accepted = req.acceptsLanguages([...LANGUAGES]);
  return LANGUAGES.find((language) => language === accepted) ?? LANGUAGES[0];
}

export function sendIn(res: Response, language: Language, page: string): void {
  res.set("Content-Language", language).vary("Accept-Language").type("html").send(dressPage(res, page));
}

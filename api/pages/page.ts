import express, { type Request, type RequestHandler, type Response } from "express";
import type { AppError } from "../../domain/errors.ts";
import { ownPath } from "../../operations/consents/own-path.ts";
import { asAppError } from "../errors.ts";
import { awayPage, dressPage, escapeText, noteWait, pageOf, sealPage } from "../public/page.ts";
import { formToken, refuseForged, TOKEN_FIELD } from "./csrf.ts";

const LONGEST_FORM_BYTES = 16_384;

export interface FormField {
  name: string;
  label: string;
  type: "email" | "password" | "text";
  autocomplete: string;
  value?: string | null;
  hint?: string;
  isOptional?: true;
}

export interface Form {
  fields: readonly FormField[];
  button: string;
  /** Null: the form posts to the page's own address. */
  action?: string | null;
  hidden?: Readonly<Record<string, string>>;
}

/** A form as HTML, with all its texts escaped. */
export function formOf(
  req: Request,
  res: Response,
  publicUrl: string,
  { fields, button, action = null, hidden = {} }: Form,
): string {
  const token = hiddenField(TOKEN_FIELD, formToken(req, res, publicUrl));
  const more = Object.entries(hidden).map(([name, value]) => hiddenField(name, value));
  const address = action === null ? "" : ` action="${escapeText(action)}"`;
  const shown = fields.map((field) => fieldOf({ ...field, value: field.value ?? typedIn(req, field) })).join("\n");
  return `\n<form method="post"${address}>${token}${more.join("")}\n${shown}\n<button type="submit">${escapeText(button)}</button></form>`;
}

/**
 * The text typed before the form was refused. A page never repeats passwords and codes: the person types them again.
 */
function typedIn({ body }: Request, { name, type, autocomplete }: FormField): string | null {
  if (type === "password" || autocomplete === "one-time-code") return null;
  const typed: unknown = body?.[name];
  return typeof typed === "string" && typed.length <= LONGEST_TYPED ? typed : null;
}

/** The most characters of typed text that a page shows again. */
const LONGEST_TYPED = 320;

export function hiddenField(name: string, value: string): string {
  return `<input type="hidden" name="${escapeText(name)}" value="${escapeText(value)}">`;
}

function fieldOf({ name, label, type, autocomplete, value, hint, isOptional }: FormField): string {
  const [id, told] = [
    escapeText(name),
    hint === undefined ? "" : `<small id="${name}-hint">${escapeText(hint)}</small>`,
  ];
  const by = hint === undefined ? "" : ` aria-describedby="${id}-hint"`;
  const valueAttribute = value == null ? "" : ` value="${escapeText(value)}"`;
  const needed = isOptional === true ? "" : " required";
  return `<p class="field"><label for="${id}">${escapeText(label)}</label><input id="${id}" name="${id}" type="${type}" autocomplete="${autocomplete}"${valueAttribute}${by}${needed}>${told}</p>`;
}

/** The error message of the last submitted form; empty without an error. */
export function errorOf(error: AppError | null): string {
  if (error === null) return "";
  return `\n<p class="error" role="alert">${escapeText(sentenceOf(error))}</p>`;
}

function sentenceOf({ message, details }: AppError): string {
  const issues = details?.["issues"];
  const [first] = Array.isArray(issues) ? issues : [];
  const { path, message: why }: { path?: unknown; message?: unknown } =
    typeof first === "object" && first !== null ? first : {};
  return typeof path === "string" && typeof why === "string"
    ? `${path.charAt(0).toUpperCase()}${path.slice(1)} ${why}.`
    : `${message}.`;
}

/**
 * A page with a form: `show` renders it, `take` handles its submission. A refusal shows the form again with the reason.
 */
export interface FormPage {
  show(req: Request, res: Response, error: AppError | null): Promise<string>;
  /** Sends the response, for example a redirect. */
  take(req: Request, res: Response, fields: Record<string, string>): Promise<void>;
  /** A page to show in place of the form for this error; null to show the form. */
  instead?(req: Request, res: Response, error: AppError): Promise<string | null>;
}

/** GET shows the form, POST handles its submission. Both always respond with a page, also for errors. */
export function handlersOf(
  route: string,
  publicUrl: string,
  { show, take, instead }: FormPage,
): { get: RequestHandler; post: RequestHandler[] } {
  const prepare = (res: Response) => {
    res.locals["route"] = route;
    sealPage(res, { hasForm: true });
  };
  const page = async (req: Request, res: Response, error: AppError | null) => {
    try {
      if (error !== null) refusedWith(res, error);
      res.type("html").send(dressPage(res, await show(req, res, error)));
    } catch (err) {
      const last = asAppError(err);
      refusedWith(res, last);
      const own = (await instead?.(req, res, last).catch(() => null)) ?? null;
      res
        .type("html")
        .send(dressPage(res, own ?? awayPage(res, last) ?? pageOf("Something went wrong", sentenceOf(last))));
    }
  };
  const post: RequestHandler = async (req, res) => {
    prepare(res);
    try {
      const fields = textsOf(req.body);
      refuseForged(req, fields, publicUrl);
      await take(req, res, fields);
    } catch (err) {
      await page(req, res, asAppError(err));
    }
  };
  return {
    get: (req, res) => {
      prepare(res);
      return page(req, res, null);
    },
    post: [formBody(), post],
  };
}

/** Reads a posted form. A form that is too large or has another type counts as empty. */
function formBody(): RequestHandler {
  const read = express.urlencoded({ extended: false, limit: LONGEST_FORM_BYTES, parameterLimit: 200 });
  return (req, res, next) => read(req, res, () => next());
}

function refusedWith(res: Response, error: AppError): void {
  res.locals["error"] = error;
  noteWait(res, error);
  res.status(error.status);
}

function textsOf(body: unknown): Record<string, string> {
  const entries = typeof body === "object" && body !== null ? Object.entries(body) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

/** The requested path to return to, or the default. Never an address of another site. */
export function pathOf(asked: unknown, usual: string): string {
  return ownPath(asked) ?? usual;
}

import { AppError, invalid } from "../errors.ts";
import { cleanHeader, HEADER_CONTROLS } from "../mail/message.ts";
import { checkHtml } from "./author-html.ts";
import { htmlOf, textOf } from "./body.ts";
import { explainBroken } from "./broken-placeholders.ts";
import { foldVariableName, type Outcome, ownKey, parseLiquid, renderLiquid } from "./liquid.ts";
import { namesIn } from "./liquid-names.ts";
import { Markup } from "./liquid-output.ts";
import { expand, parseSpintax, positionOf, type Seed, type Spintax } from "./spintax.ts";
import { BUILT_INS } from "./variables.ts";

export type { Seed } from "./spintax.ts";

/**
 * An author's content for a variant. A missing body is derived from the other body. A follow-up may have no subject.
 */
export interface Content {
  subject: string | null;
  bodyHtml: string | null;
  bodyText: string | null;
}

export interface Rendered {
  subject: string;
  html: string | null;
  text: string;
  /** Variables that rendered blank somewhere, such as `firstName` or `customFields.budget` (rules/mail 4.5). */
  missingVariables: string[];
  /** Every variable in the source, also in conditions. */
  usedVariables: string[];
}

const SOURCE_BYTES = 100_000;
const SUBJECT_CHARACTERS = 255;
/**
 * The number of a signature's first spintax group. It is higher than any number in a body, so that a change of the body
 * does not change the words of the signature.
 */
const SIGNATURE_GROUPS = 1_000_000;
/**
 * How many characters an escaped brace grows when it is written as a Liquid output. The parser's length limit counts
 * these characters.
 */
const ESCAPE_GROWTH = 5;

/**
 * Checks content before it is saved. Throws TEMPLATE_INVALID {line, column, path} for errors in the template language
 * (rules/mail 4), and VALIDATION_FAILED for control characters in the subject and for active HTML (rules/mail 1.2, 1.4).
 * `path` is the content's path in the request, such as `steps.0.variants.1`, or empty.
 */
export function checkContent(content: Content, path: string): void {
  const prefix = path === "" ? "" : `${path}.`;
  for (const field of ["subject", "bodyHtml", "bodyText"] as const) {
    const source = content[field];
    if (source !== null) checkSource(source, `${prefix}${field}`);
  }
  if (content.subject !== null && HEADER_CONTROLS.test(content.subject))
    throw invalid(`${prefix}subject`, "A subject must be one line without control characters", "CONTROL_CHARACTER");
  if (content.bodyHtml !== null) checkHtml(content.bodyHtml, `${prefix}bodyHtml`);
}

/**
 * Renders content for one recipient: spintax by the seed, then Liquid (rules/mail 1.3). `variables` is the record that
 * `variablesOf` makes. Throws RENDER_LIMIT beyond the limits and TEMPLATE_INVALID when a filter fails on a value.
 */
export function render(
  content: Content,
  variables: Record<string, unknown>,
  seed: Seed,
  options: { textOnly?: boolean },
): Rendered {
  const scope = scopeOf(variables);
  const plain = { ...scope, signature: textOf(String(scope["signature"] ?? "")) };
  const rich = { ...scope, signature: new Markup(String(scope["signature"] ?? "")) };
  const heading = parseSpintax(content.subject ?? "");
  const body = (source: string) => parseSpintax(source, heading.groups.length);

  const subject = renderSource(heading, plain, seed, "text");
  const html = isBlank(content.bodyHtml) ? null : renderSource(body(content.bodyHtml), rich, seed, "html");
  const text = isBlank(content.bodyText) ? null : renderSource(body(content.bodyText), plain, seed, "text");
  const outcomes = [subject, html, text].filter((outcome) => outcome !== null);
  const written = text?.output ?? (html === null ? "" : textOf(html.output));
  return {
    subject: cleanHeader(subject.output, SUBJECT_CHARACTERS),
    html: options.textOnly === true ? null : (html?.output ?? htmlOf(written)),
    text: written,
    missingVariables: namesOf(
      outcomes.flatMap(({ missing }) => missing),
      scope,
    ),
    usedVariables: namesOf(
      outcomes.flatMap(({ used }) => used),
      scope,
    ),
  };
}

/**
 * Checks a mailbox's signature, a template like a body, before it is saved. Throws the same errors as `checkContent`, at
 * `path` itself.
 */
export function checkSignature(signatureHtml: string, path: string): void {
  checkSource(signatureHtml, path);
  checkHtml(signatureHtml, path);
}

/**
 * Renders a signature like a body. `missing` and `used` are names as in `Rendered`; an empty signature has no missing
 * names. A signature that is older than the check may be invalid. Such a signature counts as a missing `signature`
 * variable, so that its source is not sent.
 */
export function renderSignature(
  signatureHtml: string,
  variables: Record<string, unknown>,
  seed: Seed,
): SignatureRendered {
  const scope = scopeOf({ ...variables, signature: "" });
  try {
    const { output, missing, used } = renderSource(parseSpintax(signatureHtml, SIGNATURE_GROUPS), scope, seed, "html");
    return {
      html: output,
      missingVariables: namesOf(missing, scope),
      usedVariables: namesOf(used, scope).filter((name) => name !== "signature"),
    };
  } catch (err) {
    if (!(err instanceof AppError)) throw err;
    return { html: "", missingVariables: ["signature"], usedVariables: [] };
  }
}

export interface SignatureRendered extends Pick<Rendered, "missingVariables" | "usedVariables"> {
  html: string;
}

/** Names of `namesInSource` in the catalogue's spelling, each once. */
export function catalogueNames(names: string[]): string[] {
  return namesOf(names, {});
}

/** The names that a source reads, in the author's spelling; none if the source is invalid. */
export function namesInSource(source: string): string[] {
  try {
    return namesIn(parseLiquid(parseSpintax(source).blanked));
  } catch (err) {
    if (!(err instanceof AppError)) throw err;
    return [];
  }
}

function checkSource(source: string, path: string): void {
  try {
    const grownBy = (source.match(/\\\{/g)?.length ?? 0) * ESCAPE_GROWTH;
    if (Buffer.byteLength(source) + grownBy > SOURCE_BYTES)
      throw new AppError("TEMPLATE_INVALID", "A template must have at most 100 kB", { line: 1, column: 1 });
    const { blanked, groups } = parseSpintax(source);
    parseLiquid(blanked);
    for (const { start, end } of groups.flatMap((group) => group.options)) checkOption(blanked, start, end);
  } catch (err) {
    if (!(err instanceof AppError)) throw err;
    const why = err.cause === undefined ? null : explainBroken(source);
    throw new AppError(err.code, why ?? err.message, { ...err.details, path }, { cause: err.cause });
  }
}

/**
 * Checks each alternative separately. If a tag opens in one alternative and closes in another, the whole source parses,
 * but a chosen alternative does not.
 */
function checkOption(source: string, start: number, end: number): void {
  try {
    parseLiquid(source.slice(start, end));
  } catch (err) {
    if (!(err instanceof AppError)) throw err;
    throw new AppError(err.code, err.message, positionOf(source, start), { cause: err.cause });
  }
}

/** An empty body counts as missing. */
function isBlank(source: string | null): source is null {
  return source === null || source.trim() === "";
}

function renderSource(source: Spintax, scope: object, seed: Seed, target: "html" | "text"): Outcome {
  return renderLiquid(expand(source.pieces, seed), scope, target);
}

/**
 * The variables, in which each custom field is also available by its bare key, unless a built-in variable has that name
 * (rules/mail 4.2).
 */
function scopeOf(variables: Record<string, unknown>): Record<string, unknown> {
  const scope: Record<string, unknown> = Object.create(null);
  for (const [key, value] of Object.entries(customFieldsOf(variables)))
    if (!BUILT_IN_NAMES.has(foldVariableName(key))) scope[key] = value;
  for (const [key, value] of Object.entries(variables)) scope[key] = value;
  return scope;
}

function customFieldsOf(variables: Record<string, unknown>): object {
  const fields = variables["customFields"];
  return typeof fields === "object" && fields !== null ? fields : {};
}

/**
 * Names in the catalogue's spelling, each once: `first_name` becomes `firstName`, and a custom field alone becomes
 * `customFields.<key>`.
 */
function namesOf(written: string[], scope: Record<string, unknown>): string[] {
  const fields = customFieldsOf(scope);
  const named = written.map((name) => {
    const builtIn = BUILT_IN_NAMES.get(foldVariableName(name));
    if (builtIn !== undefined) return builtIn;
    const [head, ...rest] = name.split(".");
    const key = foldVariableName(head ?? "") === "customfields" ? rest.join(".") : name;
    const field = ownKey(fields, key);
    if (field !== undefined) return `customFields.${field}`;
    return rest.length > 0 && key !== name ? `customFields.${key}` : name;
  });
  return [...new Set(named)];
}

const BUILT_IN_NAMES = new Map(BUILT_INS.map(({ key }) => [foldVariableName(key), key]));

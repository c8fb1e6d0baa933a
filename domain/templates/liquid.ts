import {
  CaptureTag,
  Context,
  Drop,
  type Emitter,
  Liquid,
  LiquidError,
  Output,
  type Template,
  toValue,
  toValueSync,
} from "liquidjs";
import { AppError } from "../errors.ts";
import { namesIn } from "./liquid-names.ts";
import { dateFilter, escapeHtml, Markup, printable } from "./liquid-output.ts";

export const TAGS = ["if", "unless", "case", "assign", "capture", "comment"];
export const FILTERS = [
  ...[
    "default",
    "capitalize",
    "upcase",
    "downcase",
    "strip",
    "truncate",
    "truncatewords",
    "replace",
    "replace_first",
    "remove",
    "append",
  ],
  ...[
    "prepend",
    "split",
    "first",
    "last",
    "size",
    "date",
    "plus",
    "minus",
    "times",
    "divided_by",
    "round",
    "floor",
    "ceil",
    "url_encode",
  ],
  "escape",
];
const OUTPUT_CHARACTERS = 200_000;
const TIME_LIMIT = "template render limit exceeded";
const MEMORY_LIMIT = "memory alloc limit exceeded";
/** Variables that may be blank: a mailbox may have no signature, and a campaign no link. */
const NEVER_MISSING = new Set(["signature", "unsubscribelink"]);

export interface Outcome {
  output: string;
  /** The name, as the author spelled it, of each variable whose output tag rendered blank. */
  missing: string[];
  /** The name, as the author spelled it, of every variable in the template, rendered or not. */
  used: string[];
}

/** Parses Liquid source. Throws TEMPLATE_INVALID {line, column}. The allowed tags and filters are in rules/mail 4.1. */
export function parseLiquid(source: string): Template[] {
  try {
    return textEngine.parse(source);
  } catch (err) {
    throw templateError(err);
  }
}

/**
 * Renders Liquid source and escapes values if the target is HTML. The limits (rules/mail 1.3) are 50 ms, 1e6 characters
 * of work, and 200,000 characters of output per part and per capture. Throws RENDER_LIMIT beyond them, and
 * TEMPLATE_INVALID if a filter throws.
 */
export function renderLiquid(source: string, variables: object, target: "html" | "text"): Outcome {
  const engine = target === "html" ? htmlEngine : textEngine;
  try {
    const templates = engine.parse(source);
    const used = namesIn(templates);
    return { ...renderWithRetry(engine, templates, variables), used };
  } catch (err) {
    throw templateError(err);
  }
}

/** Removes case and underscores, because names of variables ignore both (rules/mail 4.2). */
export function foldVariableName(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}

/** The own key of an object for a name: the exact key, otherwise a key that is equal after folding. */
export function ownKey(object: object, name: string): string | undefined {
  return Object.hasOwn(object, name)
    ? name
    : Object.keys(object).find((key) => foldVariableName(key) === foldVariableName(name));
}

const textEngine = engine(printable);
const htmlEngine = engine((value) => (value instanceof Markup ? value.html : escapeHtml(printable(value))));
// `escape` as the last filter replaces the automatic escaping of the output, so that no text is escaped twice
htmlEngine.registerFilter("escape", { handler: (value: unknown) => escapeHtml(printable(value)), raw: true });
htmlEngine.registerTag(
  "capture",
  class extends CaptureTag {
    override *render(ctx: Context): Generator<unknown, void, string> {
      yield* super.render(ctx);
      const scope = ctx.bottom();
      const html: unknown = Reflect.get(scope, this.variable);
      if (typeof html === "string") Reflect.set(scope, this.variable, new Markup(html));
    }
  },
);

function engine(outputEscape: (value: unknown) => string): Liquid {
  const liquid = new Liquid({
    strictFilters: true,
    ownPropertyOnly: true,
    parseLimit: 100_000,
    renderLimit: 50,
    memoryLimit: 1e6,
    locale: "en-US",
    timezoneOffset: 0,
    templates: {},
    outputEscape,
  });
  for (const name of Object.keys(liquid.tags)) if (!TAGS.includes(name)) delete liquid.tags[name];
  for (const name of Object.keys(liquid.filters)) if (!FILTERS.includes(name)) delete liquid.filters[name];
  liquid.registerFilter("date", dateFilter);
  const { renderer } = liquid;
  const renderTemplates = renderer.renderTemplates.bind(renderer);
  renderer.renderTemplates = function* (templates: Template[], ctx: Context, emitter: Emitter = new BoundedEmitter()) {
    for (const template of templates) {
      if (!(template instanceof Output)) {
        yield renderTemplates([template], ctx, emitter);
        continue;
      }
      const piece = new BoundedEmitter();
      yield renderTemplates([template], ctx, piece);
      if (isMissing(piece.buffer) && ctx instanceof FoldingContext) ctx.blank.set(template.token.getText(), template);
      emitter.write(piece.buffer);
    }
    return emitter.buffer;
  };
  return liquid;
}

/**
 * Renders, and tries again after a time-out. The time limit also counts stalls of the machine, so a template is refused
 * only when it exceeds the limit three times in a row.
 */
function renderWithRetry(
  liquid: Liquid,
  templates: Template[],
  variables: object,
  triesLeft = 2,
): { output: string; missing: string[] } {
  const ctx = new FoldingContext(variables, liquid.options, { sync: true }, { liquid });
  try {
    const output = String(toValueSync(liquid.renderer.renderTemplates(templates, ctx)));
    return { output, missing: namesMissing([...ctx.blank.values()]) };
  } catch (err) {
    if (triesLeft > 0 && err instanceof Error && err.message.includes(TIME_LIMIT))
      return renderWithRetry(liquid, templates, variables, triesLeft - 1);
    throw err;
  }
}

class FoldingContext extends Context {
  /** Output tags that rendered blank, by their source. */
  readonly blank = new Map<string, Output>();
  readonly #keys = new WeakMap<object, Map<string, string>>();

  override *_get(paths: (string | number | Drop)[]): IterableIterator<unknown> {
    const [head, property, ...rest] = paths;
    if (ownKey(this.bottom(), String(head)) !== undefined) return yield this._getFromScope(this.bottom(), paths);
    // A variable whose own name has a point, such as `lead.source`
    const dotted = property === undefined ? undefined : this.#keyOf(this.environments, `${head}.${property}`);
    return yield this._getFromScope(this.environments, dotted === undefined ? paths : [dotted, ...rest]);
  }

  /** Reads only own properties: no methods and no `size` of an object. White space counts as empty. */
  override readProperty(object: unknown, key: string | number | Drop): unknown {
    if (typeof object === "string" || Array.isArray(object)) return super.readProperty(Object(object), key);
    if (object === null || typeof object !== "object" || object instanceof Drop) return undefined;
    const own = this.#keyOf(object, String(toValue(key)));
    const value: unknown = own === undefined ? undefined : Reflect.get(object, own);
    if (typeof value === "function") return undefined;
    return typeof value === "string" && value.trim() === "" ? "" : value;
  }

  /**
   * Like `ownKey`, but with the folded names of a lead's many fields cached. The author's own variables are not cached,
   * because they may still change.
   */
  #keyOf(object: object, name: string): string | undefined {
    if (object === this.bottom() || Object.hasOwn(object, name)) return ownKey(object, name);
    const keys = this.#keys.get(object) ?? new Map(Object.keys(object).map((key) => [foldVariableName(key), key]));
    this.#keys.set(object, keys);
    return keys.get(foldVariableName(name));
  }
}

class BoundedEmitter implements Emitter {
  buffer = "";
  write(piece: unknown): void {
    const text = printable(piece);
    if (this.buffer.length + text.length > OUTPUT_CHARACTERS) throw renderLimit();
    this.buffer += text;
  }
}

/**
 * Whether an output counts as missing. An unrendered `{{…}}` inside a value counts like a blank: we never send either
 * (rules/mail 4.6).
 */
function isMissing(output: string): boolean {
  return output.trim() === "" || /\{\{[^{}]*\}\}/.test(output);
}

function namesMissing(blank: Output[]): string[] {
  const names = blank.map((output) => namesIn([output])[0]);
  return names.filter((name) => name !== undefined).filter((name) => !NEVER_MISSING.has(foldVariableName(name)));
}

function renderLimit(cause?: unknown): AppError {
  return new AppError("RENDER_LIMIT", "The template takes too long to render, or its output is too long", undefined, {
    cause,
  });
}

function templateError(err: unknown): AppError {
  if (err instanceof AppError) return err;
  if (LiquidError.is(err) && err.originalError instanceof AppError) return err.originalError;
  if (err instanceof Error && [TIME_LIMIT, MEMORY_LIMIT].some((limit) => err.message.includes(limit)))
    return renderLimit(err);
  const [line, column] = LiquidError.is(err) ? err.token.getPosition() : [1, 1];
  return new AppError("TEMPLATE_INVALID", reasonOf(err), { line, column }, { cause: err });
}

function reasonOf(err: unknown): string {
  const message = err instanceof Error ? err.message : "";
  const tag = /^tag "?(\w+)"? not found/.exec(message)?.[1];
  if (tag) return `The tag ${tag} is unknown or out of place`;
  const filter = /^undefined filter: (\w+)/.exec(message)?.[1];
  if (filter) return `The filter ${filter} is unknown`;
  if (message.includes("not closed")) return "A tag is not closed";
  return "This template cannot be read or rendered";
}

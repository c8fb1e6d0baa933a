import { compile } from "css-select";
import type { Atrule, Block, CssNode, Declaration, Rule, Selector } from "css-tree";
import generate from "css-tree/generator";
import parse from "css-tree/parser";
import type { Element } from "domhandler";
import type { Declarations } from "../../domain/visibility/text-look.ts";

/** The most characters and rules of style sheets that are read in one email. */
const MAX_CSS = 500_000;
const MOST_RULES = 3_000;
const MAX_SELECTOR = 500;
/**
 * The most comparisons of a selector with an element in one email. Comparisons are limited instead of time, because
 * their number is the same on every machine.
 */
const MOST_TESTS = 300_000;
const DEEPEST = 4;
/** The window width in pixels for which media conditions are evaluated. */
const WIDTH = 1_024;

interface Declared {
  property: string;
  value: string;
  isImportant: boolean;
}

/** A selector with its declarations. `key` is the tag, class or id that a matching element must have. */
interface StyleRule {
  matches(element: Element): boolean;
  key: string;
  specificity: number;
  declared: readonly Declared[];
}

/**
 * The rules of an email's style sheets, grouped by the tag, class or id in the last part of their selectors, and a
 * cache of style attributes.
 */
export interface StyleSheet {
  relevant(property: string): boolean;
  /** How often selectors were compared with elements. */
  tests: number;
  rules: ReadonlyMap<string, readonly StyleRule[]>;
  attributes: Map<string, readonly Declared[]>;
}

/** Reads style sheets as a browser does: invalid parts are ignored. `relevant` says which properties are kept. */
export function styleSheetOf(sheets: readonly string[], relevant: (property: string) => boolean): StyleSheet {
  const rules: StyleRule[] = [];
  for (const sheet of sheets) collect(parseCss(sheet.slice(0, MAX_CSS), "stylesheet"), rules, relevant, 0);
  return { relevant, tests: 0, rules: Map.groupBy(rules, ({ key }) => key), attributes: new Map() };
}

/**
 * Whether a media condition such as "screen and (min-width: 600px)" is true for a reader at a desktop computer with a
 * light colour scheme.
 */
export function holdsFor(condition: string): boolean {
  return condition.toLowerCase().split(",").some(conditionHolds);
}

/**
 * The declarations for one element after the cascade. `hints` come from presentational attributes such as `bgcolor` and
 * have the lowest precedence.
 */
export function declarationsOf(element: Element, sheet: StyleSheet, hints: readonly Declared[]): Declarations {
  const matching = matchingRules(element, sheet).flatMap(({ declared }) => declared);
  const inOrder = [...hints, ...matching, ...ownOf(element.attribs["style"] ?? "", sheet)];
  if (inOrder.length === 0) return NONE;
  const declarations = new Map<string, string>();
  for (const { property, value, isImportant } of inOrder) if (!isImportant) declarations.set(property, value);
  for (const { property, value, isImportant } of inOrder) if (isImportant) declarations.set(property, value);
  return declarations;
}

const NONE: Declarations = new Map();

/** Thrown when comparing selectors takes too long. No email program for people writes such style sheets. */
class TooManyRules extends Error {}

function matchingRules(element: Element, sheet: StyleSheet): readonly StyleRule[] {
  const { rules } = sheet;
  if (rules.size === 0) return [];
  const { id = "", class: classes = "" } = element.attribs;
  const keys = ["*", element.name, `#${id}`, ...classes.split(/\s+/).map((one) => `.${one}`)];
  const candidates = keys.flatMap((key) => rules.get(key) ?? []);
  sheet.tests += candidates.length;
  if (sheet.tests > MOST_TESTS) throw new TooManyRules();
  return candidates
    .filter((rule) => rule.matches(element))
    .toSorted((one, other) => one.specificity - other.specificity);
}

/** The declarations of a style attribute, cached because many elements of an email have equal ones. */
function ownOf(style: string, { attributes, relevant }: StyleSheet): readonly Declared[] {
  if (style === "") return [];
  const cached = attributes.get(style);
  if (cached !== undefined) return cached;
  const declared = declaredIn(parseCss(style.slice(0, MAX_CSS), "declarationList")).filter(({ property }) =>
    relevant(property),
  );
  attributes.set(style, declared);
  return declared;
}

/** A declaration for a presentational attribute. */
export function hint(property: string, value: string): Declared {
  return { property, value: value.trim().toLowerCase(), isImportant: false };
}

function parseCss(css: string, context: "stylesheet" | "declarationList"): CssNode | null {
  try {
    return parse(css, {
      context,
      parseValue: false,
      parseCustomProperty: false,
      parseAtrulePrelude: false,
      onParseError: () => {},
    });
  } catch {
    return null;
  }
}

function collect(
  node: CssNode | null,
  rules: StyleRule[],
  relevant: (property: string) => boolean,
  depth: number,
): void {
  if (node === null || depth > DEEPEST || !("children" in node) || node.children === null) return;
  node.children.forEach((child) => {
    if (rules.length >= MOST_RULES) return;
    if (child.type === "Atrule" && isEntered(child)) collect(child.block, rules, relevant, depth + 1);
    if (child.type === "Rule") rules.push(...rulesOf(child, rules.length, relevant));
  });
}

function isEntered({ name, prelude }: Atrule): boolean {
  const condition = prelude === null ? "" : generate(prelude);
  const at = name.toLowerCase();
  return (
    (at === "media" && holdsFor(condition)) ||
    (at === "supports" && !/(?<!\w)not(?!\w)/i.test(condition)) ||
    at === "layer"
  );
}

function rulesOf({ prelude, block }: Rule, order: number, relevant: (property: string) => boolean): StyleRule[] {
  if (prelude.type !== "SelectorList") return [];
  const declared = declaredIn(block).filter(({ property }) => relevant(property));
  if (declared.length === 0) return [];
  return [...prelude.children].flatMap((selector, index) => {
    if (selector.type !== "Selector") return [];
    const text = generate(selector);
    if (text.length > MAX_SELECTOR) return [];
    const specificity = specificityOf(selector) * MOST_RULES * 10 + order + index / 1_000;
    return [{ matches: matcherOf(text, selector), key: selectorKeyOf(selector), specificity, declared }];
  });
}

/**
 * Compiles a selector when it is first needed. A selector that equals its key, such as `.footer`, always matches, so it
 * is not compiled.
 */
function matcherOf(text: string, { children }: Selector): (element: Element) => boolean {
  const only = children.size === 1 ? children.first?.type : undefined;
  if (only === "ClassSelector" || only === "IdSelector" || only === "TypeSelector") return () => true;
  let compiled: ((element: Element) => boolean) | null = null;
  return (element) => {
    compiled ??= compiledFrom(text);
    return compiled(element);
  };
}

function compiledFrom(text: string): (element: Element) => boolean {
  try {
    return compile<Element, Element>(text, { xmlMode: false });
  } catch {
    return () => false; // pseudo-elements, and states such as `:hover`
  }
}

function declaredIn(node: CssNode | Block | null): Declared[] {
  if (node === null || !("children" in node) || node.children === null) return [];
  return [...node.children].flatMap((child) => (child.type === "Declaration" ? longhands(child) : []));
}

/** Splits a declaration of a shorthand into the properties that decide whether text is visible. */
function longhands({ property: written, value: node, important }: Declaration): Declared[] {
  const value = generate(node).trim().toLowerCase();
  const property = written.startsWith("--") ? written : written.toLowerCase();
  const isImportant = important !== false;
  const of = (name: string, one: string | undefined): Declared[] =>
    one === undefined ? [] : [{ property: name, value: one, isImportant }];
  if (property === "font") {
    const [, size, line] =
      /(?:^|\s)((?:[\d.]+(?:[a-z]+|%)|0|(?:xx?-)?(?:small|large)|medium|smaller|larger))(?:\s*\/\s*(\S+))?\s+\S/.exec(
        value,
      ) ?? [];
    return [...of("font-size", size), ...of("line-height", line)];
  }
  if (property === "background") {
    const image = /(?:url|image-set|[a-z-]*gradient)\(.*\)/.exec(value)?.[0] ?? "none";
    const colour = value
      .replace(image, " ")
      .split(/\s+(?![^(]*\))/)
      .find(
        (part) =>
          /^(?:#|rgb|hsl|[a-z]+$)/.test(part) &&
          !/^(?:no-repeat|repeat|repeat-x|repeat-y|center|top|left|right|bottom|none|scroll|fixed|cover|contain|local)$/.test(
            part,
          ),
      );
    return [
      ...of("background-image", image),
      ...of("background-color", colour ?? "transparent"),
      ...(/(?:^|\s)text(?:\s|$)/.test(value) ? of("background-clip", "text") : []),
    ];
  }
  if (property === "margin" || property === "padding" || property === "inset") {
    const [top, right = top, bottom = top, left = right] = value.split(/\s+/);
    const name = (side: string) => (property === "inset" ? side : `${property}-${side}`);
    return [
      ...of(name("top"), top),
      ...of(name("right"), right),
      ...of(name("bottom"), bottom),
      ...of(name("left"), left),
    ];
  }
  return of(property, value);
}

/** The tag, class or id that a matching element must have, taken from the last part of the selector. */
function selectorKeyOf({ children }: Selector): string {
  let key = "*";
  children.forEach((node) => {
    if (node.type === "Combinator") key = "*";
    if (node.type === "IdSelector") key = `#${node.name}`;
    if (node.type === "ClassSelector" && !key.startsWith("#")) key = `.${node.name}`;
    if (node.type === "TypeSelector" && key === "*" && node.name !== "*") key = node.name.toLowerCase();
  });
  return key;
}

/** The specificity of a selector: an id counts more than classes, a class more than tags (CSS Selectors 4, 17). */
function specificityOf({ children }: Selector): number {
  let weight = 0;
  children.forEach((node) => {
    if (node.type === "IdSelector") weight += 10_000;
    if (["ClassSelector", "AttributeSelector", "PseudoClassSelector"].includes(node.type)) weight += 100;
    if (node.type === "TypeSelector" && node.name !== "*") weight += 1;
  });
  return weight;
}

function conditionHolds(condition: string): boolean {
  const [, not, rest = ""] = /^\s*(not\s+)?(?:only\s+)?(.*)$/s.exec(condition) ?? [];
  const parts = rest.split(/\s+and\s+/).map((part) => part.trim());
  return parts.every((part) => part === "" || /^(?:all|screen)$/.test(part) || isFeature(part)) !== (not !== undefined);
}

function isFeature(part: string): boolean {
  const [, bound, pixels = ""] =
    /^\(\s*(min|max)-(?:device-)?width\s*:\s*([\d.]+)(?:px|em|rem)?\s*\)$/.exec(part) ?? [];
  const width = Number(pixels) * (/(?:em|rem)\s*\)$/.test(part) ? 16 : 1);
  if (bound !== undefined) return bound === "min" ? width <= WIDTH : width >= WIDTH;
  return /^\(\s*(?:prefers-color-scheme\s*:\s*light|prefers-reduced-motion\s*:\s*no-preference|orientation\s*:\s*landscape|color)\s*\)$/.test(
    part,
  );
}

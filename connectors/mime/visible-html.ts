import type { ChildNode, Document, Element, ParentNode, Text } from "domhandler";
import { parse, serialize } from "parse5";
import { adapter } from "parse5-htmlparser2-tree-adapter";
import { type Declarations, isSeen, lookOf, PAGE, type TextLook } from "../../domain/visibility/text-look.ts";
import { withinProcessorTime } from "./processor-limit.ts";
import { declarationsOf, hint, holdsFor, styleSheetOf } from "./style-rules.ts";

/** The HTML that a reader sees, and the texts that were removed from it. */
export interface VisibleHtml {
  html: string;
  hidden: string[];
}

/** Milliseconds of the thread's processor time. */
const LIMIT_MS = 1_500;
/** Elements whose content is never shown as text. */
const NO_TEXT = new Set(["head", "title", "style", "script", "noscript"]);
/** Properties that decide whether text is visible. Other properties are not read. */
const RELEVANT =
  /^(?:--|display$|visibility$|content-visibility$|opacity$|filter$|font$|font-size$|line-height$|color$|-webkit-text-|background|-webkit-background-clip$|text-(?:indent|shadow)$|position$|left$|right$|top$|bottom$|inset$|margin|padding|transform$|scale$|zoom$|overflow|(?:min-|max-)?(?:width|height)$|clip|float$)/;
/** HTML without any of these hides no text. */
const MAY_HIDE =
  /<style|\sstyle\s*=|\shidden(?=[\s=>/])|\s(?:bg)?color\s*=|\stext\s*=|<(?:template|iframe|noembed|noframes|audio|video|canvas|datalist|dialog|svg)(?=[\s>/])/i;

/**
 * Removes from an email's HTML all text that a reader would not see (rules/mail 11.5): text that is not drawn,
 * transparent, tiny, in the colour of its background, off the screen, or in a box without an area. Style attributes,
 * style elements and presentational attributes count. Elements stay, so that quotes and signatures can still be
 * recognised. HTML without hidden text is returned unchanged. If style elements take too long, they are ignored; if the
 * HTML takes too long even then, the result is null.
 */
export function visibleHtml(html: string): VisibleHtml | null {
  if (!MAY_HIDE.test(html)) return { html, hidden: [] };
  return (
    withinProcessorTime(LIMIT_MS, () => judgeHtml(html, true)) ??
    withinProcessorTime(LIMIT_MS, () => judgeHtml(html, false))
  );
}

function judgeHtml(html: string, hasSheets: boolean): VisibleHtml {
  const document = parse(html, { treeAdapter: adapter });
  const sheet = styleSheetOf(hasSheets ? styleTexts(document) : [], (property) => RELEVANT.test(property));
  const hidden = hiddenTexts(document, (element) => declarationsOf(element, sheet, hintsOf(element)));
  if (hidden.length === 0) return { html, hidden: [] };
  for (const text of hidden) adapter.detachNode(text);
  return { html: serialize(document, { treeAdapter: adapter }), hidden: hidden.map(({ data }) => data) };
}

/** The style sheets of a document that are for screens. */
function styleTexts(document: Document): string[] {
  const sheets: string[] = [];
  walk(document, (node) => {
    if (!isElement(node) || node.name !== "style" || !holdsFor(node.attribs["media"] ?? "")) return true;
    sheets.push(
      node.children
        .map((child) => ("data" in child ? child.data : ""))
        .join("")
        .replace(/<!--|-->/g, ""),
    );
    return false;
  });
  return sheets;
}

/** The invisible texts of a document. The walk is not recursive, because a sender can nest elements without limit. */
function hiddenTexts(document: Document, declared: (element: Element) => Declarations): Text[] {
  const hidden: Text[] = [];
  const looks = new Map<ParentNode, TextLook>([[document, PAGE]]);
  walk(document, (node) => {
    const look = (node.parent === null ? undefined : looks.get(node.parent)) ?? PAGE;
    if (isElement(node)) {
      if (NO_TEXT.has(node.name)) return false;
      looks.set(node, lookOf(look, node.name, declared(node)));
      return true;
    }
    if (isText(node) && /\S/.test(node.data) && !isSeen(look)) hidden.push(node);
    if ("children" in node) looks.set(node, look); // the content of a template
    return true;
  });
  return hidden;
}

/** Visits the nodes in their order. A visitor that returns false skips the content of the node. */
function walk(document: Document, visit: (node: ChildNode) => boolean): void {
  const open: ChildNode[] = document.children.toReversed();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const isEntered = visit(node);
    if (isEntered && "children" in node)
      for (let index = node.children.length - 1; index >= 0; index--)
        open.push(...node.children.slice(index, index + 1));
  }
}

function isElement(node: ChildNode): node is Element {
  return "attribs" in node;
}

function isText(node: ChildNode): node is Text {
  return node.nodeType === 3;
}

/** The declarations of presentational attributes such as `bgcolor`, which any style overrides. */
function hintsOf({ name, attribs }: Element) {
  const of = (property: string, value: string | undefined) =>
    value === undefined || value === "" ? [] : [hint(property, value)];
  const isClosed = name === "dialog" && attribs["open"] === undefined;
  return [
    ...(attribs["hidden"] !== undefined || isClosed ? [hint("display", "none")] : []),
    ...of("background-color", attribs["bgcolor"]),
    ...of("background-image", attribs["background"] && "url()"),
    ...of("color", name === "font" ? attribs["color"] : name === "body" ? attribs["text"] : undefined),
    ...of("fill", attribs["fill"]),
  ];
}

import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { invalid } from "../errors.ts";

const REFUSED_TAGS = new Set(
  "script form input button select textarea iframe frame frameset object embed applet base portal".split(" "),
);

/**
 * Refuses active content in the HTML that an author saves (rules/mail 1.2): scripts, forms, frames, `on*` attributes
 * and `javascript:` URLs. Throws VALIDATION_FAILED at `path`.
 */
export function checkHtml(html: string, path: string): void {
  const left: DefaultTreeAdapterTypes.Node[] = [parse(html)];
  for (let node = left.pop(); node; node = left.pop()) {
    if ("tagName" in node) checkElement(node, path);
    if ("content" in node) left.push(node.content);
    if ("childNodes" in node) left.push(...node.childNodes);
  }
}

function checkElement({ tagName, attrs }: DefaultTreeAdapterTypes.Element, path: string): void {
  if (REFUSED_TAGS.has(tagName)) throw invalid(path, `The element ${tagName} is not allowed`, "HTML_NOT_ALLOWED");
  for (const { name, value } of attrs) {
    if (/^on/i.test(name) || name === "formaction")
      throw invalid(path, `The attribute ${name} is not allowed`, "HTML_NOT_ALLOWED");
    if (/^(?:javascript:|vbscript:|data:text\/html)/i.test(value.replace(/[\x00-\x20]/g, "")))
      throw invalid(path, `The attribute ${name} contains a script`, "HTML_NOT_ALLOWED");
    if (name === "http-equiv" && /refresh/i.test(value))
      throw invalid(path, "An automatic refresh is not allowed", "HTML_NOT_ALLOWED");
  }
}

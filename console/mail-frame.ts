/**
 * Runs in the frame that shows an email. It is built as a separate file and imports nothing. The server has sanitised
 * the HTML; here it is parsed again without running anything, and only known elements are rebuilt from it. Even if the
 * two parsers understand the HTML differently, nothing else can be shown.
 */
const KNOWN = new Set(
  (
    "p br div span hr blockquote pre code h1 h2 h3 h4 h5 h6 a b strong i em u s del ins sub sup small mark abbr cite q " +
    "ul ol li dl dt dd table caption colgroup col thead tbody tfoot tr th td img"
  ).split(" "),
);
/** Elements whose content is not text for a reader. */
const WITHOUT_TEXT = new Set(
  (
    "script style title textarea option select noscript noembed noframes template object embed applet iframe frame frameset xmp plaintext " +
    "audio video canvas head meta link base"
  ).split(" "),
);
const KNOWN_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  ol: ["start"],
  td: ["colspan", "rowspan"],
  th: ["colspan", "rowspan"],
  img: ["alt", "width", "height"],
};
const EVERYWHERE = ["dir", "lang", "title"];
const HTML = "http://www.w3.org/1999/xhtml";
/** The deepest nesting that is shown; emails written by people stay far below it. */
const DEEPEST = 1_000;

const hasImages = new URLSearchParams(location.search).get("images") === "1";

interface Shown {
  html: string;
  scheme: string;
  /** The label of the button that opens a quote. */
  quoted: string;
}

addEventListener("message", ({ source, data }: MessageEvent<Shown>) => {
  if (source === parent) show(data);
});
document.addEventListener("click", openLink);
document.addEventListener("auxclick", openLink);
new ResizeObserver(tellHeight).observe(document.documentElement);
tellPage({ kind: "ready" });

function show({ html, scheme, quoted }: Shown): void {
  document.documentElement.style.colorScheme = scheme;
  const read = new DOMParser().parseFromString(html, "text/html");
  const made = document.createDocumentFragment();
  copyInto(made, read.body, 0);
  for (const quote of made.querySelectorAll("blockquote:not(blockquote blockquote)")) fold(quote, quoted);
  document.body.replaceChildren(made);
  tellHeight();
}

function copyInto(to: Node, from: Node, depth: number): void {
  for (const child of from.childNodes) {
    if (child instanceof Text) to.appendChild(document.createTextNode(child.data));
    else if (isElement(child)) copyElement(to, child, depth);
  }
}

function isElement(node: Node): node is Element {
  return node.nodeType === Node.ELEMENT_NODE;
}

function copyElement(to: Node, from: Element, depth: number): void {
  const name = from.localName;
  if (from.namespaceURI !== HTML || WITHOUT_TEXT.has(name) || depth > DEEPEST) return;
  if (!KNOWN.has(name)) {
    copyInto(to, from, depth + 1);
    return;
  }
  if (name === "img" && !hasImages) {
    to.appendChild(document.createTextNode(from.getAttribute("alt") ?? ""));
    return;
  }
  const made = document.createElement(name);
  for (const attribute of [...EVERYWHERE, ...(KNOWN_ATTRIBUTES[name] ?? [])]) {
    const value = from.getAttribute(attribute);
    if (value !== null) made.setAttribute(attribute, value);
  }
  const address = from.getAttribute(name === "img" ? "src" : "href") ?? "";
  if (name === "a" && /^(?:https?:\/\/|mailto:|tel:)/i.test(address)) made.setAttribute("href", address);
  if (name === "img" && /^https:\/\//i.test(address)) made.setAttribute("src", address);
  copyInto(made, from, depth + 1);
  to.appendChild(made);
}

/** Collapses a quote, because the reader already knows it. */
function fold(quote: Element, quoted: string): void {
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  summary.textContent = quoted;
  quote.replaceWith(details);
  details.append(summary, quote);
}

/** Reports a clicked link to the page, which opens it in a new tab, because the frame cannot. */
function openLink(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link === null) return;
  event.preventDefault();
  const href = link.getAttribute("href");
  if (href !== null && event.button < 2) tellPage({ kind: "link", href });
}

function tellHeight(): void {
  tellPage({ kind: "height", height: Math.ceil(document.documentElement.getBoundingClientRect().height) });
}

/**
 * Sends a message to the page. Its origin is not known here, so the target is "*"; only our own pages can contain this
 * frame (`frame-ancestors`).
 */
function tellPage(
  message: { kind: "ready" } | { kind: "height"; height: number } | { kind: "link"; href: string },
): void {
  parent.postMessage(message, "*");
}

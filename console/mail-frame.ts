/**
 * Runs in the frame that shows an email. It is a file of its own, built beside the pages, and imports nothing. The
 * service has cleaned the HTML; here it is parsed once more without running anything, and only known elements are built
 * again from it. So it does not matter if one parser understands the other's output differently.
 */
const KNOWN = new Set(
  (
    "p br div span hr blockquote pre code h1 h2 h3 h4 h5 h6 a b strong i em u s del ins sub sup small mark abbr cite q " +
    "ul ol li dl dt dd table caption colgroup col thead tbody tfoot tr th td img"
  ).split(" "),
);
/** The content of these elements is no text for a reader. */
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
/** No email that a person writes is nested deeper. */
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

/** The reader already knows the quoted text, so it is shown only on request. */
function fold(quote: Element, quoted: string): void {
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  summary.textContent = quoted;
  quote.replaceWith(details);
  details.append(summary, quote);
}

/** A link cannot leave the frame by itself: the page opens it in a new tab. */
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
 * An opaque origin cannot name the page, so every page is addressed; only our own may frame this one
 * (`frame-ancestors`).
 */
function tellPage(
  message: { kind: "ready" } | { kind: "height"; height: number } | { kind: "link"; href: string },
): void {
  parent.postMessage(message, "*");
}

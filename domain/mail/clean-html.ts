import sanitize from "sanitize-html";

/** No mail that people write or read nests deeper; the parser's time grows with the square of it. */
const DEEPEST = 1_000;
const MOST_CHARACTERS = 500_000;

const CLEANING: sanitize.IOptions = {
  // Without img: a remote image tells its sender who looked and when, and one inside the mail has an address nobody can open
  allowedTags: [
    ...["p", "br", "div", "span", "hr", "blockquote", "pre", "code", "h1", "h2", "h3", "h4", "h5", "h6"],
    ...["a", "b", "strong", "i", "em", "u", "s", "del", "ins", "sub", "sup", "small", "mark", "abbr", "cite", "q"],
    ...["ul", "ol", "li", "dl", "dt", "dd"],
    ...["table", "caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "th", "td"],
  ],
  allowedAttributes: {
    "*": ["dir", "lang", "title"],
    a: ["href", "rel", "target"],
    ol: ["start"],
    ...{ td: ["colspan", "rowspan"], th: ["colspan", "rowspan"] },
  },
  allowedSchemes: ["http", "https", "mailto", "tel"],
  allowProtocolRelative: false,
  // What is in these is no text for a reader
  nonTextTags: ["script", "style", "title", "textarea", "option", "noscript", "template", "svg", "math", "object", "iframe", "xmp"],
  parseStyleAttributes: false,
  transformTags: { a: outward },
};

/**
 * The HTML of a mail as it may be shown (mail.md 12): allow-listed tags without styles, scripts, forms or images, and links that
 * open elsewhere. At most its first 500,000 characters; null for what is nested so deep that no person wrote it.
 */
export function cleanHtml(html: string): string | null {
  const clean = cleaned(html.slice(0, MOST_CHARACTERS));
  // Without an element that stood between them two others may close each other: what is shown is what would be read again
  return clean === null ? null : cleaned(clean);
}

function cleaned(html: string): string | null {
  let depth = 0;
  const onOpenTag = () => {
    if (++depth > DEEPEST) throw new TooDeep();
  };
  try {
    return sanitize(html, { ...CLEANING, onOpenTag, onCloseTag: () => void depth-- });
  } catch (error) {
    if (error instanceof TooDeep) return null;
    throw error;
  }
}

class TooDeep extends Error {}

/** A link within the mail, or to a place relative to wherever it is shown, leads nowhere. */
function outward(tagName: string, { href, ...attribs }: sanitize.Attributes): sanitize.Tag {
  const leads = href !== undefined && /^\s*(?:https?:\/\/|mailto:|tel:)/i.test(href);
  return { tagName, attribs: { ...(leads && { href }), ...attribs, rel: "noopener noreferrer nofollow", target: "_blank" } };
}

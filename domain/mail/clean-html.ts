import sanitize from "sanitize-html";

/**
 * Levels of nesting that are accepted. No email by a person is nested deeper, and the parser's time grows with the
 * square of the depth.
 */
const DEEPEST = 1_000;
const MOST_CHARACTERS = 500_000;

// Images are left out: a remote image tells its sender who opened the email and when, and an embedded image has a URL
// that cannot be opened
const TAGS = [
  ...["p", "br", "div", "span", "hr", "blockquote", "pre", "code", "h1", "h2", "h3", "h4", "h5", "h6"],
  ...["a", "b", "strong", "i", "em", "u", "s", "del", "ins", "sub", "sup", "small", "mark", "abbr", "cite", "q"],
  ...["ul", "ol", "li", "dl", "dt", "dd"],
  ...["table", "caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "th", "td"],
];
const ATTRIBUTES = {
  "*": ["dir", "lang"],
  a: ["href", "rel", "target"],
  ol: ["start"],
  td: ["colspan", "rowspan"],
  th: ["colspan", "rowspan"],
};

const CLEANING: sanitize.IOptions = {
  allowedTags: TAGS,
  allowedAttributes: ATTRIBUTES,
  allowedSchemes: ["http", "https", "mailto", "tel"],
  allowProtocolRelative: false,
  // The content of these elements is not text for a reader
  nonTextTags: [
    "script",
    "style",
    "title",
    "textarea",
    "option",
    "noscript",
    "template",
    "svg",
    "math",
    "object",
    "iframe",
    "xmp",
  ],
  parseStyleAttributes: false,
  transformTags: { a: rewriteLink },
};

/**
 * The cleaning rules for a reader who wants to see the images of an email. Only images with an https URL are allowed.
 */
const WITH_IMAGES: sanitize.IOptions = {
  ...CLEANING,
  allowedTags: [...TAGS, "img"],
  allowedAttributes: { ...ATTRIBUTES, img: ["src", "alt", "width", "height"] },
  allowedSchemesByTag: { img: ["https"] },
};

/**
 * The HTML of an email in a form that may be shown (rules/mail 11.3): allow-listed tags without styles, scripts, forms
 * or images, and links that open in a new window. At most the first 500,000 characters are read. Null for HTML that is
 * nested more deeply than any email by a person.
 */
export function cleanHtml(html: string, { images = false } = {}): string | null {
  const how = images ? WITH_IMAGES : CLEANING;
  const clean = sanitizeOnce(html.slice(0, MOST_CHARACTERS), how);
  // Removing an element can let its neighbours form a new one, so the cleaned HTML is parsed and cleaned again
  return clean === null ? null : sanitizeOnce(clean, how);
}

/** Whether the first 500,000 characters of the HTML contain an image with an https URL. */
export function hasRemoteImages(html: string): boolean {
  return /<img\b[^>]{0,2000}?\bsrc\s*=\s*["']?\s*https:/i.test(html.slice(0, MOST_CHARACTERS));
}

function sanitizeOnce(html: string, how: sanitize.IOptions): string | null {
  let depth = 0;
  const onOpenTag = () => {
    if (++depth > DEEPEST) throw new TooDeep();
  };
  try {
    return sanitize(html, { ...how, onOpenTag, onCloseTag: () => void depth-- });
  } catch (error) {
    if (error instanceof TooDeep) return null;
    throw error;
  }
}

class TooDeep extends Error {}

/**
 * Drops the target of a link within the email and of a relative link, because neither leads anywhere outside the email.
 */
function rewriteLink(tagName: string, { href, ...attribs }: sanitize.Attributes): sanitize.Tag {
  const leads = href !== undefined && /^\s*(?:https?:\/\/|mailto:|tel:)/i.test(href);
  return {
    tagName,
    attribs: { ...(leads && { href }), ...attribs, rel: "noopener noreferrer nofollow", target: "_blank" },
  };
}

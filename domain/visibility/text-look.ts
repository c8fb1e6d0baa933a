import { BLACK, type Colour, colourOf, isAlike, LINK_BLUE, over, WHITE } from "./colours.ts";
import { pixelsOf } from "./css-lengths.ts";

/**
 * The declarations that apply to one element, by property, after the cascade. Values are lower-case, shorthands are
 * split.
 */
export type Declarations = ReadonlyMap<string, string>;

/** How the text of an element looks to a reader. */
export interface TextLook {
  /** Whether the element is drawn at all, and within the screen. */
  isDrawn: boolean;
  isVisible: boolean;
  opacity: number;
  /** In pixels. */
  fontSize: number;
  lineHeight: number | null;
  textIndent: number;
  colour: Colour;
  /** The background colour; null if it is unknown because of a background image. */
  ground: Colour | null;
  /**
   * Whether a box without an area hides the text. LOOSE: such a box is around the text, but it does not hide positioned
   * content, because the box itself is not positioned.
   */
  clip: "NONE" | "LOOSE" | "TIGHT";
  /** Whether the text has a shadow or an outline, which makes it visible whatever its colour is. */
  isOutlined: boolean;
  custom: Declarations;
}

export const PAGE: TextLook = {
  isDrawn: true,
  isVisible: true,
  opacity: 1,
  fontSize: 16,
  lineHeight: null,
  textIndent: 0,
  colour: BLACK,
  ground: WHITE,
  clip: "NONE",
  isOutlined: false,
  custom: new Map(),
};

/** The smallest font size, in pixels, of readable text. */
const LEAST_SIZE = 3;
const LEAST_OPACITY = 0.1;
/** The smallest width or height, in pixels, of a box that shows text. */
const LEAST_BOX = 2;
/** A text this many pixels beyond the edge is completely outside the screen. */
const AWAY = 500;
const FAR_AWAY = 4_000;
/** Elements whose content no mail program shows as text. */
const NEVER_SHOWN = new Set(
  "template iframe noembed noframes audio video canvas datalist desc metadata defs".split(" "),
);
const BLOCKS = new Set(
  "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main menu nav ol p pre section summary ul".split(
    " ",
  ),
);
const CELLS = new Set("table tbody thead tfoot tr td th caption col colgroup".split(" "));

/** Whether a reader sees a text that looks like this (rules/mail 11.5). */
export function isSeen({
  isDrawn,
  isVisible,
  opacity,
  fontSize,
  textIndent,
  colour,
  ground,
  clip,
  isOutlined,
}: TextLook): boolean {
  if (!isDrawn || !isVisible || clip !== "NONE" || fontSize < LEAST_SIZE || textIndent <= -AWAY) return false;
  if (isOutlined) return opacity >= LEAST_OPACITY;
  if (colour.alpha * opacity < LEAST_OPACITY) return false;
  return ground === null || !isAlike(over(colour, ground, opacity), ground);
}

/** The look of an element's own text, from the look of its parent and the element's declarations. */
export function lookOf(parent: TextLook, tag: string, declared: Declarations): TextLook {
  if (declared.size === 0 && tag !== "a" && !NEVER_SHOWN.has(tag) && parent.clip !== "LOOSE") return parent;
  const custom = customOf(parent.custom, declared);
  const read = (property: string) => resolveVariables(declared.get(property) ?? "", custom);
  const fontSize = fontSizeOf(read("font-size"), parent.fontSize);
  const pixels = (property: string) => pixelsOf(read(property), fontSize);
  const look: TextLook = {
    ...parent,
    custom,
    fontSize,
    isDrawn:
      parent.isDrawn && !NEVER_SHOWN.has(tag) && read("display") !== "none" && read("content-visibility") !== "hidden",
    isVisible: visibilityOf(read("visibility"), parent.isVisible),
    opacity: parent.opacity * shareOf(read("opacity")) * shareOf(/opacity\(([^()]*)\)/.exec(read("filter"))?.[1] ?? ""),
    lineHeight: lineHeightOf(read("line-height"), fontSize, parent.lineHeight),
    textIndent: pixels("text-indent") ?? parent.textIndent,
    colour: textColourOf(tag, read, parent),
    ground: groundOf(read, parent.ground),
    isOutlined: isOutlined(read, parent.isOutlined),
  };
  return {
    ...look,
    isDrawn: look.isDrawn && !isAway(read, pixels) && !isShrunk(read),
    clip: clipOf(look, parent.clip, tag, read, pixels),
  };
}

type Read = (property: string) => string;
type Pixels = (property: string) => number | null;

function visibilityOf(value: string, inherited: boolean): boolean {
  if (value === "hidden" || value === "collapse") return false;
  return value === "visible" || value === "initial" ? true : inherited;
}

function shareOf(value: string): number {
  const [, number, percent] = /^\s*([\d.]+)\s*(%?)\s*$/.exec(value) ?? [];
  if (number === undefined) return 1;
  return Math.min(1, Number(number) / (percent === "%" ? 100 : 1));
}

const SIZES: Readonly<Record<string, number>> = {
  "xx-small": 9,
  "x-small": 10,
  small: 13,
  medium: 16,
  large: 18,
  "x-large": 24,
  "xx-large": 32,
  "xxx-large": 48,
  initial: 16,
};

function fontSizeOf(value: string, inherited: number): number {
  if (value === "smaller" || value === "larger") return value === "smaller" ? inherited / 1.2 : inherited * 1.2;
  const size = SIZES[value] ?? pixelsOf(value, inherited, inherited);
  return size === null || size < 0 ? inherited : size;
}

function lineHeightOf(value: string, fontSize: number, inherited: number | null): number | null {
  if (value === "" || value === "inherit") return inherited;
  if (/^[\d.]+$/.test(value)) return Number(value) * fontSize;
  return pixelsOf(value, fontSize, fontSize);
}

function textColourOf(tag: string, read: Read, parent: TextLook): Colour {
  const value = read("-webkit-text-fill-color") || read("color");
  if (value === "initial") return BLACK;
  if (value === "" && tag === "a") return LINK_BLUE;
  return colourOf(value) ?? parent.colour;
}

function groundOf(read: Read, inherited: Colour | null): Colour | null {
  const image = read("background-image");
  const colour = colourOf(read("background-color"));
  if (image !== "" && image !== "none") return gradientOf(image);
  if (colour === null || colour.alpha === 0) return inherited;
  if (inherited === null) return colour.alpha >= 1 - LEAST_OPACITY ? colour : null;
  return over(colour, inherited);
}

/** The colour of a gradient that has the same colour everywhere. */
function gradientOf(image: string): Colour | null {
  if (!/^[a-z-]*gradient\(/.test(image) || image.includes("url(")) return null;
  const stops = [...image.matchAll(/#[\da-f]{3,8}|(?:rgba?|hsla?)\([^()]*\)|(?<![\w-])[a-z]{3,20}(?![\w(-])/g)].flatMap(
    ([stop]) => colourOf(stop) ?? [],
  );
  const [first] = stops;
  return first !== undefined && first.alpha === 1 && stops.every((stop) => isAlike(stop, first)) ? first : null;
}

function isOutlined(read: Read, inherited: boolean): boolean {
  const [shadow, stroke, clip] = [
    read("text-shadow"),
    read("-webkit-text-stroke"),
    read("background-clip") || read("-webkit-background-clip"),
  ];
  if (clip === "text") return true;
  if (shadow === "none") return false;
  return inherited || shadow !== "" || (stroke !== "" && !/^0/.test(stroke));
}

/** Whether an element is beyond the edge of the screen. */
function isAway(read: Read, pixels: Pixels): boolean {
  const isPlaced = /^(?:absolute|fixed|relative|sticky)$/.test(read("position"));
  const [, x = "", y = ""] = /translate(?:3d|x)?\(\s*([^,()]+)(?:,\s*([^,()]+))?/.exec(read("transform")) ?? [];
  const [, only = ""] = /translatey\(\s*([^()]+)\)/.exec(read("transform")) ?? [];
  const sum = (...lengths: (number | null)[]) => lengths.reduce<number>((all, length) => all + (length ?? 0), 0);
  const placed = (side: string) => (isPlaced ? pixels(side) : null);
  const across = sum(placed("left"), pixels("margin-left"), pixelsUnlessPercent(x));
  const down = sum(placed("top"), pixels("margin-top"), pixelsUnlessPercent(y), pixelsUnlessPercent(only));
  const isBeyond = (length: number) => length <= -AWAY || length >= FAR_AWAY;
  return isBeyond(across) || isBeyond(down) || isBeyond(placed("right") ?? 0) || isBeyond(placed("bottom") ?? 0);
}

/**
 * A length in pixels; null for a percentage, because a percentage of the element's own size says nothing about its
 * position.
 */
function pixelsUnlessPercent(value: string): number | null {
  return value.includes("%") ? null : pixelsOf(value, 16);
}

/** Whether an element is scaled or rotated so that it has no visible size. */
function isShrunk(read: Read): boolean {
  const [, scale] = /scale(?:3d|x|y)?\(\s*([\d.]+)/.exec(read("transform")) ?? [];
  const isTurned = /rotate[xy]\(\s*(?:-?90deg|-?270deg)/.test(read("transform"));
  const isTiny = (value: string | undefined) =>
    value !== undefined && value !== "" && Number(value.split(/[\s,]/)[0]) <= 0.1;
  return (
    isTurned ||
    isTiny(scale) ||
    isTiny(read("scale")) ||
    isTiny(read("zoom").replace(/^\s*([\d.]+)%$/, (_, share) => String(Number(share) / 100)))
  );
}

function clipOf(
  look: TextLook,
  inherited: TextLook["clip"],
  tag: string,
  read: Read,
  pixels: Pixels,
): TextLook["clip"] {
  const isFree = /^(?:absolute|fixed)$/.test(read("position"));
  const isPlaced = isFree || /^(?:relative|sticky)$/.test(read("position"));
  const clip = inherited === "LOOSE" ? (isFree ? "NONE" : isPlaced ? "TIGHT" : "LOOSE") : inherited;
  if (clip !== "NONE") return clip;
  if ((isFree && isEmptyRectangle(read("clip"))) || isEmptyPath(read("clip-path"))) return "TIGHT";
  return isEmptyBox(look, tag, read, pixels, isFree) ? (isPlaced ? "TIGHT" : "LOOSE") : "NONE";
}

function isEmptyRectangle(value: string): boolean {
  const [, inside] = /^rect\(([^()]*)\)$/.exec(value) ?? [];
  if (inside === undefined) return false;
  const [top = 0, right = 0, bottom = 0, left = 0] = inside
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((side) => pixelsOf(side, 16) ?? Number.NaN);
  return bottom - top <= LEAST_BOX || right - left <= LEAST_BOX;
}

function isEmptyPath(value: string): boolean {
  const [, shape = "", inside = ""] = /^(inset|circle|ellipse|polygon)\(([^()]*)\)/.exec(value) ?? [];
  if (shape === "") return false;
  const numbers = inside.split(/[\s,]+/).filter(Boolean);
  if (shape === "polygon") return new Set(inside.split(",").map((point) => point.trim())).size < 3;
  if (shape !== "inset") return /^0(?![.\d]*[1-9])/.test(inside.trim());
  const [top = "0", right = top, bottom = top, left = right] = numbers;
  const share = (side: string) => (side.endsWith("%") ? Number.parseFloat(side) : 0);
  return share(top) + share(bottom) >= 100 || share(left) + share(right) >= 100;
}

/** Whether a box hides its text completely because it has no area. Only boxes with a width or height can do so. */
function isEmptyBox({ lineHeight }: TextLook, tag: string, read: Read, pixels: Pixels, isFree: boolean): boolean {
  const display = read("display");
  const isBox =
    isFree ||
    /^(?:block|inline-block|flex|inline-flex|grid|inline-grid|flow-root|list-item)$/.test(display) ||
    read("float") !== "";
  if (CELLS.has(tag) ? !isBox : !isBox && (!BLOCKS.has(tag) || display === "inline")) return false;
  const cuts = (axis: string) =>
    /^(?:hidden|clip|scroll|auto)$/.test((read(`overflow-${axis}`) || read("overflow")).split(" ")[0] ?? "");
  const size = (side: "height" | "width") => {
    const [own, most, least] = [pixels(side), pixels(`max-${side}`), read(`min-${side}`)];
    if (least !== "" && pixelsOf(least, 16) !== 0) return null;
    return own === null || (most !== null && most < own) ? most : own;
  };
  const padding = (...sides: string[]) => sides.reduce((sum, side) => sum + (pixels(`padding-${side}`) ?? 0), 0);
  const isLow =
    (size("height") ?? (lineHeight !== null && pixels("height") === null ? lineHeight : Number.POSITIVE_INFINITY)) +
      padding("top", "bottom") <=
    LEAST_BOX;
  const isNarrow = (size("width") ?? Number.POSITIVE_INFINITY) + padding("left", "right") <= LEAST_BOX;
  return (isLow && cuts("y")) || (isNarrow && cuts("x"));
}

const MOST_CUSTOM = 200;
const MOST_STEPS = 5;

function customOf(inherited: Declarations, declared: Declarations): Declarations {
  const own = [...declared].filter(([property]) => property.startsWith("--"));
  return own.length === 0 ? inherited : new Map([...inherited, ...own].slice(-MOST_CUSTOM));
}

function resolveVariables(value: string, custom: Declarations): string {
  let text = value;
  for (let step = 0; step < MOST_STEPS && text.includes("var("); step++) {
    text = text.replace(
      /var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)/g,
      (_, name: string, instead?: string) => custom.get(name) ?? instead ?? "",
    );
    if (text.length > 1_000) return "";
  }
  return text.trim();
}

import culori from "culori/require";

/** A colour: red, green, blue and opacity, each from 0 to 1. */
export interface Colour {
  r: number;
  g: number;
  b: number;
  alpha: number;
}

export const WHITE: Colour = { r: 1, g: 1, b: 1, alpha: 1 };
export const BLACK: Colour = { r: 0, g: 0, b: 0, alpha: 1 };
export const LINK_BLUE: Colour = { r: 0, g: 0, b: 0.93, alpha: 1 };
const SYSTEM: Readonly<Record<string, Colour>> = {
  canvas: WHITE,
  canvastext: BLACK,
  window: WHITE,
  windowtext: BLACK,
  linktext: LINK_BLUE,
};

/**
 * The least contrast (WCAG 2.2) of readable text, and the least difference in a colour channel at which two colours
 * look different.
 */
const LEAST_CONTRAST = 1.2;
const LEAST_DIFFERENCE = 0.16;
const MAX_VALUE = 200;

/**
 * Reads a colour of CSS; null for anything else. Old HTML attributes have hexadecimal colours without the number sign.
 */
export function colourOf(value: string): Colour | null {
  const text = value.trim().slice(0, MAX_VALUE).toLowerCase();
  const systemColour = SYSTEM[text];
  if (systemColour !== undefined) return systemColour;
  const parsed = culori.parse(/^(?:[\da-f]{3}|[\da-f]{6})$/.test(text) ? `#${text}` : text);
  const rgb = parsed === undefined ? undefined : culori.converter("rgb")(parsed);
  if (rgb === undefined) return null;
  const within = (channel: number) => Math.min(1, Math.max(0, Number.isFinite(channel) ? channel : 0));
  return { r: within(rgb.r), g: within(rgb.g), b: within(rgb.b), alpha: rgb.alpha ?? 1 };
}

/** The visible colour if one colour is drawn over another. `opacity` is that of the surrounding elements. */
export function over(colour: Colour, below: Colour, opacity = 1): Colour {
  const alpha = Math.min(1, Math.max(0, colour.alpha * opacity));
  const mixed = (one: number, other: number) => one * alpha + other * (1 - alpha);
  return { r: mixed(colour.r, below.r), g: mixed(colour.g, below.g), b: mixed(colour.b, below.b), alpha: 1 };
}

/** Whether a text of one colour is indistinguishable from a background of the other. */
export function isAlike(one: Colour, other: Colour): boolean {
  const difference = Math.max(Math.abs(one.r - other.r), Math.abs(one.g - other.g), Math.abs(one.b - other.b));
  if (difference > LEAST_DIFFERENCE) return false;
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05) < LEAST_CONTRAST;
}

function luminanceOf({ r, g, b }: Colour): number {
  const [red = 0, green = 0, blue = 0] = [r, g, b].map((channel) =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

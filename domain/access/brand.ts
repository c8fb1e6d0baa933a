/** The name and colours of a workspace on pages under its own domains (rules/access 6.4). */

export interface Brand {
  name: string;
  /** The colour of buttons and links as `#rrggbb`; null means our default colour. */
  accent: string | null;
  /** The background of the page in light mode; null means our default. */
  background: string | null;
}

/** The colours of a page in light or in dark mode. */
export interface Palette {
  accent: string;
  /** The colour of the text on a button. */
  onAccent: string;
  link: string;
  background: string;
}

/** The contrast that every text of a page must have (WCAG 2.2, 1.4.3, level AA, for text of any size). */
export const LEAST_CONTRAST = 4.5;
export const COLOR = /^#[0-9a-f]{6}$/;

/** The backgrounds and text colours of our own pages. `api/public/page-style.ts` has the same values. */
const LIGHT = { card: "#ffffff", background: "#f5f5f2", texts: ["#1d1d1b", "#5c5c57"], accent: "#1d5bb8" } as const;
const DARK = { card: "#20201f", background: "#151514", link: "#8fb8fa" } as const;

/**
 * The name of the colour that makes a text unreadable; null if all texts are readable. Texts are on the card and on the
 * background, and links have the accent's colour.
 */
export function whyNotReadable({
  accent,
  background,
}: Pick<Brand, "accent" | "background">): "accent" | "background" | null {
  const ground = background ?? LIGHT.background;
  if (LIGHT.texts.some((text) => contrastOf(text, ground) < LEAST_CONTRAST)) return "background";
  const color = accent ?? LIGHT.accent;
  if (contrastOf(color, LIGHT.card) < LEAST_CONTRAST) return "accent";
  if (contrastOf(color, ground) < LEAST_CONTRAST) return accent === null ? "background" : "accent";
  return null;
}

export function lightPalette({ accent, background }: Pick<Brand, "accent" | "background">): Palette {
  const color = accent ?? LIGHT.accent;
  return { accent: color, onAccent: writingOn(color), link: color, background: background ?? LIGHT.background };
}

/**
 * The colours in dark mode. The backgrounds are our defaults. The link colour is the workspace's accent, or our default
 * if the accent is not readable.
 */
export function darkPalette({ accent }: Pick<Brand, "accent">): Palette {
  const color = accent ?? DARK.link;
  const isReadable = [DARK.card, DARK.background].every((ground) => contrastOf(color, ground) >= LEAST_CONTRAST);
  return {
    accent: color,
    onAccent: writingOn(color),
    link: isReadable ? color : DARK.link,
    background: DARK.background,
  };
}

/** White or black, whichever is easier to read. One of the two always has a contrast of more than 4.5. */
function writingOn(color: string): string {
  return contrastOf("#ffffff", color) >= contrastOf("#000000", color) ? "#ffffff" : "#000000";
}

/** The contrast ratio of two colours, 1 to 21 (WCAG 2.2). */
function contrastOf(one: string, other: string): number {
  const [a, b] = [luminanceOf(one), luminanceOf(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** The relative luminance of a colour in sRGB. */
function luminanceOf(color: string): number {
  const linear = (from: number) => {
    const share = Number.parseInt(color.slice(from, from + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(1) + 0.7152 * linear(3) + 0.0722 * linear(5);
}

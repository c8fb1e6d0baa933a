/**
 * The number of pixels in each unit. Units that depend on the window are computed for a window of 1,000 by 800 pixels.
 */
const UNITS: Readonly<Record<string, number>> = {
  px: 1,
  pt: 96 / 72,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  rem: 16,
  vw: 10,
  vh: 8,
  vmin: 8,
  vmax: 10,
};
const OF_FONT: Readonly<Record<string, number>> = { em: 1, ex: 0.5, ch: 0.5, ic: 1, lh: 1.2 };

/**
 * A length of CSS in pixels; null for a keyword, and for a length that cannot be computed. `whole` is the size that a
 * percentage refers to, 1,000 pixels by default. `calc()` is supported if it contains a single length.
 */
export function pixelsOf(value: string, fontSize: number, whole = 1_000): number | null {
  const text = value
    .trim()
    .replace(/^calc\(([^()]*)\)$/, "$1")
    .trim();
  const [, number = "", unit = ""] = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z%]*)$/.exec(text) ?? [];
  if (number === "") return null;
  const length = Number(number);
  if (unit === "") return length === 0 ? 0 : null;
  if (unit === "%") return (length / 100) * whole;
  const factor = UNITS[unit] ?? (OF_FONT[unit] === undefined ? undefined : OF_FONT[unit] * fontSize);
  return factor === undefined ? null : length * factor;
}

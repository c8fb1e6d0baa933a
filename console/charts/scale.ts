const LINES = 4;

/** Round numbers from 0 to at least `most`, a handful of them. */
export function scaleOf(most: number): number[] {
  const rough = most / LINES;
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = [1, 2, 5, 10].map((factor) => factor * unit).find((size) => size >= rough) ?? unit;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
}

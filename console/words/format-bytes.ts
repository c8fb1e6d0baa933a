const LANGUAGE = "en";
const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
const STEP = 1_000;

/** The size of a file in the largest unit that fits, such as "12 kB". */
export function formatBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, bytes < STEP ? 0 : Math.floor(Math.log10(bytes) / 3));
  const format = {
    style: "unit",
    unit: UNITS[power] ?? "byte",
    unitDisplay: "short",
    maximumFractionDigits: 1,
  } as const;
  return new Intl.NumberFormat(LANGUAGE, format).format(bytes / STEP ** power);
}

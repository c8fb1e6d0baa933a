const DELIMITERS = [",", ";", "\t"] as const;
type Delimiter = (typeof DELIMITERS)[number];

/** The most characters, and the most records, of a file that are examined. */
export const SAMPLE = 65_536;
const MOST_RECORDS = 100;

/**
 * Finds the delimiter of a file from its first records: most records contain it as often as the header does. If several
 * delimiters fit, the one that occurs most often in the header wins. Text in quotes does not count. A file without a
 * delimiter gets a comma.
 */
export function delimiterOf(sample: string): Delimiter {
  const ranked = DELIMITERS.map((delimiter) => ({ delimiter, ...fitOf(countsOf(sample, delimiter)) }));
  const [best] = ranked
    .filter(({ inHeader }) => inHeader > 0)
    .sort((one, other) => other.fit - one.fit || other.inHeader - one.inHeader);
  return best?.delimiter ?? ",";
}

/**
 * `fit` is the share of records that contain the delimiter at most as often as the header does. Records may contain it
 * less often, because some programs leave out empty cells at the end.
 */
function fitOf([inHeader = 0, ...others]: readonly number[]): { inHeader: number; fit: number } {
  const fitting = others.filter((count) => count > 0 && count <= inHeader).length;
  const equal = others.filter((count) => count === inHeader).length;
  return { inHeader, fit: others.length === 0 ? 1 : (fitting + equal) / (2 * others.length) };
}

/**
 * How often each record contains the delimiter outside quotes. The end of the sample cuts off the last record, so that
 * record counts only if it is the only one.
 */
function countsOf(sample: string, delimiter: Delimiter): number[] {
  const counts: number[] = [];
  let count = 0;
  let isQuoted = false;
  let isStart = true;
  let isBlank = true;
  for (let at = 0; at < sample.length && counts.length < MOST_RECORDS; at++) {
    const char = sample[at];
    if (isQuoted) {
      if (char === '"') isQuoted = false;
      continue;
    }
    if (char === '"' && (isStart || sample[at - 1] === '"')) isQuoted = true;
    if (char === "\n" || char === "\r") {
      if (!isBlank) counts.push(count);
      [count, isStart, isBlank] = [0, true, true];
      continue;
    }
    if (char === delimiter) count++;
    isStart = char === delimiter;
    isBlank = false;
  }
  if (!isBlank && (counts.length === 0 || sample.length < SAMPLE)) counts.push(count);
  return counts;
}

/**
 * Reads a first line such as `sep=;`, in which spreadsheets name the delimiter. Returns the delimiter and the length of
 * the line; null without such a line.
 */
export function namedDelimiter(sample: string): { delimiter: string; length: number } | null {
  const [line, delimiter] = /^"?sep=([,;\t])"?(?:\r\n|\n|\r)/i.exec(sample) ?? [];
  return line === undefined || delimiter === undefined ? null : { delimiter, length: line.length };
}

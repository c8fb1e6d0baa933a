const DELIMITERS = [",", ";", "\t"] as const;
type Delimiter = (typeof DELIMITERS)[number];

/** How much of a file is examined, in characters and in records. */
export const SAMPLE = 65_536;
const MOST_RECORDS = 100;

/**
 * The delimiter of a file, judged by its first records: the one that most records have as often as the header does.
 * Among several, it is the one that the header has most often. Text in quotes does not count. A comma where there is no
 * delimiter.
 */
export function delimiterOf(sample: string): Delimiter {
  const ranked = DELIMITERS.map((delimiter) => ({ delimiter, ...fitOf(countsOf(sample, delimiter)) }));
  const [best] = ranked
    .filter(({ inHeader }) => inHeader > 0)
    .sort((one, other) => other.fit - one.fit || other.inHeader - one.inHeader);
  return best?.delimiter ?? ",";
}

/**
 * `fit`: the share of records that have the delimiter as often as the header does, or less often because their last
 * cells are missing.
 */
function fitOf([inHeader = 0, ...others]: readonly number[]): { inHeader: number; fit: number } {
  const fitting = others.filter((count) => count > 0 && count <= inHeader).length;
  const equal = others.filter((count) => count === inHeader).length;
  return { inHeader, fit: others.length === 0 ? 1 : (fitting + equal) / (2 * others.length) };
}

/**
 * How often each record has the delimiter outside of quotes. The last record is cut off where the sample ends, so it
 * counts only if it is the only one.
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
 * The first line with which spreadsheets name the delimiter, such as `sep=;`: the delimiter and the length of the line;
 * null without one.
 */
export function namedDelimiter(sample: string): { delimiter: string; length: number } | null {
  const [line, delimiter] = /^"?sep=([,;\t])"?(?:\r\n|\n|\r)/i.exec(sample) ?? [];
  return line === undefined || delimiter === undefined ? null : { delimiter, length: line.length };
}

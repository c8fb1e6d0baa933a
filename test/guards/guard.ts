/** A check of the product, and the test file that must fail when it is taken out. */
export interface Guard {
  /** The promise that it keeps, in one sentence. */
  guard: string;
  /** The file in which it stands, from the top of the project. */
  file: string;
  /** The text that is replaced; it stands exactly once in the file. */
  text: string;
  /** The text that stands there instead: the same code without the check. */
  instead: string;
  /** The test file that must fail. */
  test: string;
  /** A pattern of test names, for a test file that would take minutes as a whole. */
  only?: string;
}

/**
 * The file's text without the guard; null unless the guard stands in it exactly once. How the formatter breaks the
 * lines makes no difference.
 */
export function without({ text, instead }: Guard, source: string): string | null {
  const parts = source.split(text);
  if (parts.length === 2) return parts.join(instead);
  const [sought, inside] = [squeezed(text), squeezed(source)];
  const first = inside.text.indexOf(sought.text);
  if (sought.text === "" || first < 0 || inside.text.indexOf(sought.text, first + 1) >= 0) return null;
  const [start, end] = [inside.places[first] ?? 0, inside.places[first + sought.text.length - 1] ?? 0];
  return source.slice(0, start) + instead + source.slice(end + 1);
}

/**
 * A text without what the formatter decides: white space, and the comma behind the last of several. With the place of
 * each character.
 */
function squeezed(source: string): { text: string; places: number[] } {
  const lastCommas = new Set([...source.matchAll(/,(?=\s*[)\]}])/g)].map(({ index }) => index));
  const places = [...source.matchAll(/\S/g)].map(({ index }) => index).filter((at) => !lastCommas.has(at));
  return { text: places.map((at) => source[at]).join(""), places };
}

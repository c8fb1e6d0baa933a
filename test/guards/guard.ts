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

/** The file's text without the guard; null unless the guard stands in it exactly once. */
export function without({ text, instead }: Guard, source: string): string | null {
  const parts = source.split(text);
  return parts.length === 2 ? parts.join(instead) : null;
}

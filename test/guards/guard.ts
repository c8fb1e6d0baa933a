/** A check of the product, and the test file that must fail when it is taken out. */
export interface Guard {
  /** The promise it keeps, in one sentence: what would go wrong without it. */
  guard: string;
  /** Where it stands, from the top of the project. */
  file: string;
  /** What is replaced; it stands exactly once in the file. */
  text: string;
  /** What stands there instead: the same code without the check. */
  instead: string;
  /** The test file that must fail. */
  test: string;
  /** A pattern of test names, where the whole file would take minutes. */
  only?: string;
}

/** The file's text without the guard; null where the guard does not stand in it exactly once. */
export function without({ text, instead }: Guard, source: string): string | null {
  const parts = source.split(text);
  return parts.length === 2 ? parts.join(instead) : null;
}

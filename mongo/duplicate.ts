/** The error code for a document whose unique key already exists. */
export const DUPLICATE_KEY = 11_000;

/** Whether the error says that another writer of the same unique key committed first. */
export function isDuplicateKey(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === DUPLICATE_KEY;
}

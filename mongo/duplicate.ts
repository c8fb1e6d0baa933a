/** The error code with which the database refuses a document whose unique key already exists. */
export const DUPLICATE_KEY = 11_000;

/** Whether another writer of the same key committed first. */
export function isDuplicateKey(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === DUPLICATE_KEY;
}

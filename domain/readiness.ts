/**
 * Parts of a deployment that may be missing. Without them, the service answers no requests or does not do work that it
 * has accepted.
 */
export const MISSING_CODES = [
  "MONGODB_UNREACHABLE",
  "MONGODB_NOT_REPLICA_SET",
  "DATABASE_IN_PREPARATION",
  "ENGINE_UNREACHABLE",
  "NAMESPACE_MISSING",
  "SEARCH_ATTRIBUTES_MISSING",
  "NO_WORKER",
] as const;
type MissingCode = (typeof MISSING_CODES)[number];

export interface Missing {
  code: MissingCode;
  /**
   * The name of what is missing, and how to fix that. The message contains no address and no secret, because anyone may
   * read it.
   */
  message: string;
}

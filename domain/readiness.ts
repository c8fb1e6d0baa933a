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

/** How a check of a deployment can end. */
export const SETUP_STATUSES = ["OK", "WARN", "FAIL", "SKIPPED"] as const;

/** The result of one check of a deployment. It contains no secret and no text of a library. */
export interface SetupFinding {
  check: string;
  status: (typeof SETUP_STATUSES)[number];
  found: string;
  /** What the operator should do; null when nothing is to be done. */
  advice: string | null;
}

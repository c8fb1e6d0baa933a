/** What may be missing of an installation, so that it serves nothing or that accepted work is not done. */
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
  /** What is missing, by name, and what helps. It names no address and no secret, because anybody may read it. */
  message: string;
}

/** What may be missing in a deployment, so that it serves nothing or does not do accepted work. */
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
  /** What is missing, by name, and how to fix it. It names no address and no secret, because anyone may read it. */
  message: string;
}

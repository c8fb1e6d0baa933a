import type { ListedSubject } from "./block-lists.ts";
import type { Finding } from "./finding.ts";

/** A domain that sends, with the facts that its mailboxes give about it. */
export interface SendingDomain {
  domain: string;
  /** The registrable domain by the public suffix list. */
  organisation: string;
  /** Submission servers of its mailboxes, as host names in lower case. */
  servers: string[];
  /** Selectors seen in signatures of its own email. */
  selectors: string[];
  /** Its mailboxes that are not disconnected; empty for a domain that is only watched. */
  mailboxIds: string[];
  /** Whether each of them submits its email by TLS. */
  usesTls: boolean;
}

/** What a complete check of a domain found. */
export interface DomainReport {
  findings: Finding[];
  listings: ListedSubject[];
  /** Whether its email can pass DMARC; null when that could not be queried. */
  isAligned: boolean | null;
}

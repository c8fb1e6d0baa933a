import type { ListedSubject } from "./block-lists.ts";
import type { Finding } from "./finding.ts";

/** A domain that sends email, with what is known about it from its mailboxes. */
export interface SendingDomain {
  domain: string;
  /** The registrable domain by the public suffix list. */
  organisation: string;
  /** The submission servers of the domain's mailboxes, as host names in lower case. */
  servers: string[];
  /** The DKIM selectors in signatures of the domain's own email. */
  selectors: string[];
  /** The mailboxes of the domain that are not disconnected; empty for a domain that is only monitored. */
  mailboxIds: string[];
  /** Whether each of them submits its email by TLS. */
  usesTls: boolean;
}

/** The results of a complete check of a domain. */
export interface DomainReport {
  findings: Finding[];
  listings: ListedSubject[];
  /** Whether email of the domain can pass DMARC; null if the records could not be queried. */
  isAligned: boolean | null;
}

import type { IncomingMessage } from "node:http";
import type { CrmProviderName, CrmProviders } from "../../domain/crm/provider.ts";

/** A person as the CRM has it. */
export interface CrmPerson {
  id: number;
  email: string | null;
  first?: string;
  last?: string;
  company?: string;
  isOptedOut?: boolean;
  /** Further fields, by the vendor's own names. */
  more?: Record<string, unknown>;
}

/** What was asked, as it came. */
export interface AskedOfCrm {
  vendor: CrmProviderName;
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
  headers: IncomingMessage["headers"];
}

export interface CrmAnswer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}
/**
 * How a request fails: an answer in the place of the real one, none at all, a broken connection, or half of the real
 * answer.
 */
export type CrmFault = CrmAnswer | "hang" | "reset" | "half";

/** HubSpot, Salesforce and Pipedrive on loopback, as far as their official clients read them. */
export interface FakeCrm {
  url: string;
  /** What the configuration says of it, each vendor with an OAuth client. */
  providers: CrmProviders;
  /** The people of each segment, by its id as an import takes it. A segment that is not here is not there. */
  segments: Map<string, CrmPerson[]>;
  names: Map<string, string>;
  asked: AskedOfCrm[];
  /** Grants that were asked for, with the fields that came; the client's name among them where it came by Basic. */
  grants: Record<string, string>[];
  settings: {
    lifeSeconds: number;
    /** Whether a refresh brings another refresh token and ends the one before. */
    rotates: boolean;
    /** Most people of a page, whatever is asked for. */
    pageSize: number;
    /** Milliseconds before each answer. */
    delayMs: number;
    /** Fields that the account hides or does not have. */
    hidden: string[];
    /** Asked before each request; null: no fault. */
    fault: (asked: AskedOfCrm) => CrmFault | null;
    grantFault: (fields: Record<string, string>) => CrmFault | null;
  };
  /** What was written: activities, and addresses or records that are not to be written to. */
  written: { vendor: CrmProviderName; what: string; record: string; body: unknown }[];
  /** A token that a person could give. */
  apiToken(vendor: CrmProviderName): string;
  /** What a user's consent sends the browser back to. */
  consent(authUrl: string): URL;
  /** Ends all access tokens, or everything that was ever given out. */
  expire(): void;
  revoke(): void;
  /** Every token and secret that was given out. */
  secrets: string[];
  close(): Promise<void>;
}

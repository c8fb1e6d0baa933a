import type { RecordToPublish } from "./finding.ts";

/** The DNS records that customers of a mail host publish, by the host's documentation. */
interface MailHost {
  name: string;
  /** Suffixes of the names of the host's submission servers. */
  servers: readonly string[];
  /** The domain whose SPF record lists its addresses. */
  spf: string;
  /** The host's MX for a customer's domain; null if each customer gets a different one. */
  mx: ((domain: string) => string) | null;
  /** The DKIM selectors under which customers publish the key that the host gives them. */
  selectors: readonly string[];
}

const HOSTS: readonly MailHost[] = [
  {
    name: "Google",
    servers: ["gmail.com", "googlemail.com", "google.com"],
    spf: "_spf.google.com",
    mx: () => "1 smtp.google.com",
    selectors: ["google"],
  },
  {
    name: "Microsoft 365",
    servers: ["office365.com", "outlook.com", "office.com"],
    spf: "spf.protection.outlook.com",
    mx: (domain) => `0 ${domain.replaceAll("-", "--").replaceAll(".", "-")}.mail.protection.outlook.com`,
    selectors: ["selector1", "selector2"],
  },
  {
    name: "Zoho",
    servers: ["zoho.com", "zoho.eu", "zoho.in"],
    spf: "zohomail.com",
    mx: () => "10 mx.zoho.com",
    selectors: ["zmail"],
  },
  {
    name: "Fastmail",
    servers: ["fastmail.com", "messagingengine.com"],
    spf: "spf.messagingengine.com",
    mx: () => "10 in1-smtp.messagingengine.com",
    selectors: ["fm1", "fm2", "fm3"],
  },
  { name: "Amazon SES", servers: ["amazonaws.com"], spf: "amazonses.com", mx: null, selectors: [] },
  { name: "SendGrid", servers: ["sendgrid.net"], spf: "sendgrid.net", mx: null, selectors: ["s1", "s2"] },
  { name: "Mailgun", servers: ["mailgun.org"], spf: "mailgun.org", mx: null, selectors: [] },
];

/**
 * The mail host that a submission server belongs to; null for a server that belongs to none. `server` is a host name in
 * lower case.
 */
export function mailHostOf(server: string): MailHost | null {
  return HOSTS.find(({ servers }) => servers.some((end) => server === end || server.endsWith(`.${end}`))) ?? null;
}

/**
 * The SPF term that lets a submission server send: the include of its mail host, else the addresses of the server
 * itself.
 */
export function spfTermOf(server: string): string {
  const host = mailHostOf(server);
  return host === null ? `a:${server}` : `include:${host.spf}`;
}

/** The MX records for a domain whose mailboxes are at these servers; empty if only the host knows them. */
export function mxFor(domain: string, servers: readonly string[]): RecordToPublish[] {
  const lines = new Set(servers.flatMap((server) => mailHostOf(server)?.mx?.(domain) ?? []));
  return [...lines].map((value) => ({ type: "MX", name: domain, value }));
}

/** The DKIM selectors under which keys are usually published for email from these servers. */
export function selectorsFor(servers: readonly string[]): string[] {
  return [...new Set(servers.flatMap((server) => mailHostOf(server)?.selectors ?? []))];
}

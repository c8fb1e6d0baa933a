/** The probable servers of a mailbox, from its provider's documentation or from common host names. */
export interface UsualServers {
  smtpHost: string;
  smtpPort: number;
  imapHost: string;
  imapPort: number;
  /**
   * Whether the provider is known to refuse the account's ordinary password: the provider accepts only a password that
   * the user created for one program.
   */
  wantsAppPassword: boolean;
}

const [SMTPS, SUBMISSION, IMAPS] = [465, 587, 993];

const KNOWN: readonly {
  domains: readonly string[];
  smtp: readonly [host: string, port: number];
  imap: string;
  wantsAppPassword: boolean;
}[] = [
  {
    domains: ["gmail.com", "googlemail.com"],
    smtp: ["smtp.gmail.com", SMTPS],
    imap: "imap.gmail.com",
    wantsAppPassword: true,
  },
  {
    domains: ["outlook.com", "hotmail.com", "live.com", "msn.com"],
    smtp: ["smtp-mail.outlook.com", SUBMISSION],
    imap: "outlook.office365.com",
    wantsAppPassword: true,
  },
  {
    domains: ["yahoo.com", "ymail.com"],
    smtp: ["smtp.mail.yahoo.com", SMTPS],
    imap: "imap.mail.yahoo.com",
    wantsAppPassword: true,
  },
  { domains: ["aol.com"], smtp: ["smtp.aol.com", SMTPS], imap: "imap.aol.com", wantsAppPassword: true },
  {
    domains: ["icloud.com", "me.com", "mac.com"],
    smtp: ["smtp.mail.me.com", SUBMISSION],
    imap: "imap.mail.me.com",
    wantsAppPassword: true,
  },
  {
    domains: ["fastmail.com", "fastmail.fm"],
    smtp: ["smtp.fastmail.com", SMTPS],
    imap: "imap.fastmail.com",
    wantsAppPassword: true,
  },
  {
    domains: ["zoho.com", "zohomail.com"],
    smtp: ["smtp.zoho.com", SMTPS],
    imap: "imap.zoho.com",
    wantsAppPassword: false,
  },
  {
    domains: ["gmx.de", "gmx.net", "gmx.at", "gmx.ch"],
    smtp: ["mail.gmx.net", SMTPS],
    imap: "imap.gmx.net",
    wantsAppPassword: false,
  },
  { domains: ["gmx.com", "mail.com"], smtp: ["mail.gmx.com", SMTPS], imap: "imap.gmx.com", wantsAppPassword: false },
  { domains: ["web.de"], smtp: ["smtp.web.de", SMTPS], imap: "imap.web.de", wantsAppPassword: false },
];

/**
 * The servers that probably host the mailbox of an address; null if the text is not an address. The user who connects
 * it can correct them.
 */
export function usualServersOf(address: string): UsualServers | null {
  const [, domain = ""] = /@([^@\s]+\.[^@\s.]+)$/.exec(address.trim().toLowerCase()) ?? [];
  if (domain === "") return null;
  const provider = KNOWN.find(({ domains }) => domains.includes(domain));
  if (provider === undefined) {
    return {
      smtpHost: `smtp.${domain}`,
      smtpPort: SMTPS,
      imapHost: `imap.${domain}`,
      imapPort: IMAPS,
      wantsAppPassword: false,
    };
  }
  const { smtp, imap, wantsAppPassword } = provider;
  return { smtpHost: smtp[0], smtpPort: smtp[1], imapHost: imap, imapPort: IMAPS, wantsAppPassword };
}

/**
 * What Google and Microsoft publish about their sign-in and mail servers, by the names of the settings that these
 * values fill. A client id and its secret are all that an operator adds; a setting of the same name replaces a value.
 */
export const PROVIDER_PRESETS = {
  A: {
    vendor: "GOOGLE",
    settings: () => ({
      NAME: "Google",
      LOGO: imageOf(
        `<path fill="#4285F4" d="M23.5 12.27c0-.85-.08-1.67-.22-2.45H12v4.64h6.45a5.52 5.52 0 0 1-2.39 3.62v3h3.87c2.26-2.08 3.57-5.15 3.57-8.81z"/><path fill="#34A853" d="M12 24c3.24 0 5.95-1.07 7.93-2.91l-3.87-3a7.2 7.2 0 0 1-10.73-3.78H1.33v3.1A12 12 0 0 0 12 24z"/><path fill="#FBBC05" d="M5.33 14.31a7.2 7.2 0 0 1 0-4.62V6.6H1.33a12 12 0 0 0 0 10.8z"/><path fill="#EA4335" d="M12 4.77c1.76 0 3.34.6 4.58 1.8l3.43-3.44A12 12 0 0 0 1.33 6.6l4 3.1A7.15 7.15 0 0 1 12 4.76z"/>`,
      ),
      AUTH_URL: "https://accounts.google.com/o/oauth2/v2/auth",
      TOKEN_URL: "https://oauth2.googleapis.com/token",
      USERINFO_URL: "https://openidconnect.googleapis.com/v1/userinfo",
      REVOCATION_URL: "https://oauth2.googleapis.com/revoke",
      SMTP: "smtp.gmail.com:465",
      IMAP: "imap.gmail.com:993",
      MX: "google.com,googlemail.com",
    }),
  },
  B: {
    vendor: "MICROSOFT",
    /** A token for Microsoft's mail servers does not open its userinfo URL, so the address comes from the ID token. */
    settings: (tenant: string) => ({
      NAME: "Microsoft",
      LOGO: imageOf(
        `<path fill="#F25022" d="M0 0h11.4v11.4H0z"/><path fill="#7FBA00" d="M12.6 0H24v11.4H12.6z"/><path fill="#00A4EF" d="M0 12.6h11.4V24H0z"/><path fill="#FFB900" d="M12.6 12.6H24V24H12.6z"/>`,
      ),
      AUTH_URL: `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/authorize`,
      TOKEN_URL: `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/token`,
      SMTP: "smtp.office365.com:587",
      IMAP: "outlook.office365.com:993",
      MX: "protection.outlook.com,mx.microsoft",
    }),
  },
} as const;

/**
 * Where both APIs are and what they need, by transport (providers 2). Gmail's one scope reads, drafts, sends and labels;
 * the address of the account comes from the OpenID scopes.
 */
export const API_PRESETS: Readonly<Partial<Record<string, { url: string; scope: string }>>> = {
  GMAIL_API: {
    url: "https://gmail.googleapis.com",
    scope: "openid email https://www.googleapis.com/auth/gmail.modify",
  },
  GRAPH: {
    url: "https://graph.microsoft.com/v1.0",
    scope:
      "openid email profile offline_access https://graph.microsoft.com/Mail.Send https://graph.microsoft.com/Mail.ReadWrite",
  },
};

/** The scope with the permissions for mailboxes that other people share, which are asked for only then. */
export function withSharedAccess(scope: string): string {
  const shared = scope.split(" ").filter((each) => /\/Mail\.(?:Send|ReadWrite)$/i.test(each));
  return [scope, ...shared.map((each) => `${each}.Shared`)].join(" ");
}

function imageOf(paths: string): string {
  const image = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${paths}</svg>`;
  return `data:image/svg+xml;base64,${btoa(image)}`;
}

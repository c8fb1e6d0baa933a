import { X509Certificate } from "node:crypto";
import { accessSync, constants, readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { CONDUCT_THRESHOLDS, type ConductLimits, SLOWED_EMAILS } from "./domain/access/conduct.ts";
import { readGoogleCredentials } from "./domain/access/google-credentials.ts";
import { NEWCOMER_LIMITS, type NewcomerLimits } from "./domain/access/newcomer.ts";
import { keyRing } from "./domain/access/seal.ts";
import { SIGN_UP_LIMITS, type SignUpLimits } from "./domain/access/sign-up.ts";
import type { CalendarProviders } from "./domain/agent/calendar-provider.ts";
import type { AgentAccess } from "./domain/agent/model-access.ts";
import { type BillingSettings, NO_PLANS, readPlans, type StripeAccess } from "./domain/billing/plans.ts";
import type { CrmAccess, CrmProviders } from "./domain/crm/provider.ts";
import { readBlockLists } from "./domain/deliverability/block-lists.ts";
import type { PostmasterAccess } from "./domain/deliverability/postmaster.ts";
import type { LeadSearchAccess } from "./domain/lead-search/source.ts";
import { isAddress } from "./domain/mail/message.ts";
import {
  DELEGATED_SCOPES,
  type Delegation,
  MANY_TENANTS,
  type MailProvider,
  type MailProviders,
  type OAuthClient,
  PROVIDER_NAMES,
} from "./domain/mailboxes/provider.ts";
import { API_PRESETS, PROVIDER_PRESETS } from "./domain/mailboxes/provider-presets.ts";
import { type MailServer, mailServer } from "./domain/mailboxes/server.ts";
import { type SystemSmtp, systemSmtpOf } from "./domain/mailboxes/system-smtp.ts";
import {
  type GmailNotices,
  type GraphNotices,
  type MailApi,
  TRANSPORTS,
  type Transport,
} from "./domain/mailboxes/transport.ts";
import { GMAIL_UNITS } from "./domain/sending/api-quota.ts";
import { readNetworks } from "./domain/tracking/networks.ts";
import { QUEUES } from "./domain/workflow-contract.ts";

export type Env = Record<string, string | undefined>;

/** A variable has a wrong value. The message names the variable and says what to do. */
export class ConfigError extends Error {}

const text = z.string().nullable().default(null);
const port = (value: number) => z.coerce.number().int().min(0).max(65_535).default(value);
const url = z.string().regex(/^https?:\/\/[^\s/?#]+[^\s?#]*$/, "must be an http or https address without a query");
const atMost = (most: number, value: number) => z.coerce.number().int().min(0).max(most).default(value);
const atLeastOne = (most: number, value: number) => z.coerce.number().int().min(1).max(most).default(value);
/** Two shares, the lower one first, such as 0.05,0.1. */
const shares = ({ slow, hold }: { slow: number; hold: number }) =>
  z
    .string()
    .default(`${slow},${hold}`)
    .transform((value, ctx) => {
      const [one = Number.NaN, other = Number.NaN, ...more] = value.split(",").map(Number);
      if (more.length === 0 && one > 0 && one <= other && other <= 1) return { slow: one, hold: other };
      ctx.addIssue("must be two shares above 0 and up to 1, the lower one first, such as 0.05,0.1");
      return z.NEVER;
    });
const secret = z
  .string()
  .refine((value) => isSecret(value), "must be 32 random bytes in base64: `openssl rand -base64 32` makes one");
const server = z
  .string()
  .regex(/^[^\s:]+:\d+$/, "must be host:port")
  .nullable()
  .default(null);
const list = z.string().transform((value) =>
  value
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean),
);

const flag = z
  .enum(["0", "1"])
  .default("0")
  .transform((value) => value === "1");

/** The path of a file that this process can read. */
const filePath = text.refine((path) => path === null || isReadable(path), "names a file that cannot be read");

const LOCAL_NETWORKS = ["127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"];
/** The address of Google's spreadsheet server. */
export const SHEETS = "https://docs.google.com";
export const POSTMASTER = "https://gmailpostmastertools.googleapis.com";
export const PUBSUB = "https://pubsub.googleapis.com";
const HUBSPOT = "https://api.hubapi.com";
/** The address of a server, without a slash at its end. */
const base = (usual: string) => url.default(usual).transform((value) => value.replace(/\/+$/, ""));
/** A process whose configuration names `webhook` and predates `feed` works on both. */
const queues = list
  .pipe(z.array(z.enum(QUEUES)).min(1))
  .transform((named) =>
    QUEUES.filter((queue) => named.includes(queue) || (queue === "feed" && named.includes("webhook"))),
  );

/** Networks from a list, one per line. */
const networks = z
  .string()
  .default("")
  .transform((value, { addIssue }) => {
    try {
      return readNetworks(value);
    } catch (err) {
      addIssue(err instanceof Error ? err.message : "is no list of networks");
      return z.NEVER;
    }
  });

/** DNS block lists, comma-separated. */
const blockLists = list
  .transform((names, { addIssue }) => {
    try {
      return readBlockLists(names);
    } catch (err) {
      addIssue(err instanceof Error ? err.message : "is no list of zones");
      return z.NEVER;
    }
  })
  .default([]);

/** Google's own JSON of credentials, or a path to a file of it. */
const googleCredentials = z
  .string()
  .transform((value, { addIssue }) => {
    try {
      return readGoogleCredentials(value.trimStart().startsWith("{") ? value : readFileSync(value, "utf8"));
    } catch (err) {
      // The system's message would repeat the value, which may be a secret in the wrong place
      const isOfSystem = err instanceof Error && "code" in err;
      addIssue(
        isOfSystem
          ? `names a file that cannot be read (${err.code})`
          : err instanceof Error
            ? err.message
            : "is no credentials",
      );
      return z.NEVER;
    }
  })
  .nullable()
  .default(null);

/** The full name of a topic or subscription of Google Pub/Sub. */
const pubsubName = (kind: "topics" | "subscriptions") =>
  z
    .string()
    .regex(/^projects\/[^\s/?#]+\/(topics|subscriptions)\/[^\s/?#:]+$/, `must be projects/<project>/${kind}/<name>`)
    .refine((name) => name.split("/")[2] === kind, `must be projects/<project>/${kind}/<name>`)
    .nullable()
    .default(null);

/** What is sold, as JSON. */
const billingPlans = z
  .string()
  .transform((value, { addIssue }) => {
    try {
      return readPlans(value);
    } catch (err) {
      addIssue(err instanceof Error ? err.message : "is no list of plans");
      return z.NEVER;
    }
  })
  .nullable()
  .default(null);
const price = z.coerce.number().min(0).max(100_000).nullable().default(null);

const hostEnds = list.pipe(z.array(z.hostname("must be host names").toLowerCase())).default([]);

/** A displayed name: one line, without characters that change the writing direction. */
const shownName = (usual: string) =>
  z
    .string()
    .trim()
    .regex(/^[^\p{Cc}\p{Cf}\u2028\u2029]{1,40}$/u, "must be one line of 1 to 40 characters")
    .default(usual);
/** The image is in the setting itself, because pages load nothing from other servers. */
const logo = z
  .string()
  .max(32_768, "must have at most 32,768 characters")
  .regex(
    /^data:image\/(?:png|jpeg|webp|svg\+xml);base64,[A-Za-z0-9+/]+={0,2}$/,
    "must be a PNG, JPEG, WebP or SVG image as a base64 data: URL",
  )
  .nullable()
  .default(null);

const day = z.iso
  .date("must be a date such as 2027-01-31")
  .transform((text) => new Date(`${text}T00:00:00Z`))
  .nullable()
  .default(null);
const EXPIRES =
  "The day on which that secret expires, such as 2027-01-31; operators are warned on the System page from 30 days before";

const provider = <X extends "A" | "B">(x: X, name: string, scope: string, exchange: string) =>
  ({
    [`PROVIDER${x}_NAME`]: shownName(PROVIDER_NAMES[x]).describe(
      `Displayed name of mail provider ${x}, such as ${name}`,
    ),
    [`PROVIDER${x}_LOGO`]: logo.describe("Its logo beside that name, as a data: URL of at most 32,768 characters"),
    [`PROVIDER${x}_CLIENT_ID`]: text.describe(`OAuth client of mail provider ${x}`),
    [`PROVIDER${x}_CLIENT_SECRET`]: text.describe("Its secret"),
    [`PROVIDER${x}_CLIENT_SECRET_EXPIRES`]: day.describe(EXPIRES),
    [`PROVIDER${x}_AUTH_URL`]: url.nullable().default(null).describe("Where its users consent"),
    [`PROVIDER${x}_TOKEN_URL`]: url.nullable().default(null).describe("Where it issues tokens"),
    [`PROVIDER${x}_USERINFO_URL`]: url
      .nullable()
      .default(null)
      .describe("Where it returns the address of a mailbox; without it the address is read from its ID token"),
    [`PROVIDER${x}_REVOCATION_URL`]: url
      .nullable()
      .default(null)
      .describe("Where it revokes tokens when a mailbox is disconnected"),
    [`PROVIDER${x}_SCOPE`]: z.string().min(1).default(scope).describe("What its users are asked to allow"),
    [`PROVIDER${x}_TRANSPORT`]: z
      .enum(TRANSPORTS)
      .default("SMTP_IMAP")
      .describe(
        "How mailboxes send and read that connect by consent: SMTP_IMAP, or the provider's own API, GMAIL_API or GRAPH",
      ),
    [`PROVIDER${x}_API_URL`]: url.nullable().default(null).describe("Where that API is; known for both APIs"),
    [`PROVIDER${x}_SMTP`]: server.describe("Its SMTP server, host:port"),
    [`PROVIDER${x}_IMAP`]: server.describe("Its IMAP server, host:port"),
    [`PROVIDER${x}_MX`]: hostEnds.describe(
      `Ends of the MX host names of leads at this provider, comma-separated, such as ${exchange}`,
    ),
  }) as Record<`PROVIDER${X}_${"CLIENT_ID" | "CLIENT_SECRET"}`, typeof text> & // computed keys are typed as plain strings
    Record<`PROVIDER${X}_CLIENT_SECRET_EXPIRES`, typeof day> &
    Record<
      `PROVIDER${X}_${"AUTH_URL" | "TOKEN_URL" | "USERINFO_URL" | "REVOCATION_URL" | "API_URL"}`,
      z.ZodDefault<z.ZodNullable<typeof url>>
    > &
    Record<`PROVIDER${X}_TRANSPORT`, z.ZodDefault<z.ZodEnum<{ [K in Transport]: K }>>> &
    Record<`PROVIDER${X}_NAME`, ReturnType<typeof shownName>> &
    Record<`PROVIDER${X}_LOGO`, typeof logo> &
    Record<`PROVIDER${X}_SCOPE`, z.ZodDefault<z.ZodString>> &
    Record<`PROVIDER${X}_${"SMTP" | "IMAP"}`, typeof server> &
    Record<`PROVIDER${X}_MX`, typeof hostEnds>;

/** Every setting of the service, by the name of its environment variable. */
export const settings = z.object({
  HOST: z
    .string()
    .nullable()
    .default(null)
    .describe("Address that the API listens on; 127.0.0.1 when unset and MongoDB is embedded, else all interfaces"),
  PORT: port(3000).describe("Port of the API, tool server, tracking and console"),
  DATA_DIR: z.string().default(".data").describe("Folder of the embedded servers' data"),
  PUBLIC_URL: url.optional().describe("Public address of the service; http://localhost:<PORT> when unset"),
  TRUST_PROXY: z
    .string()
    .default("")
    .refine(
      (value) => proxiesOf(value) !== null,
      "must be the number of proxies in front of the service, or their addresses such as 10.0.0.0/8",
    )
    .transform((value) => proxiesOf(value) ?? false)
    .describe(
      "Trusted proxies, whose X-Forwarded-For names the client: how many, or their addresses or networks, comma-separated; none when unset",
    ),
  PROXY_NETWORKS: list
    .default(LOCAL_NETWORKS)
    .refine((places) => places.every(isPlace), "must be addresses or networks such as 10.0.0.0/8, comma-separated")
    .describe(
      "Addresses or networks of the proxy that asks at /internal/tls which names get a certificate, comma-separated",
    ),
  TRACK_URL: url
    .optional()
    .describe("What unsubscribe, tracking and conversion addresses start with; PUBLIC_URL when unset"),
  MONGODB_URI: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\//, "must start with mongodb:// or mongodb+srv://")
    .nullable()
    .default(null)
    .describe("MongoDB replica set; an embedded one when unset"),
  MONGOD_BIN: text.describe("The mongod program of the embedded server"),
  MONGOD_PORT: port(27018).describe("Port of the embedded MongoDB"),
  TEMPORAL_ADDRESS: server.describe("Temporal server; an embedded one when unset"),
  TEMPORAL_NAMESPACE: z.string().default("default").describe("Namespace of the workflows"),
  TEMPORAL_API_KEY: text.describe("API key of a hosted Temporal server, which also switches on TLS"),
  TEMPORAL_TLS: z
    .enum(["0", "1", "false", "true"])
    .nullable()
    .default(null)
    .describe(
      "1: the Temporal server is reached by TLS; 0: never; when unset, TLS is on with an API key, a certificate or a server name",
    ),
  TEMPORAL_TLS_CLIENT_CERT_PATH: filePath.describe(
    "File of the certificate by which this process logs in to Temporal; its key is required too",
  ),
  TEMPORAL_TLS_CLIENT_KEY_PATH: filePath.describe("File of the private key of that certificate"),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: filePath.describe(
    "File of the certificate authority of the Temporal server; the usual authorities when unset",
  ),
  TEMPORAL_TLS_SERVER_NAME: text.describe(
    "Host name in the certificate of the Temporal server; the host of TEMPORAL_ADDRESS when unset",
  ),
  TEMPORAL_BIN: text.describe("The temporal program of the embedded server"),
  TEMPORAL_TEST_SERVER: text.describe("The time-skipping server of the tests"),
  TEMPORAL_PORT: port(7233).describe("Port of the embedded Temporal server"),
  TEMPORAL_UI: flag.describe("1: the embedded Temporal server has web pages; needs Go to build that server"),
  TEMPORAL_UI_PORT: port(8233).describe("Port of those pages, on 127.0.0.1"),
  TEMPORAL_UI_WRITES: flag.describe("1: workflows can be changed on those pages; needs TEMPORAL_UI=1"),
  TEMPORAL_UI_URL: url
    .transform((value) => value.replace(/\/+$/, ""))
    .nullable()
    .default(null)
    .describe(
      "Where the operator reaches Temporal's web pages, for links in the console; those of TEMPORAL_UI when unset",
    ),
  METRICS_PORT: port(9464).describe("Port of the Prometheus metrics"),
  API_METRICS_PORT: port(9465).describe("Port of the Prometheus metrics of an API that runs without workers"),
  METRICS_HOST: z
    .string()
    .default("127.0.0.1")
    .describe(
      "Address that the metrics are served on; 0.0.0.0 lets another host scrape them, under the names of ALLOWED_HOSTS",
    ),
  ALLOWED_HOSTS: hostEnds.describe(
    "Further host names that the metrics and Temporal's pages answer to, comma-separated",
  ),
  WORKER_QUEUES: queues
    .default([...QUEUES])
    .describe("Task queues that this process works on, comma-separated; `webhook` includes `feed`"),
  WORKER_STOP_SECONDS: z.coerce
    .number()
    .int()
    .min(10)
    .max(600)
    .default(28)
    .describe(
      "Seconds within which a separate worker ends after SIGTERM; an email in flight may take all of them but eight, and a minute at most",
    ),
  SECRET_KEY: secret
    .nullable()
    .default(null)
    .describe("32 bytes in base64 that seal secrets; made in DATA_DIR when MongoDB is embedded"),
  SECRET_KEYS_RETIRED: list.pipe(z.array(secret)).default([]).describe("Earlier SECRET_KEYs, comma-separated"),
  EGRESS_ALLOW: z
    .string()
    .regex(/^(\s*[^\s,]+:(\d+|\*)\s*(,|$))*$/, "must be host:port pairs, comma-separated")
    .default("")
    .describe(
      "Hosts that users may name although they are private or not HTTPS: host:port, comma-separated, port * allowed",
    ),
  ALLOW_INSECURE_MAIL: flag.describe("1: mailboxes may use servers without TLS"),
  EXTRA_CA_FILE: text.describe("File of a certificate authority for mail servers and subscribers"),
  DNS_SERVERS: list
    .pipe(z.array(z.string().regex(/^[^\s]+:\d+$/, "must be host:port")))
    .default([])
    .describe("Resolvers for DNS checks, host:port, comma-separated"),
  DNSBL_ZONES: blockLists.describe(
    "DNS block lists that are checked for sending domains, comma-separated: zones of addresses such as bl.example.org, zones of domains such as domain:dbl.example.org; none when unset",
  ),
  RESTORED_FROM: z.iso
    .datetime({ offset: true })
    .transform((value) => new Date(value))
    .nullable()
    .default(null)
    .describe(
      "After a restore, the instant of the backup: all campaigns pause, and Sent folders show what was sent since then",
    ),
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"])
    .default("info")
    .describe("Least important lines that are logged"),
  OTEL_EXPORTER_OTLP_ENDPOINT: url
    .nullable()
    .default(null)
    .describe(
      "Collector that receives traces by OTLP over HTTP, in JSON, such as http://localhost:4318; no traces when unset",
    ),
  OTEL_SERVICE_NAME: z.string().min(1).default("outreach").describe("Name of the service in its traces"),
  SHEETS_URL: z
    .string()
    .regex(/^(off|https?:\/\/[^\s/?#]+[^\s?#]*)$/, "must be an http or https address without a query, or off")
    .default(SHEETS)
    .transform((value) => (value === "off" ? null : value.replace(/\/+$/, "")))
    .describe("Server of the spreadsheets that imports read; off: no spreadsheets"),
  RSPAMD_URL: url
    .transform((value) => value.replace(/\/+$/, ""))
    .nullable()
    .default(null)
    .describe(
      "Spam filter rspamd that rates emails in previews and validations, such as http://rspamd:11333; none when unset",
    ),
  POSTMASTER_CREDENTIALS: googleCredentials.describe(
    "Google's JSON of a service account or an authorized_user, or a path to a file with it, to read Postmaster Tools for sending domains daily; not read when unset",
  ),
  POSTMASTER_URL: url
    .default(POSTMASTER)
    .transform((value) => value.replace(/\/+$/, ""))
    .describe("Server of Postmaster Tools"),
  VERIFY_HELO_NAME: z
    .hostname("must be a host name")
    .toLowerCase()
    .nullable()
    .default(null)
    .describe(
      "Name with which this host greets mail servers to verify addresses. Its A and PTR records must agree, and outgoing port 25 must be open; no server is asked when unset",
    ),
  LEAD_SEARCH_URL: url
    .transform((value) => value.replace(/\/+$/, ""))
    .nullable()
    .default(null)
    .describe(
      "Provider for searching and revealing people, by the contract in docs/lead-search-provider.yaml; the imported data set when unset",
    ),
  LEAD_SEARCH_KEY: text.describe("Key that it is sent as a bearer token; none when unset"),
  AGENT_URL: url
    .transform((value) => value.replace(/\/+$/, ""))
    .nullable()
    .default(null)
    .describe(
      "OpenAI-compatible model server of the inbox agent, with its version, such as https://models.example/v1; no agent when unset",
    ),
  AGENT_KEY: text.describe("Key that it is sent as a bearer token; none when unset"),
  AGENT_MODEL: text.describe("Model for workspaces that name none"),
  AGENT_INPUT_PRICE: price.describe(
    "US dollars for a million tokens that a model reads; costs are counted if both prices are set",
  ),
  AGENT_OUTPUT_PRICE: price.describe("US dollars for a million tokens that a model writes"),
  CREDITS_PER_MONTH: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000_000_000)
    .default(0)
    .describe(
      "Credits for reveals that every workspace gets each month (UTC) and loses at the end of it; granted credits stay",
    ),
  STRIPE_SECRET_KEY: text.describe("Stripe key of this deployment; no billing and no plan limits when unset"),
  STRIPE_WEBHOOK_SECRET: text.describe(
    "Secret with which Stripe signs the events that it sends to /hooks/stripe; required with STRIPE_SECRET_KEY",
  ),
  STRIPE_URL: base("https://api.stripe.com")
    .refine((value) => URL.parse(value)?.pathname === "/", "must be an address without a path")
    .describe("Server of Stripe"),
  BILLING_PLANS: billingPlans.describe(
    "Plans as JSON, best in a file that BILLING_PLANS_FILE names: plans with their Stripe prices and limits, the limits without a plan, the price of credits; docs/guides/billing.md has an example",
  ),
  HUBSPOT_CLIENT_ID: text.describe(
    "OAuth client of this deployment at HubSpot; without it HubSpot can only be connected by tokens of private apps",
  ),
  HUBSPOT_CLIENT_SECRET: text.describe("Its secret"),
  HUBSPOT_URL: base(HUBSPOT).describe("Server of HubSpot's API, which also issues its tokens"),
  HUBSPOT_AUTH_URL: url.default("https://app.hubspot.com/oauth/authorize").describe("Where people consent at HubSpot"),
  HUBSPOT_SCOPE: z
    .string()
    .min(1)
    .default(
      "oauth crm.lists.read crm.objects.contacts.read crm.objects.contacts.write communication_preferences.read_write",
    )
    .describe("Scopes that people are asked to allow; the OAuth client must name the same"),
  SALESFORCE_CLIENT_ID: text.describe(
    "OAuth client of this deployment at Salesforce (a connected app); Salesforce cannot be connected without it",
  ),
  SALESFORCE_CLIENT_SECRET: text.describe("Its secret"),
  SALESFORCE_URL: base("https://login.salesforce.com").describe(
    "Server where people log in at Salesforce, and which issues tokens; the tokens name the API server of each account",
  ),
  SALESFORCE_SCOPE: z.string().min(1).default("api refresh_token").describe("Scopes that people are asked to allow"),
  PIPEDRIVE_CLIENT_ID: text.describe(
    "OAuth client of this deployment at Pipedrive; without it Pipedrive can only be connected by API tokens",
  ),
  PIPEDRIVE_CLIENT_SECRET: text.describe("Its secret"),
  PIPEDRIVE_URL: base("https://oauth.pipedrive.com").describe(
    "Server where people consent at Pipedrive, and which issues tokens",
  ),
  PIPEDRIVE_API_URL: base("https://api.pipedrive.com").describe(
    "Server of Pipedrive's API for connections by an API token",
  ),
  PROVIDERA_CALENDAR_URL: base("https://www.googleapis.com").describe(
    "Server of provider A's calendars, by the Google Calendar API",
  ),
  PROVIDERA_CALENDAR_SCOPE: z
    .string()
    .min(1)
    .default("openid email https://www.googleapis.com/auth/calendar.freebusy")
    .describe("What its users are asked to allow so that busy times are read"),
  PROVIDERB_CALENDAR_URL: base("https://graph.microsoft.com").describe(
    "Server of provider B's calendars, by Microsoft Graph",
  ),
  PROVIDERB_CALENDAR_SCOPE: z
    .string()
    .min(1)
    .default("openid email offline_access https://graph.microsoft.com/Calendars.ReadBasic")
    .describe("What its users are asked to allow so that busy times are read"),
  SCANNER_NETWORKS: networks.describe(
    "Networks of mail scanners, one like 192.0.2.0/24 a line, best in a file that SCANNER_NETWORKS_FILE names: every request from there counts as a robot",
  ),
  RELAY_NETWORKS: networks.describe(
    "Networks of relays that fetch every image of an email, such as those of Apple, in the same form: their opens are counted separately",
  ),
  SYSTEM_SMTP_URL: text.describe(
    "Server for emails of the service itself, such as invites: smtps://user:password@host:465, or smtp:// with STARTTLS; a private host must also be in EGRESS_ALLOW",
  ),
  SYSTEM_MAIL_FROM: text.describe("Sender address of these emails; the user of SYSTEM_SMTP_URL when unset"),
  ABUSE_CONTACT: text
    .refine((value) => value === null || isAddress(value) || /^https?:\/\/[\x21-\x7e]{1,200}$/.test(value), {
      message: "must be an email address or an http(s) URL",
    })
    .describe(
      "Email address or URL where recipients report abuse to the operator: each email to a recipient names it in its X-Abuse header; no such header when unset",
    ),
  ABUSE_GUARD: z
    .enum(["0", "1"])
    .nullable()
    .default(null)
    .describe(
      "1: workspaces whose emails bounce or are reported too often are slowed and then suspended; 0: never; when unset as ALLOW_SIGNUP",
    ),
  ABUSE_BOUNCES: shares(CONDUCT_THRESHOLDS.bounces).describe(
    "Shares of a workspace's emails of three days that bounced because the address does not exist: from which it is slowed, and from which it is suspended",
  ),
  ABUSE_COMPLAINTS: shares(CONDUCT_THRESHOLDS.complaints).describe(
    "The same for emails that recipients reported as spam",
  ),
  ABUSE_SPAM: shares(CONDUCT_THRESHOLDS.spam).describe(
    "The same for measured emails of seven days that landed in Junk",
  ),
  ABUSE_LISTED: shares(CONDUCT_THRESHOLDS.listed).describe(
    "The same for its sending domains on DNS block lists, two at least",
  ),
  ABUSE_SLOWED_EMAILS: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000_000)
    .default(SLOWED_EMAILS)
    .describe("How many emails a day a slowed workspace may send"),
  NEW_WORKSPACE_DAYS: atMost(365, NEWCOMER_LIMITS.days).describe(
    "For how many days the limits below apply to the workspace of a person who signed up; they need ALLOW_SIGNUP. 0: never",
  ),
  NEW_WORKSPACE_EMAILS: atMost(1_000_000, NEWCOMER_LIMITS.emails).describe(
    "How many emails it may send on its first day; each day without too many bounces or complaints adds as many",
  ),
  NEW_WORKSPACE_MAILBOXES: atMost(10_000, NEWCOMER_LIMITS.mailboxes).describe(
    "How many mailboxes it may connect on its first day, growing in the same way; a paid plan ends this limit",
  ),
  NEW_WORKSPACE_MEMBERS: atMost(1_000, NEWCOMER_LIMITS.members).describe("The same for members and open invites"),
  NEW_WORKSPACE_TESTS: atMost(100_000, NEWCOMER_LIMITS.connectionTests).describe(
    "The same for connections to mail servers that it may test in a day; each row of a file counts",
  ),
  NEW_WORKSPACE_IMPORTS: atMost(10_000_000, NEWCOMER_LIMITS.importedRows).describe(
    "The same for rows of leads that it may import in a day",
  ),
  SIGNUP_PER_ADDRESS: atLeastOne(1_000, SIGN_UP_LIMITS.perAddress).describe(
    "How many sign-ups with one email address are accepted within 24 hours",
  ),
  SIGNUP_PER_NETWORK: atLeastOne(1_000_000, SIGN_UP_LIMITS.perNetwork).describe(
    "The same from one network: an IPv4 /24 or an IPv6 /48. Set TRUST_PROXY behind a proxy, or all visitors count as one network",
  ),
  SIGNUP_PER_DAY: atLeastOne(1_000_000, SIGN_UP_LIMITS.perDay).describe("The same over the whole deployment"),
  ALLOW_SIGNUP: flag.describe(
    "1: anyone can make an account and their own workspace at /signup; with SYSTEM_SMTP_URL the address is first confirmed by email",
  ),
  GOOGLE_CLIENT_ID: text.describe(
    "OAuth client of this deployment at Google: with its secret it configures provider A, and PROVIDERA_* may replace single values",
  ),
  GOOGLE_CLIENT_SECRET: text.describe("Its secret"),
  GOOGLE_SERVICE_ACCOUNT: googleCredentials
    .refine((credentials) => credentials?.type !== "authorized_user", "must be the JSON of a service account")
    .describe(
      "Google's JSON of a service account with domain-wide delegation, or a path to a file with it: `npm run mailbox:connect` then connects mailboxes without their users; needs PROVIDERA_TRANSPORT=GMAIL_API",
    ),
  GMAIL_NOTICE_TOPIC: pubsubName("topics").describe(
    "Pub/Sub topic to which Gmail publishes that a mailbox has changed, such as projects/my-project/topics/gmail; without it mailboxes of the Gmail API are read every 30 seconds",
  ),
  GMAIL_NOTICE_SUBSCRIPTION: pubsubName("subscriptions").describe(
    "Pull subscription of that topic, such as projects/my-project/subscriptions/gmail",
  ),
  GMAIL_NOTICE_CREDENTIALS: googleCredentials.describe(
    "Google's JSON of a service account that may subscribe there, or a path to a file with it",
  ),
  PUBSUB_URL: base(PUBSUB).describe("Server of Pub/Sub"),
  MICROSOFT_CLIENT_ID: text.describe(
    "OAuth client of this deployment at Microsoft: with its secret it configures provider B, and PROVIDERB_* may replace single values",
  ),
  MICROSOFT_CLIENT_SECRET: text.describe("Its secret"),
  MICROSOFT_CLIENT_SECRET_EXPIRES: day.describe(EXPIRES),
  MICROSOFT_TENANT: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9.-]{0,99}$/, "must be a tenant's id or domain, or common, organizations or consumers")
    .default("common")
    .describe("Whose users can consent at Microsoft: a tenant's id or domain, or common for all"),
  MICROSOFT_APP_ONLY: flag.describe(
    "1: `npm run mailbox:connect` connects mailboxes of MICROSOFT_TENANT that its admin has allowed, without their users; needs PROVIDERB_TRANSPORT=GRAPH",
  ),
  GMAIL_UNITS_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(1_000)
    .default(GMAIL_UNITS)
    .describe(
      "Units of the Gmail API that each mailbox may use in a minute, as Google's quota page of the project says; 15,000 for projects that were used before May 2026",
    ),
  ...provider("A", "Google", "openid email https://mail.google.com/", "google.com"),
  ...provider(
    "B",
    "Microsoft",
    "openid email profile offline_access https://outlook.office.com/SMTP.Send https://outlook.office.com/IMAP.AccessAsUser.All",
    "protection.outlook.com",
  ),
});

const NOTICES = ["GMAIL_NOTICE_TOPIC", "GMAIL_NOTICE_SUBSCRIPTION", "GMAIL_NOTICE_CREDENTIALS"] as const;

/** The value that express accepts for `trust proxy`; null for a text that is neither a number nor addresses. */
function proxiesOf(value: string): number | string[] | false | null {
  if (value.trim() === "") return false;
  if (/^\d{1,2}$/.test(value.trim())) return Number(value);
  const places = value.split(",").map((place) => place.trim());
  return places.every(isPlace) ? places : null;
}

function isPlace(text: string): boolean {
  return ipaddr.isValid(text) || ipaddr.isValidCIDR(text);
}

export type Config = Readonly<
  Omit<z.output<typeof settings>, "PUBLIC_URL" | "TRACK_URL"> & { PUBLIC_URL: string; TRACK_URL: string }
>;

/**
 * Reads the settings. An empty variable counts as unset. A setting may be in a file instead, which `<name>_FILE` names:
 * secrets are best kept there, since every process of the same user can read the environment.
 * @throws ConfigError that names each wrong variable and says what to do.
 */
export function readConfig(env: Env = process.env): Config {
  const given: Record<string, string> = Object.fromEntries(
    Object.keys(settings.shape).flatMap((name) => settingIn(name, env).map((value) => [name, value])),
  );
  for (const x of ["A", "B"] as const) fillPreset(x, given);
  for (const x of ["A", "B"] as const) fillApi(x, given);
  const read = settings.safeParse(given);
  if (!read.success) throw new ConfigError(read.error.issues.map(complaint).join("\n"));
  const values = read.data;
  if (values.MONGODB_URI !== null && values.SECRET_KEY === null) {
    throw new ConfigError(
      "SECRET_KEY is not set, but MONGODB_URI needs it. `openssl rand -base64 32` makes one; keep it permanently",
    );
  }
  if (values.TEMPORAL_UI_WRITES && !values.TEMPORAL_UI) {
    throw new ConfigError(
      "TEMPORAL_UI_WRITES needs TEMPORAL_UI=1, which starts the pages: set it too, or remove TEMPORAL_UI_WRITES",
    );
  }
  refuseHalfCertificate(values, env);
  refuseUnusableTls(values, env);
  for (const x of ["A", "B"] as const) refuseHalf(x, given);
  refuseDelegation(values);
  const unset = NOTICES.filter((name) => values[name] === null);
  if (unset.length > 0 && unset.length < NOTICES.length)
    throw new ConfigError(`${unset.join(", ")} must be set too, or none of GMAIL_NOTICE_*`);
  // Without the secret, payments would have no effect
  if (values.STRIPE_SECRET_KEY !== null && values.STRIPE_WEBHOOK_SECRET === null) {
    throw new ConfigError(
      "STRIPE_SECRET_KEY needs STRIPE_WEBHOOK_SECRET: plans and credits only arrive by signed events",
    );
  }
  if (values.SYSTEM_SMTP_URL !== null && systemSmtpOf(values.SYSTEM_SMTP_URL, values.SYSTEM_MAIL_FROM) === null) {
    throw new ConfigError(
      "SYSTEM_SMTP_URL cannot be used: it must be smtps://user:password@host:port, and its user or SYSTEM_MAIL_FROM an e-mail address",
    );
  }
  const PUBLIC_URL = (values.PUBLIC_URL ?? `http://localhost:${values.PORT}`).replace(/\/+$/, "");
  // With embedded servers this is a trial, and its key should not open the service to the network yet
  const HOST = values.HOST ?? (values.MONGODB_URI === null ? "127.0.0.1" : null);
  return Object.freeze({
    ...values,
    HOST,
    PUBLIC_URL,
    TRACK_URL: (values.TRACK_URL ?? PUBLIC_URL).replace(/\/+$/, ""),
  });
}

/** The settings as if SECRET_KEY were this key, for a caller that has reported the configured one as unusable. */
export function readConfigWithKey(SECRET_KEY: string, env: Env = process.env): Config {
  const others = { SECRET_KEY_FILE: undefined, SECRET_KEYS_RETIRED: undefined, SECRET_KEYS_RETIRED_FILE: undefined };
  return readConfig({ ...env, ...others, SECRET_KEY });
}

/** The value of a setting, from its variable or from the file that `<name>_FILE` names; empty when it is unset. */
function settingIn(name: string, env: Env): string[] {
  const file = env[`${name}_FILE`];
  if (!file) return env[name] ? [env[name]] : [];
  if (env[name]) throw new ConfigError(`${name} and ${name}_FILE are both set: remove one of them`);
  let text: string;
  try {
    text = readFileSync(file, "utf8").replace(/\r?\n$/, "");
  } catch (err) {
    const why = err instanceof Error && "code" in err ? err.code : err;
    throw new ConfigError(`${name}_FILE cannot be read: ${file} (${why})`);
  }
  if (text === "") throw new ConfigError(`${name}_FILE names an empty file: ${file}`);
  return [text];
}

/** The settings for emails of the service itself; null without any. */
export function systemSmtp({ SYSTEM_SMTP_URL, SYSTEM_MAIL_FROM }: Config): SystemSmtp | null {
  return SYSTEM_SMTP_URL === null ? null : systemSmtpOf(SYSTEM_SMTP_URL, SYSTEM_MAIL_FROM);
}

/** How Google's Postmaster Tools are reached; null without credentials. */
export function postmasterAccess({
  POSTMASTER_CREDENTIALS: credentials,
  POSTMASTER_URL: url,
}: Config): PostmasterAccess | null {
  return credentials === null ? null : { credentials, url };
}

/** How Gmail's notices come; null without them. */
function gmailNotices({
  GMAIL_NOTICE_TOPIC: topic,
  GMAIL_NOTICE_SUBSCRIPTION: subscription,
  GMAIL_NOTICE_CREDENTIALS: credentials,
  PUBSUB_URL: url,
}: Config): GmailNotices | null {
  return topic === null || subscription === null || credentials === null
    ? null
    : { by: "PUBSUB", topic, subscription, credentials, url };
}

/** Where Graph posts its notices; null without a public URL of https, which Microsoft demands. A stand-in on http does not. */
function graphNotices({ PUBLIC_URL }: Config, apiUrl: string): GraphNotices | null {
  const isReached = PUBLIC_URL.startsWith("https:") || apiUrl.startsWith("http:");
  return isReached ? { by: "HTTP", postTo: `${PUBLIC_URL}/hooks/microsoft` } : null;
}

/** How the provider of an API reports new email; null without such reports. */
function noticesAt(
  config: Config,
  transport: MailApi["transport"],
  apiUrl: string,
): NonNullable<MailApi["notices"]> | null {
  return transport === "GMAIL_API" ? gmailNotices(config) : graphNotices(config, apiUrl);
}

/** The first limits of workspaces of people who signed up; null where they have none. */
export function newcomerLimits(config: Config): NewcomerLimits | null {
  if (!config.ALLOW_SIGNUP || config.NEW_WORKSPACE_DAYS === 0) return null;
  const { NEW_WORKSPACE_DAYS: days, NEW_WORKSPACE_EMAILS: emails } = config;
  return {
    days,
    emails,
    mailboxes: config.NEW_WORKSPACE_MAILBOXES,
    members: config.NEW_WORKSPACE_MEMBERS,
    connectionTests: config.NEW_WORKSPACE_TESTS,
    importedRows: config.NEW_WORKSPACE_IMPORTS,
  };
}

/** How many sign-ups are accepted within 24 hours. */
export function signUpLimits(config: Config): SignUpLimits {
  return {
    perAddress: config.SIGNUP_PER_ADDRESS,
    perNetwork: config.SIGNUP_PER_NETWORK,
    perDay: config.SIGNUP_PER_DAY,
  };
}

/** By which workspaces are judged; null where they are not. */
export function conductLimits(config: Config): ConductLimits | null {
  const { ABUSE_GUARD, ALLOW_SIGNUP, ABUSE_BOUNCES, ABUSE_COMPLAINTS, ABUSE_SPAM, ABUSE_LISTED } = config;
  if (ABUSE_GUARD === "0" || (ABUSE_GUARD === null && !ALLOW_SIGNUP)) return null;
  const thresholds = {
    bounces: ABUSE_BOUNCES,
    complaints: ABUSE_COMPLAINTS,
    spam: ABUSE_SPAM,
    listed: ABUSE_LISTED,
  };
  return { thresholds, slowedEmails: config.ABUSE_SLOWED_EMAILS };
}

/** How Stripe is reached; null without billing. */
export function stripeAccess({ STRIPE_SECRET_KEY: secretKey, STRIPE_URL: url }: Config): StripeAccess | null {
  return secretKey === null ? null : { secretKey, url };
}

/** What can be bought, and the secret with which Stripe signs; null without billing. */
export function billingSettings({
  STRIPE_SECRET_KEY,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  BILLING_PLANS,
}: Config): BillingSettings | null {
  if (STRIPE_SECRET_KEY === null || webhookSecret === null) return null;
  return { plans: BILLING_PLANS ?? NO_PLANS, webhookSecret };
}

/** How the lead search provider is reached; null without one. */
export function leadSearchAccess({ LEAD_SEARCH_URL: url, LEAD_SEARCH_KEY: key }: Config): LeadSearchAccess | null {
  return url === null ? null : { url, key };
}

/** How the model server of the inbox agent is reached; null without one. */
export function agentAccess(config: Config): AgentAccess | null {
  const {
    AGENT_URL: url,
    AGENT_KEY: key,
    AGENT_MODEL: model,
    AGENT_INPUT_PRICE: input,
    AGENT_OUTPUT_PRICE: output,
  } = config;
  return url === null
    ? null
    : { url, key, model, prices: input === null || output === null ? null : { input, output } };
}

/** Salesforce does not say how many seconds a token lasts, so we assume this: a token that ends earlier is refused. */
const SALESFORCE_LIFE_S = 7_200;

/** The settings of the CRMs. */
export function crmProviders(config: Config): CrmProviders {
  const { HUBSPOT_URL, SALESFORCE_URL, PIPEDRIVE_URL } = config;
  const hubspot = {
    authUrl: config.HUBSPOT_AUTH_URL,
    tokenUrl: `${HUBSPOT_URL}/oauth/v3/token`,
    scope: config.HUBSPOT_SCOPE,
  };
  const salesforce = {
    authUrl: `${SALESFORCE_URL}/services/oauth2/authorize`,
    tokenUrl: `${SALESFORCE_URL}/services/oauth2/token`,
    scope: config.SALESFORCE_SCOPE,
    lifeSeconds: SALESFORCE_LIFE_S,
  };
  const pipedrive = {
    authUrl: `${PIPEDRIVE_URL}/oauth/authorize`,
    tokenUrl: `${PIPEDRIVE_URL}/oauth/token`,
    scope: "",
    isBasic: true,
  };
  const clientOf = (
    x: "HUBSPOT" | "SALESFORCE" | "PIPEDRIVE",
    urls: Pick<OAuthClient, "authUrl" | "tokenUrl" | "scope">,
  ): CrmAccess["oauth"] => {
    const [clientId, clientSecret] = [config[`${x}_CLIENT_ID`], config[`${x}_CLIENT_SECRET`]];
    if (clientId === null || clientSecret === null) return null;
    return { clientId, clientSecret, userinfoUrl: urls.tokenUrl, revocationUrl: null, ...urls };
  };
  return {
    HUBSPOT: { oauth: clientOf("HUBSPOT", hubspot), apiUrl: HUBSPOT_URL },
    SALESFORCE: { oauth: clientOf("SALESFORCE", salesforce), apiUrl: null },
    PIPEDRIVE: { oauth: clientOf("PIPEDRIVE", pipedrive), apiUrl: config.PIPEDRIVE_API_URL },
  };
}

/** How the calendars of both email providers are read: by the same OAuth client, for another scope. */
export function calendarProviders(config: Config): CalendarProviders {
  const accessOf = (x: "A" | "B") => {
    const { oauth } = providerOf(config, x);
    return oauth === null
      ? null
      : { oauth: { ...oauth, scope: config[`PROVIDER${x}_CALENDAR_SCOPE`] }, url: config[`PROVIDER${x}_CALENDAR_URL`] };
  };
  return { A: accessOf("A"), B: accessOf("B") };
}

/** The settings of both email providers. */
export function mailProviders(config: Config): MailProviders {
  return { A: providerOf(config, "A"), B: providerOf(config, "B") };
}

function providerOf(config: Config, x: "A" | "B"): MailProvider {
  const smtp = serverOf("smtp", config[`PROVIDER${x}_SMTP`]);
  const imap = serverOf("imap", config[`PROVIDER${x}_IMAP`]);
  const clientId = config[`PROVIDER${x}_CLIENT_ID`];
  const clientSecret = config[`PROVIDER${x}_CLIENT_SECRET`];
  const authUrl = config[`PROVIDER${x}_AUTH_URL`];
  const tokenUrl = config[`PROVIDER${x}_TOKEN_URL`];
  const userinfoUrl = config[`PROVIDER${x}_USERINFO_URL`];
  const revocationUrl = config[`PROVIDER${x}_REVOCATION_URL`];
  const scope = config[`PROVIDER${x}_SCOPE`];
  const transport = config[`PROVIDER${x}_TRANSPORT`];
  const apiUrl = config[`PROVIDER${x}_API_URL`];
  const notices = transport === "SMTP_IMAP" || apiUrl === null ? null : noticesAt(config, transport, apiUrl);
  const expires = config[`PROVIDER${x}_CLIENT_SECRET_EXPIRES`];
  const isWhole = clientId !== null && clientSecret !== null && authUrl !== null && tokenUrl !== null;
  return {
    name: config[`PROVIDER${x}_NAME`],
    logo: config[`PROVIDER${x}_LOGO`],
    servers: smtp === null || imap === null ? null : { smtp, imap },
    oauth: isWhole ? { clientId, clientSecret, authUrl, tokenUrl, userinfoUrl, revocationUrl, scope } : null,
    delegation: delegationOf(config, x),
    api:
      transport === "SMTP_IMAP" || apiUrl === null
        ? null
        : {
            transport,
            url: apiUrl,
            unitsPerMinute: config.GMAIL_UNITS_PER_MINUTE,
            ...(notices !== null && { notices }),
          },
    secretExpires: expires ?? (x === "B" ? config.MICROSOFT_CLIENT_SECRET_EXPIRES : null),
    mx: config[`PROVIDER${x}_MX`],
  };
}

function delegationOf(
  { GOOGLE_SERVICE_ACCOUNT: account, MICROSOFT_APP_ONLY: isAppOnly }: Config,
  x: "A" | "B",
): Delegation | null {
  if (x === "B") return isAppOnly ? { kind: "MICROSOFT", scope: DELEGATED_SCOPES.MICROSOFT } : null;
  return account?.type === "service_account" ? { kind: "GOOGLE", account, scope: DELEGATED_SCOPES.GOOGLE } : null;
}

/** The security follows from the port (rules/sending 5.3): SSL_TLS unless the port means STARTTLS. */
function serverOf(kind: "smtp" | "imap", place: string | null): MailServer | null {
  if (place === null) return null;
  const [host = "", port] = place.split(":");
  return mailServer(kind, host, Number(port), "SSL_TLS");
}

/** The environment variables that the search for an embedded server's program reads, besides the settings. */
export function programEnv({ PATH, HOME, XDG_CACHE_HOME }: Env = process.env) {
  return { PATH, HOME, XDG_CACHE_HOME };
}

/** Further variables by which Temporal's own library reads how to reach a server. */
const OF_TEMPORAL =
  /^(TEMPORAL_(NAMESPACE|PROFILE|CONFIG_FILE|TLS_CLIENT_(CERT|KEY)_DATA|TLS_SERVER_CA_CERT_DATA|GRPC_META_.+)|HOME|XDG_CONFIG_HOME|APPDATA)$/;

/**
 * The environment by which Temporal's own library reads how to reach the server: the settings, wherever they stand, and
 * the variables that only the library knows. An empty variable counts as unset, while the library would read it as a
 * path or as "no TLS".
 */
export function temporalEnv(config: Config, env: Env = process.env): Record<string, string> {
  const own = {
    // The default gives way to the namespace of a profile
    TEMPORAL_NAMESPACE: config.TEMPORAL_NAMESPACE === "default" ? null : config.TEMPORAL_NAMESPACE,
    TEMPORAL_API_KEY: config.TEMPORAL_API_KEY,
    TEMPORAL_TLS: config.TEMPORAL_TLS,
    TEMPORAL_TLS_CLIENT_CERT_PATH: config.TEMPORAL_TLS_CLIENT_CERT_PATH,
    TEMPORAL_TLS_CLIENT_KEY_PATH: config.TEMPORAL_TLS_CLIENT_KEY_PATH,
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: config.TEMPORAL_TLS_SERVER_CA_CERT_PATH,
    TEMPORAL_TLS_SERVER_NAME: config.TEMPORAL_TLS_SERVER_NAME,
  };
  const others = Object.entries(env).filter(([name]) => OF_TEMPORAL.test(name));
  return Object.fromEntries(
    [...others, ...Object.entries(own)].flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
}

/** The text of the npm script by which `npm start` runs this process; null when it was started otherwise. */
export function startScript(
  { npm_lifecycle_event: event, npm_lifecycle_script: script }: Env = process.env,
): string | null {
  return (event === "start" && script) || null;
}

/**
 * mongodb-memory-server-core accepts any certificate unless this npm variable forbids it. An attacker on the network
 * could then supply both the archive and its hash.
 */
export function askForCertificates(env: Env = process.env): void {
  env["npm_config_strict_ssl"] = "true";
}

function complaint({ path, code, message }: z.core.$ZodIssue): string {
  const advice =
    code === "invalid_format" || code === "custom" ? message : message.replace(/^Invalid (input|option): /, "");
  return `${String(path[0])} cannot be used: ${advice}. Change it, or remove it to take its default`;
}

/** Adds what is published about Google or Microsoft to the settings of a provider whose client is given by its name. */
function fillPreset(x: "A" | "B", given: Record<string, string>): void {
  const { vendor, settings } = PROVIDER_PRESETS[x];
  const [id, secret] = [`${vendor}_CLIENT_ID`, `${vendor}_CLIENT_SECRET`] as const;
  const { [id]: clientId, [secret]: clientSecret } = given;
  const preset = settings(given["MICROSOFT_TENANT"] ?? "common");
  if (clientId === undefined && clientSecret === undefined) {
    if (x === "B" || given["GOOGLE_SERVICE_ACCOUNT"] === undefined) return;
    for (const name of ["NAME", "LOGO", "SMTP", "IMAP", "MX"] as const) given[`PROVIDER${x}_${name}`] ??= preset[name];
    return;
  }
  if (clientId === undefined || clientSecret === undefined)
    throw new ConfigError(`${clientId === undefined ? id : secret} must be set too, or neither of the two`);
  const [otherId, otherSecret] = [`PROVIDER${x}_CLIENT_ID`, `PROVIDER${x}_CLIENT_SECRET`] as const;
  for (const other of [otherId, otherSecret])
    if (given[other] !== undefined) throw new ConfigError(`${id} and ${other} are both set: remove one of them`);
  for (const [name, value] of Object.entries(preset)) given[`PROVIDER${x}_${name}`] ??= value;
  Object.assign(given, { [otherId]: clientId, [otherSecret]: clientSecret });
}

/** The API of a provider has its own address, and needs other permissions than its mail servers. */
function fillApi(x: "A" | "B", given: Record<string, string>): void {
  const api = API_PRESETS[given[`PROVIDER${x}_TRANSPORT`] ?? ""];
  if (api === undefined) return;
  given[`PROVIDER${x}_API_URL`] ??= api.url;
  given[`PROVIDER${x}_SCOPE`] ??= api.scope;
}

/** @throws ConfigError for a delegation that could open no mailbox */
function refuseDelegation({
  GOOGLE_SERVICE_ACCOUNT: account,
  MICROSOFT_APP_ONLY: isAppOnly,
  MICROSOFT_TENANT: tenant,
  PROVIDERA_TRANSPORT: ofGoogle,
  PROVIDERB_TRANSPORT: ofMicrosoft,
  PROVIDERB_CLIENT_ID: clientId,
}: z.output<typeof settings>): void {
  if (account !== null && ofGoogle !== "GMAIL_API")
    throw new ConfigError("GOOGLE_SERVICE_ACCOUNT needs PROVIDERA_TRANSPORT=GMAIL_API");
  if (!isAppOnly) return;
  if (ofMicrosoft !== "GRAPH") throw new ConfigError("MICROSOFT_APP_ONLY needs PROVIDERB_TRANSPORT=GRAPH");
  if (clientId === null)
    throw new ConfigError("MICROSOFT_APP_ONLY needs MICROSOFT_CLIENT_ID and MICROSOFT_CLIENT_SECRET");
  if (MANY_TENANTS.includes(tenant))
    throw new ConfigError("MICROSOFT_APP_ONLY needs MICROSOFT_TENANT, the id or domain of one tenant");
}

function refuseHalf(x: "A" | "B", given: Record<string, unknown>): void {
  const servers = [`PROVIDER${x}_SMTP`, `PROVIDER${x}_IMAP`];
  const oauth = ["CLIENT_ID", "CLIENT_SECRET", "AUTH_URL", "TOKEN_URL"].map((name) => `PROVIDER${x}_${name}`);
  // The servers alone are enough for passwords; a consent needs them and the OAuth settings
  for (const names of [servers, oauth]) {
    const missing = (names === oauth ? [...oauth, ...servers] : servers).filter((name) => given[name] === undefined);
    if (missing.length > 0 && names.some((name) => given[name] !== undefined)) {
      throw new ConfigError(`${missing.join(", ")} must be set too, or none of PROVIDER${x}_*`);
    }
  }
}

/** @throws ConfigError for a certificate without its key, or a key without its certificate */
function refuseHalfCertificate(values: z.output<typeof settings>, env: Env): void {
  const names = ["TEMPORAL_TLS_CLIENT_CERT", "TEMPORAL_TLS_CLIENT_KEY"] as const;
  const unset = names.filter((name) => values[`${name}_PATH`] === null && !env[`${name}_DATA`]);
  if (unset.length === 1)
    throw new ConfigError(`${unset[0]}_PATH must be set too: a certificate is of no use without its key`);
}

/** @throws ConfigError for TLS files that no connection could use: OpenSSL would end the process with a text of its own */
function refuseUnusableTls(values: z.output<typeof settings>, env: Env): void {
  const { TEMPORAL_TLS_CLIENT_CERT_PATH: certPath, TEMPORAL_TLS_CLIENT_KEY_PATH: keyPath } = values;
  const { TEMPORAL_TLS_SERVER_CA_CERT_PATH: caPath } = values;
  const { TEMPORAL_TLS_CLIENT_CERT_DATA: cert, TEMPORAL_TLS_CLIENT_KEY_DATA: key } = env;
  refuseUnless("TEMPORAL_TLS_SERVER_CA_CERT_PATH", "the file has no usable certificate", () => {
    if (caPath !== null) new X509Certificate(readFileSync(caPath));
  });
  refuseUnless("TEMPORAL_TLS_CLIENT_CERT_PATH", "the file has no usable certificate", () => {
    if (certPath !== null) createSecureContext({ cert: readFileSync(certPath) });
  });
  refuseUnless("TEMPORAL_TLS_CLIENT_KEY_PATH", "the file has no usable private key", () => {
    if (keyPath !== null) createSecureContext({ key: readFileSync(keyPath) });
  });
  refuseUnless("TEMPORAL_TLS_CLIENT_KEY_PATH", "it is not the key of the certificate", () => {
    const pair = [certPath === null ? cert : readFileSync(certPath), keyPath === null ? key : readFileSync(keyPath)];
    if (pair.every((part) => part)) createSecureContext({ cert: pair[0], key: pair[1] });
  });
}

function refuseUnless(name: string, why: string, use: () => void): void {
  try {
    use();
  } catch {
    throw new ConfigError(`${name} cannot be used: ${why}`);
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function isSecret(value: string): boolean {
  try {
    return keyRing(value, []).all.size === 1;
  } catch {
    return false;
  }
}

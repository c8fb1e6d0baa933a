import { choice } from "../choice.ts";
import type { Declaration } from "../declaration.ts";
import { EXAMPLE_IDS as ids } from "../described-ids.ts";
import { connect as connectMailbox } from "./connect.ts";
import { disconnect as disconnectMailbox } from "./disconnect.ts";
import { get as getMailbox } from "./get.ts";
import { listHealthChanges, replayHealthOf } from "./health.ts";
import { cancelImport as cancelMailboxImport, importCsv, importJob as mailboxImportJob, testBulk } from "./import.ts";
import { list as listMailboxes } from "./list.ts";
import { listProviders as listMailProviders } from "./list-providers.ts";
import { manage as manageMailboxes } from "./manage.ts";
import { trackingDomain } from "./tracking-domain.ts";
import { verifyDns } from "./verify-dns.ts";

const server = {
  smtpHost: "smtp.example.com",
  smtpPort: 465,
  imapHost: "imap.example.com",
  imapPort: 993,
  security: "SSL_TLS",
};
const credentials = { email: "ann@example.com", password: "an app password", name: "Ann Lee", ...server };
const mailboxRows = [
  {
    email: "ann@example.com",
    app_password: "an app password",
    smtp_host: "smtp.example.com",
    imap_host: "imap.example.com",
  },
];

export const mailboxesDeclaration = {
  verbs: {
    "mailboxes.list": listMailboxes,
    "mailboxes.listProviders": listMailProviders,
    "mailboxes.get": getMailbox,
    "mailboxes.listHealthChanges": listHealthChanges,
    "mailboxes.replayHealth": replayHealthOf,
    "mailboxes.manage": manageMailboxes,
    "mailboxes.connect": connectMailbox,
    "mailboxes.disconnect": disconnectMailbox,
    "mailboxes.manageTrackingDomain": trackingDomain,
    "mailboxes.verifyDns": verifyDns,
    "mailboxes.testImport": testBulk,
    "mailboxes.import": importCsv,
    "mailboxes.getImport": mailboxImportJob,
    "mailboxes.cancelImport": cancelMailboxImport,
  },
  routes: [
    ["get", "/mailboxes", listMailboxes],
    ["post", "/mailboxes/manage", manageMailboxes],
    ["post", "/mailboxes/tracking-domain", trackingDomain],
    ["post", "/mailboxes/connect", connectMailbox],
    ["post", "/mailboxes/import/test-bulk", testBulk],
    ["post", "/mailboxes/import/csv", importCsv, 202, { isImport: true }],
    ["get", "/mailboxes/import/:jobId", mailboxImportJob],
    ["post", "/mailboxes/import/:jobId/cancel", cancelMailboxImport],
    ["post", "/mailboxes/health/replay", replayHealthOf],
    ["get", "/mailboxes/providers", listMailProviders],
    ["get", "/mailboxes/:mailboxId", getMailbox],
    ["get", "/mailboxes/:mailboxId/health", listHealthChanges],
    ["post", "/mailboxes/:mailboxId/verify-dns", verifyDns],
    ["post", "/mailboxes/:mailboxId/disconnect", disconnectMailbox],
  ],
  tools: {
    mailboxes: {
      mailboxes_list: {
        operation: choice(
          "mailboxes:read",
          "List mailboxes, read one, or show how health bands changed or would have changed",
          {
            list: listMailboxes,
            get: getMailbox,
            health: listHealthChanges,
            replayHealth: replayHealthOf,
          },
          "list",
          { given: "mailboxId", action: "get" },
        ),
        title: "List mailboxes",
        readOnly: true,
        paged: true,
        detail: true,
        when: "With state, limits, health and DNS; returns the mailboxId that campaign settings and the other mailbox tools take.",
      },
      mailboxes_verify_dns: {
        operation: verifyDns,
        title: "Verify a mailbox's DNS",
        openWorld: true,
        when: "Whether MX, SPF, DKIM and DMARC of the sending domain are valid, and what is missing.",
      },
      mailboxes_manage: {
        operation: manageMailboxes,
        title: "Manage mailboxes",
        destructive: true,
        idempotent: true,
        when: "Limits, names, signature, tags, pauses; `setHealthy` resets the health band after you fix the cause. A paused mailbox sends nothing but still receives. mailboxes_list returns the ids.",
      },
      mailboxes_tracking_domain: {
        operation: trackingDomain,
        title: "Mailbox tracking domain",
        destructive: true,
        idempotent: true,
        openWorld: true,
        when: "Your domain with a CNAME to this service, for links and pixels in emails of this mailbox.",
      },
      mailboxes_connect: {
        operation: connectMailbox,
        title: "Connect a mailbox",
        openWorld: true,
        when: "smtpTest tests credentials and stores nothing. A connected mailbox is read at once and sends when a campaign uses it. The OAuth actions return an authUrl for a person to open.",
      },
      mailboxes_disconnect: {
        operation: disconnectMailbox,
        title: "Disconnect a mailbox",
        destructive: true,
        idempotent: true,
        when: "Its campaigns continue with their other mailboxes or wait. Deleting a mailbox erases its credentials; threads and figures stay.",
      },
      mailboxes_import: {
        operation: choice("mailboxes:connect", "Connect many mailboxes with their passwords, as a job", {
          test: testBulk,
          job: importCsv,
          poll: mailboxImportJob,
        }),
        title: "Import mailboxes",
        idempotent: true,
        openWorld: true,
        when: "Rows of email, password and servers; a known address gets the new credentials. test tries up to 50 rows and stores nothing; poll shows the job's progress.",
      },
    },
  },
  examples: {
    mailboxes: [
      {
        at: "post /mailboxes/connect",
        title: "Test credentials without storing them",
        body: { action: "smtpTest", credentials },
      },
      { at: "post /mailboxes/connect", title: "Connect a mailbox", body: { action: "smtpConnect", credentials } },
      {
        at: "post /mailboxes/connect",
        title: "Connect with an app password",
        body: {
          action: "providerAAppPassword",
          providerA: { email: "ann@example.com", appPassword: "an app password" },
        },
      },
      {
        at: "post /mailboxes/connect",
        title: "Start an OAuth consent",
        body: { action: "providerAOAuthStart" },
      },
      { at: "post /mailboxes/import/test-bulk", title: "Test the mailboxes of a file", body: { rows: mailboxRows } },
      {
        at: "post /mailboxes/import/csv",
        title: "Connect the mailboxes of a file",
        body: { fileName: "mailboxes.csv", rows: mailboxRows },
      },
      {
        at: "post /mailboxes/manage",
        title: "Set limits and working hours",
        body: {
          action: "updateSettings",
          mailboxId: ids.mailboxId,
          patch: {
            dailySendLimit: 40,
            workday: { timezone: "Europe/Berlin", days: [1, 2, 3, 4, 5], from: "08:00", to: "18:00" },
          },
        },
      },
      {
        at: "post /mailboxes/manage",
        title: "Tag a mailbox",
        body: { action: "updateTags", mailboxId: ids.mailboxId, add: ["emea"], remove: [] },
      },
      {
        at: "post /mailboxes/manage",
        title: "Pause mailboxes",
        body: { action: "pause", mailboxIds: [ids.mailboxId] },
      },
      {
        at: "post /mailboxes/manage",
        title: "Reset the health band",
        body: { action: "setHealthy", mailboxId: ids.mailboxId },
      },
      {
        at: "post /mailboxes/health/replay",
        title: "Simulate a stricter threshold",
        body: { days: 60, thresholds: { BOUNCE_RATE: { THROTTLED: 0.02 } } },
      },
      { at: "post /mailboxes/manage", title: "Resume a mailbox", body: { action: "resume", mailboxId: ids.mailboxId } },
      {
        at: "post /mailboxes/tracking-domain",
        title: "Set a tracking domain",
        body: { action: "set", mailboxId: ids.mailboxId, domain: "go.example.com" },
      },
      {
        at: "post /mailboxes/tracking-domain",
        title: "Remove the tracking domain",
        body: { action: "detach", mailboxId: ids.mailboxId },
      },
      { at: "post /mailboxes/:mailboxId/verify-dns", title: "Show the DNS check", body: { action: "status" } },
      {
        at: "post /mailboxes/:mailboxId/verify-dns",
        title: "Check DNS again, with an email to itself",
        body: { action: "resend" },
      },
      { at: "post /mailboxes/:mailboxId/verify-dns", title: "Skip the DNS check", body: { action: "skip" } },
    ],
    end: [
      {
        at: "post /mailboxes/:mailboxId/disconnect",
        title: "Erase a mailbox's credentials",
        body: { action: "disconnect" },
      },
    ],
  },
} as const satisfies Declaration;

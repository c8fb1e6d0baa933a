import { z } from "zod";
import { ACCESS_FAULTS, type AccessFault } from "../../domain/mailboxes/connection-error.ts";
import { type MailProviders, PROVIDERS, warnOfSecret } from "../../domain/mailboxes/provider.ts";
import { loadServerState } from "../../mongo/server-state.ts";
import { type Attention, loadAttention } from "../../store/attention.ts";
import { loadBacklog } from "../../store/backlog.ts";
import type { Declaration } from "../declaration.ts";
import { operation } from "../operation.ts";
import { loadOperator, sessionOf } from "../sign-in/session-verbs.ts";
import { placing, workspacesOf } from "./places.ts";
import { System } from "./record.ts";
import { checkSetup } from "./setup.ts";

/** The state of the whole deployment (rules/console 4). No part of it waits for Temporal. */
const overview = operation({
  summary: "Describe the state of the deployment, for operators",
  scope: null,
  errors: ["ROLE_NOT_ALLOWED"],
  input: z.strictObject({}),
  output: System,
  async run(ctx) {
    const person = await loadOperator(ctx, "Only operators see the state of the deployment");
    const session = sessionOf(ctx);
    const { engine, settings } = ctx.services;
    const now = Date.now();
    const [server, state, missing, backlog, attention, mine] = await Promise.all([
      loadServerState(),
      engine.loadState(),
      engine.findMissing(),
      loadBacklog(now),
      loadAttention(now),
      workspacesOf(person, session),
    ]);
    const placeOf = placing(attention, mine);
    return {
      at: new Date(now),
      versions: { service: settings.version, node: process.versions.node, schema: server.schema },
      database: server,
      engine: { state, missing, runsUrl: settings.engineRunsUrl },
      outbox: { rows: backlog.outboxRows, oldestMs: backlog.outboxLagMs },
      webhooks: { waiting: backlog.webhooksWaiting, lateMs: backlog.webhookLagMs, deadLetters: attention.deadLetters },
      jobs: { open: Object.values(backlog.jobs).reduce((sum, jobs) => sum + jobs, 0), oldestMs: backlog.jobLagMs },
      mailboxes: {
        byStatus: backlog.mailboxes,
        byCondition: attention.conditions,
        unsynced: attention.unsynced.count,
        items: attention.unsynced.items.map(({ _id, lastSyncAt, ...mailbox }) => {
          const { isMember, ...place } = placeOf(mailbox);
          return { ...place, isMember, mailboxId: _id, email: isMember ? mailbox.email : null, lastSyncAt };
        }),
      },
      overdue: {
        count: backlog.recipientsOverdue,
        items: attention.overdue.map(({ _id, nextSendAt, ...recipient }) => {
          const { isMember, ...place } = placeOf(recipient);
          return { ...place, isMember, recipientId: _id, email: isMember ? recipient.email : null, dueAt: nextSendAt };
        }),
      },
      providers: troublesOf(settings.providers, attention, now),
      heldBack: { count: backlog.heldBack },
      unknown: {
        count: attention.unknown.count,
        items: attention.unknown.items.map(({ _id, recipientId, unknownAt, ...send }) => {
          const { isMember, ...place } = placeOf(send);
          return { ...place, isMember, sendId: _id, recipientId, email: isMember ? send.to : null, unknownAt };
        }),
      },
    };
  },
});

/** Problems with a provider that only an operator can fix: causes that stop mailboxes, and a secret that expires. */
function troublesOf(providers: MailProviders, { access }: Attention, now: number) {
  return PROVIDERS.flatMap((provider) => {
    const warning = warnOfSecret(providers[provider], now);
    const stopped = access.filter((fault) => fault.provider === `PROVIDER${provider}`);
    return [
      ...stopped.map(({ fault, mailboxes, since }) => ({
        provider,
        code: fault,
        message: `${providers[provider].name}: ${OPERATOR_TASKS[fault] ?? ACCESS_FAULTS[fault].text}`,
        mailboxes,
        since,
      })),
      ...(warning === null ? [] : [{ provider, code: "SECRET_EXPIRES", message: warning, mailboxes: 0, since: null }]),
    ];
  });
}

/** The causes in the words for operators, who can end them. */
const OPERATOR_TASKS: Partial<Record<AccessFault, string>> = {
  CLIENT_REFUSED:
    "the client id or its secret is refused. Create a new secret and restart the service with it. The mailboxes continue by themselves",
  API_NOT_ENABLED:
    "the mail API is not enabled for this client. Enable it at the provider. The mailboxes continue by themselves",
  CLIENT_LIMIT:
    "the daily quota of this client is used up. Ask the provider for a higher quota. The mailboxes try again each hour",
};

export const systemDeclaration = {
  verbs: {
    "system.get": overview,
    "system.checkSetup": checkSetup,
  },
  consoleRoutes: [
    ["get", "/system", overview],
    ["post", "/system/setup", checkSetup],
  ],
} as const satisfies Declaration;

// The first campaign of the README, by a client that openapi-typescript and openapi-fetch make of the reference.
import createClient from "openapi-fetch";
import type { paths } from "./api.d.ts";

const { API_URL = "", API_KEY = "", SMTP_PORT, IMAP_PORT, MAILBOX = "", PASSWORD = "", DOMAIN = "" } = process.env;
const api = createClient<paths>({ baseUrl: `${API_URL}/api/v1`, headers: { Authorization: `Bearer ${API_KEY}` } });
const OUTCOME = { IN_PROGRESS: 1, REPLIED: 1, BOUNCED: 1, UNSUBSCRIBED: 1 };

/** The answer of a call, or an error with what was refused. */
function answerOf<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const servers = {
  smtpHost: "localhost",
  imapHost: "localhost",
  smtpPort: Number(SMTP_PORT),
  imapPort: Number(IMAP_PORT),
};
const mailbox = answerOf(
  await api.POST("/mailboxes/connect", {
    body: {
      action: "smtpConnect",
      credentials: { email: MAILBOX, password: PASSWORD, name: "Ann", security: "SSL_TLS", ...servers },
    },
  }),
);
if (!("status" in mailbox)) throw new Error("No mailbox was connected");
const { id: campaignId } = answerOf(
  await api.POST("/campaigns", { body: { name: "First, in TypeScript", goal: "Meetings" } }),
);
const params = { path: { campaignId } };
answerOf(
  await api.PATCH("/campaigns/{campaignId}/settings", {
    params,
    body: {
      mailboxIds: [mailbox.id],
      timezone: "UTC",
      windows: [{ days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "24:00" }],
      minGapSeconds: 1,
      maxGapSeconds: 2,
    },
  }),
);
answerOf(
  await api.PUT("/campaigns/{campaignId}/sequence", {
    params,
    body: {
      action: "replaceSteps",
      steps: [
        { subject: 'A question, {{ firstName | default: "friend" }}', bodyText: "{Hi|Hello}, shall we talk?" },
        { delay: { value: 1, unit: "MINUTES" }, bodyText: "Did you see my last mail?" },
      ],
    },
  }),
);
const emails = ["reply.rosa", "unsub.ugo", "hard.hans", "dora"].map((name) => `${name}@${DOMAIN}`);
answerOf(await api.POST("/campaigns/{campaignId}/recipients", { params, body: { action: "addManual", emails } }));
answerOf(await api.POST("/campaigns/{campaignId}/control", { params, body: { action: "launch" } }));

for (const end = Date.now() + 60_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 500))) {
  const { byStatus } = answerOf(await api.GET("/campaigns/{campaignId}/recipients/stats", { params }));
  const isDone = Object.entries(OUTCOME).every(([status, count]) =>
    Object.entries(byStatus).some(([one, own]) => one === status && own === count),
  );
  if (isDone) process.exit(0);
}
throw new Error("The campaign did not end as the README says");

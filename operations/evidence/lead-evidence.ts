import { createHash } from "node:crypto";
import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { stateAt } from "../../domain/evidence/lead-state.ts";
import { publicKeyOf, signLines } from "../../domain/evidence/signature.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { gatherEvidence } from "../../store/evidence/lead-evidence.ts";
import type { Declaration } from "../declaration.ts";
import { describedIds } from "../described-ids.ts";
import { instant, nullable, optionalTime, time } from "../fields.ts";
import { loadLead } from "../leads/record.ts";
import { operation } from "../operation.ts";

const { leadId } = describedIds;

const FORMAT = "outreach-evidence/1";
const MOST_BYTES = 5 * 1_048_576;

const State = z.object({
  from: time.describe("Since when"),
  suppressedBy: nullable(z.string()).describe("Why nothing could be sent to it; null while emails could be sent"),
  mailsSent: z.number().int().describe("Emails sent to it by campaigns so far"),
  lastSentAt: optionalTime.describe("When the last of them was"),
  lastRepliedAt: optionalTime.describe("When it last answered"),
  bouncedAt: optionalTime.describe("When an email bounced"),
  unsubscribedAt: optionalTime.describe("When it unsubscribed"),
  campaignIds: z.array(z.string()).describe("The campaigns it had been in"),
});

const leadEvidence = operation({
  summary:
    "Make a signed file of evidence about a lead: where its address came from, every email with its checks and the hashes of its texts, what came back, and the state at every instant",
  scope: "leads:read",
  errors: ["LEAD_NOT_FOUND", "LIMIT_EXCEEDED"],
  audits: "leads.makeEvidence",
  input: z.strictObject({
    leadId,
    at: instant.optional().describe("The instant of `state`; now by default. The file has the states of all instants"),
  }),
  output: z.object({
    fileName: z.string().describe("A name for the file"),
    content: z
      .string()
      .describe("The file: one JSON document a line, the last of them the signature of all bytes before it"),
    sha256: z.string().describe("The SHA-256 of the file, in hexadecimal"),
    madeAt: time.describe("The instant of which the file is"),
    keyId: z.string().describe("Which key has signed it"),
    publicKey: z
      .string()
      .describe("The public key that verifies it (Ed25519, PEM); `/evidence-keys` has the same without an API key"),
    sends: z.number().int().describe("Emails in it"),
    received: z.number().int().describe("Received emails in it"),
    events: z.number().int().describe("Events in it"),
    state: nullable(State).describe("The state at `at`; null before the lead existed"),
  }),
  // One snapshot of the database: what the file says together was so together
  run: ({ workspaceId, credentialId, services: { signing } }, { leadId, at }) =>
    inTransaction(async () => {
      const lead = await loadLead(workspaceId, leadId);
      const madeAt = new Date();
      const { lines, states, counts } = await gatherEvidence(lead);
      const head = { line: "evidence", format: FORMAT, workspaceId, leadId, madeAt, madeBy: credentialId };
      const [seed] = signing.evidence;
      const content = signLines([head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(""), seed);
      const bytes = Buffer.from(content);
      if (bytes.length > MOST_BYTES)
        throw new AppError("LIMIT_EXCEEDED", "This evidence is larger than an answer may be", { limit: MOST_BYTES });
      const { keyId, publicKey } = publicKeyOf(seed);
      return {
        fileName: `evidence-${leadId}.ndjson`,
        content,
        sha256: createHash("sha256").update(bytes).digest("hex"),
        madeAt,
        keyId,
        publicKey,
        ...counts,
        state: stateAt(states, at ?? madeAt),
      };
    }),
});

export const evidenceDeclaration = {
  verbs: {
    "leads.makeEvidence": leadEvidence,
  },
  routes: [["post", "/leads/:leadId/evidence", leadEvidence]],
  examples: {
    people: [
      {
        at: "post /leads/:leadId/evidence",
        title: "Show where an address came from and what was sent to it, signed, with the state at an instant",
        body: { at: "2026-01-31T12:00:00Z" },
      },
    ],
  },
} as const satisfies Declaration;

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
  from: time.describe("When this state began"),
  suppressedBy: nullable(z.string()).describe(
    "Why no email could be sent to the lead; null while emails could be sent",
  ),
  mailsSent: z.number().int().describe("Emails that campaigns had sent to the lead"),
  lastSentAt: optionalTime.describe("When the last of them was sent"),
  lastRepliedAt: optionalTime.describe("When the lead last replied"),
  bouncedAt: optionalTime.describe("When an email bounced"),
  unsubscribedAt: optionalTime.describe("When the lead unsubscribed"),
  campaignIds: z.array(z.string()).describe("The campaigns that the lead had been in"),
});

const leadEvidence = operation({
  summary:
    "Create a signed evidence file about a lead: the source of the address, every email with its checks and text hashes, the emails received, and the state at any time",
  scope: "leads:read",
  errors: ["LEAD_NOT_FOUND", "LIMIT_EXCEEDED"],
  audits: "leads.makeEvidence",
  input: z.strictObject({
    leadId,
    at: instant.optional().describe("The time of `state`. Default now. The file has the states at all times"),
  }),
  output: z.object({
    fileName: z.string().describe("A name for the file"),
    content: z
      .string()
      .describe("The file: one JSON document per line. The last line is the signature of all bytes before it"),
    sha256: z.string().describe("The SHA-256 of the file, in hexadecimal"),
    madeAt: time.describe("When the file was created"),
    keyId: z.string().describe("The id of the key that signed the file"),
    publicKey: z
      .string()
      .describe("The public key that verifies the file (Ed25519, PEM); also at `/evidence-keys`, without an API key"),
    sends: z.number().int().describe("Sent emails in the file"),
    received: z.number().int().describe("Received emails in the file"),
    events: z.number().int().describe("Events in the file"),
    state: nullable(State).describe("The state at `at`; null before the lead existed"),
  }),
  // One transaction, so everything in the file comes from one snapshot of the database
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
        throw new AppError("LIMIT_EXCEEDED", "This evidence file exceeds the size limit of a response", {
          limit: MOST_BYTES,
        });
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
        title: "Create signed evidence about an address and its emails, with the state at a given time",
        body: { at: "2026-01-31T12:00:00Z" },
      },
    ],
  },
} as const satisfies Declaration;

import { z } from "zod";
import { signExport } from "../../domain/access/address-token.ts";
import { READS } from "../../domain/access/person-scopes.ts";
import { open, type Sealed, seal } from "../../domain/access/seal.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { personDocument } from "../../store/privacy/export-person.ts";
import { findPerson } from "../../store/privacy/person.ts";
import type { Services } from "../context.ts";
import { nullable, optionalTime } from "../fields.ts";
import { operation } from "../operation.ts";
import { found, named } from "./named-person.ts";

const MOST_BYTES = 5 * 1_048_576;
const VALID_MS = 15 * MINUTE_MS;
const FILE_NAME = "person.json";

export const exportPerson = operation({
  summary:
    "Export everything about one person as a JSON document, by kind of data with its source: up to 5 MB in the response, more at a URL that is valid for 15 minutes. It needs the read scopes of all this data",
  scope: "leads:read",
  alsoScopes: READS,
  audits: "privacy.export",
  stepUp: true,
  input: z.strictObject(named),
  output: z.object({
    ...found,
    fileName: z.string().describe("A name for the file"),
    document: nullable(z.record(z.string(), z.unknown())).describe(
      "`data` has the records of each kind; `kept` says what an erasure would keep. Null above 5 MB",
    ),
    url: nullable(z.string()).describe("The URL to download the document without a key; null when `document` has it"),
    expiresAt: optionalTime.describe("When the URL expires"),
  }),
  async run({ workspaceId, services }, { email: { address } }) {
    const person = await findPerson(workspaceId, address);
    const { addresses, sharedAddresses } = person;
    const head = { addresses, sharedAddresses, fileName: FILE_NAME };
    const text = await inMemory(personDocument(workspaceId, person, new Date()));
    if (text !== null) return { ...head, document: JSON.parse(text), url: null, expiresAt: null };
    const until = Date.now() + VALID_MS;
    // The address is encrypted, because logs and browsers store URLs
    const asked = { address: seal(services.keyRing, placeIn(workspaceId), address) };
    const token = signExport(services.signing.export, { workspaceId, until, kind: "person", asked });
    const url = `${services.settings.publicUrl}/exports/${token}`;
    return { ...head, document: null, url, expiresAt: new Date(until) };
  },
});

/** The document of a signed address, as the data is when it is downloaded. */
export async function personFile(
  { keyRing }: Pick<Services, "keyRing">,
  workspaceId: string,
  asked: Record<string, unknown>,
): Promise<{ fileName: string; contentType: string; parts: AsyncIterable<string> }> {
  const address = open(keyRing, placeIn(workspaceId), asked["address"] as Sealed); // only `exportPerson` signs such a token
  const parts = personDocument(workspaceId, await findPerson(workspaceId, address), new Date());
  return { fileName: FILE_NAME, contentType: "application/json; charset=utf-8", parts };
}

function placeIn(workspaceId: string) {
  return { workspaceId, collection: "exports", documentId: "person", field: "address" };
}

/** The whole document; null when it is too large for a response. */
async function inMemory(parts: AsyncIterable<string>): Promise<string | null> {
  const texts: string[] = [];
  let bytes = 0;
  for await (const text of parts) {
    bytes += Buffer.byteLength(text);
    if (bytes > MOST_BYTES) return null;
    texts.push(text);
  }
  return texts.join("");
}

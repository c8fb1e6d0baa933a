import type { Egress } from "../../connectors/net/egress.ts";
import { regularClient } from "./regular.ts";

export const DOCUMENT_BYTES = 5_120;
const TIMEOUT_MS = 2_500;
const FAILURE_KEPT_MS = 60_000;
const MOST_FAILURES = 10_000;
const LONGEST_ADDRESS = 2_000;
/** The headers that set how long a document is cached; the library limits that time. */
const PASSED_ON = ["cache-control", "expires"];

export interface DocumentRequest {
  signal?: AbortSignal | null | undefined;
}

/**
 * Fetches the metadata document of an application for the library. It uses the connector for user-supplied addresses,
 * follows no redirect and reads at most 5 KB. A failure is cached for a minute, so no one can make the service request
 * an address again and again.
 */
export function documentFetch(
  egress: () => Promise<Egress>,
): (url: string, request: DocumentRequest) => Promise<Response> {
  const failures = new Map<string, number>();
  return async (url, { signal }) => {
    const now = Date.now();
    if ((failures.get(url) ?? 0) > now) throw new Error("The metadata document could not be fetched a moment ago");
    failures.delete(url);
    try {
      return await fetchDocument(await egress(), url, signal ?? undefined);
    } catch (err) {
      if (failures.size >= MOST_FAILURES) failures.clear();
      failures.set(url, now + FAILURE_KEPT_MS);
      throw err;
    }
  };
}

async function fetchDocument(egress: Egress, url: string, signal: AbortSignal | undefined): Promise<Response> {
  if (url.length > LONGEST_ADDRESS) throw new Error("The address of the metadata document is too long");
  const request = { method: "GET", headers: { accept: "application/json" }, maxBodyBytes: DOCUMENT_BYTES } as const;
  const answer = await egress.request(url, { ...request, timeoutMs: TIMEOUT_MS, signal });
  if (answer.statusCode !== 200) throw new Error(`The metadata server responded with ${answer.statusCode}`);
  if (!answer.isBodyComplete) throw new Error("The metadata document is too long or incomplete");
  const document: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(answer.bodyExcerpt));
  refuseForeign(document, url);
  const passed = PASSED_ON.flatMap((name): [string, string][] =>
    [answer.headers[name]].flat().flatMap((one) => (one ? [[name, one]] : [])),
  );
  return Response.json(regularClient(document), { headers: passed });
}

/** The document must have its own address as `client_id`, and no client secret. */
function refuseForeign(document: unknown, url: string): void {
  const { client_id, client_secret, client_secret_expires_at } = Object.fromEntries(Object.entries(document ?? {}));
  if (client_id !== url) throw new Error("The metadata document names another client_id");
  if (client_secret !== undefined || client_secret_expires_at !== undefined)
    throw new Error("The metadata document must not have a client_secret");
}

import { ALL_SCOPES, isScope } from "../../domain/scopes.ts";

/**
 * Parameters that the library refuses without the `openid` scope. Clients send them anyway, although no one is granted
 * that scope.
 */
const OPENID_ONLY = ["nonce", "max_age", "acr_values", "id_token_hint", "claims", "claims_locales"];
const MOST_REDIRECTS = 10;
const LONGEST_REDIRECT = 2_000;
const LONGEST_NAME = 80;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Normalizes the query of an authorization request for the library (rules/access 5.4). */
export function regularQuery(query: URLSearchParams, resource: string): URLSearchParams {
  const regular = regularResource(query, resource);
  const requestedScopes = (regular.get("scope") ?? "").split(" ").filter(isScope);
  regular.set("scope", (requestedScopes.length > 0 ? requestedScopes : ALL_SCOPES).join(" "));
  for (const name of [...OPENID_ONLY, "response_mode"]) regular.delete(name);
  return regular;
}

/** Ignores a trailing slash of the resource. */
export function regularResource(params: URLSearchParams, resource: string): URLSearchParams {
  return new URLSearchParams(
    [...params].map(([name, value]): [string, string] => [
      name,
      name === "resource" && value === `${resource}/` ? resource : value,
    ]),
  );
}

/** An application's metadata that cannot be registered; `error` is the code of RFC 7591. */
export class MetadataRefused extends Error {
  override readonly name = "MetadataRefused";
  readonly error: "invalid_redirect_uri" | "invalid_client_metadata";

  constructor(error: MetadataRefused["error"], message: string) {
    super(message);
    this.error = error;
  }
}

/**
 * Reduces an application's metadata to its name and redirect URIs. Every application becomes a public client with
 * authorization codes and refresh tokens.
 * @throws MetadataRefused
 */
export function regularClient(given: unknown): Record<string, unknown> {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new MetadataRefused("invalid_client_metadata", "The metadata must be a JSON object");
  }
  const { client_id, client_name, redirect_uris } = Object.fromEntries(Object.entries(given));
  const uris = redirectsOf(redirect_uris);
  const name = nameOf(client_name);
  return {
    ...(client_id !== undefined && { client_id }),
    ...(name !== "" && { client_name: name }),
    redirect_uris: uris,
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    // For native clients the library ignores the port of a loopback address
    application_type: uris.some(isLoopback) ? "native" : "web",
  };
}

/** Returns true for an address of the computer on which it is opened. */
export function isLoopback(uri: string): boolean {
  const url = URL.parse(uri);
  return url !== null && url.protocol === "http:" && LOOPBACK.has(url.hostname);
}

function redirectsOf(given: unknown): string[] {
  if (!Array.isArray(given) || given.length === 0 || given.length > MOST_REDIRECTS) {
    throw new MetadataRefused("invalid_redirect_uri", `redirect_uris must be 1 to ${MOST_REDIRECTS} addresses`);
  }
  return given.map((uri: unknown) => {
    const url = typeof uri === "string" && uri.length <= LONGEST_REDIRECT ? URL.parse(uri) : null;
    if (typeof uri !== "string" || url === null || (url.protocol !== "https:" && !isLoopback(uri))) {
      throw new MetadataRefused("invalid_redirect_uri", "Each redirect URI must be https, or http on a loopback host");
    }
    if (url.username !== "" || url.password !== "" || uri.includes("#")) {
      throw new MetadataRefused("invalid_redirect_uri", "A redirect URI must have neither credentials nor a fragment");
    }
    return uri;
  });
}

/** Removes control and separator characters, which could change how the surrounding text is displayed. */
function nameOf(given: unknown): string {
  const plain = typeof given === "string" ? given.replace(/[\p{C}\p{Z}]+/gu, " ").trim() : "";
  return [...plain].slice(0, LONGEST_NAME).join("");
}

import type { Guard } from "../guard.ts";

const GRANTS = "test/access/connectors.test.ts";
const FLOWS = "test/access/oauth.test.ts";
const CLIENTS = "test/access/oauth-clients.test.ts";

/** Guards that keep applications to what a person allowed them. */
export const CONNECTORS: Guard[] = [
  {
    guard: "A connector token is refused without its grant, or with that of another person",
    file: "operations/access/connectors.ts",
    text: "if (grant === null || grant.userId !== token.accountId) throw invalidToken();",
    instead: "if (grant === null) throw invalidToken();",
    test: GRANTS,
    only: "are refused alike",
  },
  {
    guard: "A connector token is good for the tool server alone",
    file: "operations/access/connectors.ts",
    text: "token.aud !== toolServerUrl(publicUrl) || ",
    instead: "",
    test: GRANTS,
    only: "are refused alike",
  },
  {
    guard: "Tokens and codes are not in the rows of their digests",
    file: "operations/access/oauth-records.ts",
    text: 'if (SECRETS.has(kind)) delete plain["jti"];',
    instead: "",
    test: FLOWS,
    only: "is stored in clear",
  },
  {
    guard: "A consent gives no more than the role has at that moment",
    file: "operations/access/consent.ts",
    text: "given.scopes.filter((scope) => scopesOf(role).includes(scope))",
    instead: "[...given.scopes]",
    test: FLOWS,
    only: "when they submit the page",
  },
  {
    guard: "A code that two requests bring at once ends its grant",
    file: "api/oauth/adapter.ts",
    text: 'if ((await consumeRecord(kind, id, new Date())) || kind !== "AuthorizationCode") return;',
    instead: 'if ((await consumeRecord(kind, id, new Date())) || kind !== "") return;',
    test: FLOWS,
    only: "used several times at once",
  },
  {
    guard: "No one allows what another account was shown",
    file: "api/oauth/consent.ts",
    text: 'if (!isFormToken(keys.forms, uid, person.sessionId, form.get("token") ?? ""))',
    instead: "if (uid === person.sessionId)",
    test: FLOWS,
    only: "that was shown to one account",
  },
  {
    guard: "A token is made for no resource but the tool server",
    file: "api/oauth/provider.ts",
    text: "if (indicator !== resource) throw new errors.InvalidTarget();",
    instead: "",
    test: FLOWS,
    only: "another resource",
  },
  {
    guard: "An application revokes no token of another one",
    file: "api/oauth/provider.ts",
    text: "token.clientId === client.clientId",
    instead: "token !== client",
    test: FLOWS,
    only: "a revocation by another application",
  },
  {
    guard: "A metadata document that was refused is not asked for again at once",
    file: "api/oauth/client-document.ts",
    text: "failures.set(url, now + FAILURE_KEPT_MS);",
    instead: "failures.set(url, now - FAILURE_KEPT_MS);",
    test: CLIENTS,
    only: "is not fetched again immediately",
  },
  {
    guard: "An application is called back over TLS or at home",
    file: "api/oauth/regular.ts",
    text: 'url === null || (url.protocol !== "https:" && !isLoopback(uri))',
    instead: "url === null",
    test: CLIENTS,
    only: "as its redirect URIs is refused",
  },
];

import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { CrmProviderName } from "../../domain/crm/provider.ts";
import type { AskedOfCrm, CrmAnswer, CrmFault, CrmPerson, FakeCrm } from "./crm-account.ts";
import { crmRoutes } from "./crm-routes.ts";

/** As many people as asked for, each with an address of their own. */
export function people(count: number, from = 1): CrmPerson[] {
  return Array.from({ length: count }, (_, at) => {
    const id = from + at;
    return { id, email: `p${id}@x.example`, first: `First${id}`, last: `Last${id}`, company: `Company ${id}` };
  });
}

const CLIENT = { id: "client-of-ours", secret: "secret-of-our-client" };

export async function startCrm(): Promise<FakeCrm> {
  const secrets: string[] = [CLIENT.secret];
  const [access, refreshing, codes] = [new Set<string>(), new Map<string, CrmProviderName>(), new Map<string, Code>()];
  const apiTokens = new Map<string, CrmProviderName>();
  const settings: FakeCrm["settings"] = {
    lifeSeconds: 3_600,
    rotates: false,
    pageSize: 500,
    delayMs: 0,
    hidden: [],
    fault: () => null,
    grantFault: () => null,
  };
  const sockets = new Set<Socket>();
  const server = createServer((req, res) => {
    answer(req, res).catch(() => res.destroy());
  });
  server.on("connection", (socket: Socket) => sockets.add(socket.once("close", () => sockets.delete(socket))));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // the address of a TCP server is never text
  const url = `http://localhost:${port}`;
  const clientOf = (auth: string, tokenUrl: string, more: object = {}) => {
    const urls = { authUrl: `${url}${auth}`, tokenUrl: `${url}${tokenUrl}`, userinfoUrl: url, revocationUrl: null };
    return { clientId: CLIENT.id, clientSecret: CLIENT.secret, scope: "all", ...urls, ...more };
  };
  const fake: FakeCrm = {
    url,
    segments: new Map(),
    names: new Map(),
    asked: [],
    grants: [],
    settings,
    written: [],
    secrets,
    providers: {
      HUBSPOT: { oauth: clientOf("/hubspot/authorize", "/oauth/v3/token"), apiUrl: url },
      SALESFORCE: {
        oauth: clientOf("/services/oauth2/authorize", "/services/oauth2/token", { lifeSeconds: 7_200 }),
        apiUrl: null,
      },
      PIPEDRIVE: { oauth: clientOf("/pipedrive/authorize", "/oauth/token", { isBasic: true, scope: "" }), apiUrl: url },
    },
    apiToken(vendor) {
      const token = secret();
      apiTokens.set(token, vendor);
      return token;
    },
    consent(authUrl) {
      const asked = new URL(authUrl).searchParams;
      const code = secret();
      const redirectUri = asked.get("redirect_uri") ?? "";
      codes.set(code, { redirectUri, challenge: asked.get("code_challenge") });
      const back = new URL(redirectUri);
      back.searchParams.set("code", code);
      back.searchParams.set("state", asked.get("state") ?? "");
      return back;
    },
    expire: () => access.clear(),
    revoke() {
      for (const all of [access, refreshing, apiTokens]) all.clear();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(req.url ?? "/", url);
    const text = await bodyOf(req);
    if (settings.delayMs > 0) await delay(settings.delayMs);
    const issuer = TOKEN_PATHS[pathname];
    if (issuer !== undefined && req.method === "POST") {
      const granted = grant(issuer, req, new URLSearchParams(text));
      if (granted === "hang" || granted === "reset") return fail(res, granted);
      return send(res, granted.answer, granted.isHalf);
    }
    const vendor = vendorOf(pathname);
    const body: unknown = text === "" ? null : JSON.parse(text);
    const query = Object.fromEntries(searchParams);
    const asked: AskedOfCrm = { vendor, method: req.method ?? "", path: pathname, query, body, headers: req.headers };
    fake.asked.push(asked);
    const fault = settings.fault(asked);
    if (fault !== null && fault !== "half") return fail(res, fault);
    const given = (req.headers.authorization ?? "").replace(/^Bearer /, "") || String(req.headers["x-api-token"] ?? "");
    const isKnown = access.has(given) || apiTokens.get(given) === vendor;
    const told = isKnown ? crmRoutes(fake, asked) : EXPIRED[vendor];
    send(res, told, fault === "half");
  }

  function grant(
    vendor: CrmProviderName,
    req: IncomingMessage,
    fields: URLSearchParams,
  ): "hang" | "reset" | { answer: CrmAnswer; isHalf: boolean } {
    const [basicId = "", basicSecret = ""] = Buffer.from(
      (req.headers.authorization ?? "").replace(/^Basic /, ""),
      "base64",
    )
      .toString()
      .split(":");
    const given = Object.fromEntries(fields);
    fake.grants.push({ ...given, ...(basicId !== "" && { basic: basicId }) });
    const fault = settings.grantFault(given);
    if (fault === "hang" || fault === "reset") return fault;
    const isHalf = fault === "half";
    if (fault !== null && fault !== "half") return { answer: fault, isHalf };
    const [id, secretGiven] =
      vendor === "PIPEDRIVE" ? [basicId, basicSecret] : [given["client_id"], given["client_secret"]];
    if (id !== CLIENT.id || secretGiven !== CLIENT.secret)
      return { answer: { status: 401, body: { error: "invalid_client" } }, isHalf };
    const old = given["refresh_token"] ?? "";
    const isGood = given["grant_type"] === "refresh_token" ? refreshing.get(old) === vendor : isCodeGood(given);
    if (!isGood) return { answer: { status: 400, body: INVALID_GRANT[vendor] }, isHalf };
    const isFirst = given["grant_type"] !== "refresh_token";
    if (settings.rotates && !isFirst) refreshing.delete(old);
    const [accessToken, refreshToken] = [secret(), isFirst || settings.rotates ? secret() : old];
    access.add(accessToken);
    refreshing.set(refreshToken, vendor);
    const life = {
      access_token: accessToken,
      token_type: "bearer",
      ...(vendor !== "SALESFORCE" && { expires_in: settings.lifeSeconds }),
    };
    const more = {
      HUBSPOT: { refresh_token: refreshToken, hub_id: 1 },
      SALESFORCE: {
        instance_url: url,
        id: `${url}/id/00D/005`,
        ...((isFirst || settings.rotates) && { refresh_token: refreshToken }),
      },
      PIPEDRIVE: { refresh_token: refreshToken, api_domain: url, scope: "base,contacts:full" },
    }[vendor];
    return { answer: { status: 200, body: { ...life, ...more } }, isHalf };
  }

  function isCodeGood({ code = "", redirect_uri, code_verifier }: Record<string, string>): boolean {
    const known = codes.get(code);
    codes.delete(code);
    if (known === undefined || known.redirectUri !== redirect_uri) return false;
    return (
      known.challenge === null ||
      createHash("sha256")
        .update(code_verifier ?? "")
        .digest("base64url") === known.challenge
    );
  }

  function secret(): string {
    const made = randomBytes(18).toString("base64url");
    secrets.push(made);
    return made;
  }

  return fake;
}

interface Code {
  redirectUri: string;
  challenge: string | null;
}

const TOKEN_PATHS: Readonly<Record<string, CrmProviderName>> = {
  "/oauth/v3/token": "HUBSPOT",
  "/oauth/v1/token": "HUBSPOT",
  "/services/oauth2/token": "SALESFORCE",
  "/oauth/token": "PIPEDRIVE",
};
const INVALID_GRANT: Record<CrmProviderName, object> = {
  HUBSPOT: { status: "BAD_REFRESH_TOKEN", message: "missing or invalid refresh token" },
  SALESFORCE: { error: "invalid_grant", error_description: "expired access/refresh token" },
  PIPEDRIVE: { error: "invalid_grant", error_description: "Invalid grant: refresh token is invalid" },
};
const EXPIRED: Record<CrmProviderName, CrmAnswer> = {
  HUBSPOT: {
    status: 401,
    body: {
      status: "error",
      message: "The OAuth token used to make this call expired.",
      category: "EXPIRED_AUTHENTICATION",
    },
  },
  SALESFORCE: { status: 401, body: [{ message: "Session expired or invalid", errorCode: "INVALID_SESSION_ID" }] },
  PIPEDRIVE: { status: 401, body: { success: false, error: "unauthorized access", errorCode: 401 } },
};

/** Each vendor's words for too many calls, and for a segment that is gone. */
export const REFUSALS = {
  HUBSPOT: {
    rate: {
      status: 429,
      headers: { "x-hubspot-ratelimit-interval-milliseconds": "50" },
      body: {
        status: "error",
        message: "You have reached your limit.",
        errorType: "RATE_LIMIT",
        policyName: "TEN_SECONDLY_ROLLING",
      },
    },
    day: {
      status: 429,
      body: {
        status: "error",
        message: "You have reached your daily limit.",
        errorType: "RATE_LIMIT",
        policyName: "DAILY",
      },
    },
    gone: { status: 404, body: { status: "error", message: "List does not exist", category: "OBJECT_NOT_FOUND" } },
  },
  SALESFORCE: {
    rate: { status: 503, body: [{ message: "Busy", errorCode: "SERVER_UNAVAILABLE" }] },
    day: {
      status: 403,
      headers: { "sforce-limit-info": "api-usage=100000/100000" },
      body: [{ message: "TotalRequests Limit exceeded.", errorCode: "REQUEST_LIMIT_EXCEEDED" }],
    },
    gone: { status: 404, body: [{ message: "The requested resource does not exist", errorCode: "NOT_FOUND" }] },
  },
  PIPEDRIVE: {
    rate: {
      status: 429,
      headers: { "x-ratelimit-reset": "1" },
      body: { success: false, error: "request over limit", errorCode: 429 },
    },
    day: {
      status: 429,
      headers: { "x-ratelimit-reset": "40000" },
      body: { success: false, error: "daily budget used up", errorCode: 429 },
    },
    gone: { status: 404, body: { success: false, error: "Filter not found", errorCode: 404 } },
  },
} as const satisfies Record<CrmProviderName, Record<string, CrmAnswer>>;

function vendorOf(path: string): CrmProviderName {
  if (path.startsWith("/services/")) return "SALESFORCE";
  return path.startsWith("/api/") || path.startsWith("/v1/") ? "PIPEDRIVE" : "HUBSPOT";
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function fail(res: ServerResponse, fault: Exclude<CrmFault, "half">): void {
  if (fault === "hang") return;
  if (fault === "reset") res.destroy();
  else send(res, fault);
}

function send(res: ServerResponse, { status, body, headers = {} }: CrmAnswer, isHalf = false): void {
  const bytes = Buffer.from(body === undefined ? "" : JSON.stringify(body));
  res.writeHead(status, {
    "content-type": "application/json;charset=utf-8",
    "content-length": bytes.length,
    ...headers,
  });
  if (isHalf) res.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => res.destroy());
  else res.end(bytes);
}

import { createHash, createVerify, generateKeyPairSync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { z } from "zod";
import type { GoogleCredentials } from "../../domain/access/google-credentials.ts";
import { type GoogleValue, StatsQuery, statsOf } from "./postmaster-stats.ts";

/**
 * A domain as Google has it. Values stand by day, and by the metric with its filter:
 * `AUTH_SUCCESS_RATE auth_type = "spf"`.
 */
export interface GoogleDomain {
  verificationState?: "VERIFIED" | "UNVERIFIED";
  days: Record<string, Record<string, GoogleValue>>;
  compliance?: object;
}

/** What was asked, without the headers. */
interface AskedOfGoogle {
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
}

/**
 * How a request fails: an answer in the place of the real one, none at all, a broken connection, or half of the real
 * answer.
 */
export type GoogleFault = { status: number; body?: object; headers?: Record<string, string> } | "hang" | "reset" | Cut;
/** Half of the answer, or all of it, before the connection ends although more was announced. */
type Cut = "half" | "short";

/** Google's token endpoint and Postmaster Tools (v2) on loopback, as the discovery document describes them. */
export interface FakePostmaster {
  url: string;
  /** Credentials of a service account, and of a person who consented. */
  account: Extract<GoogleCredentials, { type: "service_account" }>;
  person: Extract<GoogleCredentials, { type: "authorized_user" }>;
  domains: Map<string, GoogleDomain>;
  asked: AskedOfGoogle[];
  /** Each grant that was asked for, with the fields that came. */
  grants: Record<string, string>[];
  settings: {
    lifeSeconds: number;
    /** Whether a refresh brings another refresh token and ends the one before. */
    rotates: boolean;
    /** Most rows of a page, whatever is asked for. */
    pageSize: number;
    /** Asked before each request; null: no fault. */
    fault: (asked: AskedOfGoogle) => GoogleFault | null;
    /** The same for grants. */
    grantFault: () => GoogleFault | null;
  };
  /** Ends all access tokens. */
  expire(): void;
  /** Every token that was given out. */
  tokens: string[];
  close(): Promise<void>;
}

const SCOPES = ["postmaster.domain", "postmaster.traffic.readonly"]
  .map((name) => `https://www.googleapis.com/auth/${name}`)
  .join(" ");
/** A body as Google writes it where a caller may not do something. */
export const refusal = (code: number, status: string, reason: string) => ({
  error: {
    code,
    message: "The text of a refusal.",
    status,
    errors: [{ message: "The text.", domain: "global", reason }],
  },
});

export async function startPostmaster(): Promise<FakePostmaster> {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const domains = new Map<string, GoogleDomain>();
  const [asked, grants, tokens]: [AskedOfGoogle[], Record<string, string>[], string[]] = [[], [], []];
  const valid = new Set<string>();
  const settings: FakePostmaster["settings"] = {
    lifeSeconds: 3_600,
    rotates: false,
    pageSize: 200,
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
  const token_uri = `${url}/token`;
  const pem = String(privateKey.export({ type: "pkcs8", format: "pem" }));
  const client_email = "reader@project.iam.gserviceaccount.com";
  const account = {
    type: "service_account",
    client_email,
    private_key: pem,
    private_key_id: "key-1",
    token_uri,
  } as const;
  const person = {
    type: "authorized_user",
    client_id: "client",
    client_secret: secret("secret"),
    refresh_token: secret("1"),
    token_uri,
  } as const;
  let refreshToken: string = person.refresh_token;

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(req.url ?? "/", url);
    const text = await bodyOf(req);
    if (pathname === "/token" && req.method === "POST") return grant(new URLSearchParams(text), res);
    const body: unknown = text === "" ? null : JSON.parse(text);
    const request = {
      method: req.method ?? "",
      path: decodeURIComponent(pathname),
      query: Object.fromEntries(searchParams),
      body,
    };
    asked.push(request);
    const fault = settings.fault(request);
    if (fault !== null && !isCut(fault)) return fail(res, fault);
    const bearer = (req.headers.authorization ?? "").replace(/^Bearer /, "");
    const [status, content] = valid.has(bearer)
      ? answerTo(request)
      : [401, refusal(401, "UNAUTHENTICATED", "authError")];
    send(res, status, content, fault);
  }

  function answerTo({ method, path, query, body }: AskedOfGoogle): [number, object] {
    if (method === "GET" && path === "/v2/domains") return [200, listed(query)];
    const [, name = "", act = ""] = /^\/v2\/domains\/([^/]+)\/(domainStats:query|complianceStatus)$/.exec(path) ?? [];
    const domain = domains.get(name);
    if (act === "") return [404, refusal(404, "NOT_FOUND", "notFound")];
    if (domain === undefined || domain.verificationState === "UNVERIFIED")
      return [403, refusal(403, "PERMISSION_DENIED", "forbidden")];
    if (act === "complianceStatus") {
      return method === "GET"
        ? [200, { name: `domains/${name}/complianceStatus`, ...domain.compliance }]
        : [404, refusal(404, "NOT_FOUND", "notFound")];
    }
    const read = StatsQuery.safeParse(body);
    if (method !== "POST" || !read.success) return [400, refusal(400, "INVALID_ARGUMENT", "badRequest")];
    return [200, statsOf(name, domain.days, read.data, settings.pageSize)];
  }

  function listed({ pageSize = "10", pageToken = "0" }: Record<string, string>): object {
    const first = Number(pageToken);
    const next = first + Math.min(Number(pageSize), settings.pageSize);
    const rows = [...domains].map(([name, { verificationState = "VERIFIED" }]) => ({
      name: `domains/${name}`,
      permission: "READER",
      createTime: "2026-01-02T03:04:05Z",
      verificationState,
    }));
    // Lists without entries and empty tokens are left out
    return {
      ...(rows.length > 0 && { domains: rows.slice(first, next) }),
      ...(next < rows.length && { nextPageToken: String(next) }),
    };
  }

  function grant(fields: URLSearchParams, res: ServerResponse): void {
    const of = (name: string) => fields.get(name) ?? "";
    grants.push(Object.fromEntries(fields));
    const fault = settings.grantFault();
    if (fault !== null && !isCut(fault)) {
      fail(res, fault);
      return;
    }
    const isGood =
      of("grant_type") === "refresh_token"
        ? of("client_id") === person.client_id &&
          of("client_secret") === person.client_secret &&
          of("refresh_token") === refreshToken
        : of("grant_type") === "urn:ietf:params:oauth:grant-type:jwt-bearer" && isSigned(of("assertion"));
    // A rude answer: it repeats what it was sent
    const said = `No: ${of("assertion")}${of("refresh_token")}${of("client_secret")}`;
    if (!isGood) {
      send(res, 400, { error: "invalid_grant", error_description: said });
      return;
    }
    const token = secret("ya29");
    tokens.push(token);
    valid.add(token);
    if (settings.rotates) refreshToken = secret("1");
    const rotated = of("grant_type") === "refresh_token" && settings.rotates ? { refresh_token: refreshToken } : {};
    send(res, 200, { access_token: token, expires_in: settings.lifeSeconds, token_type: "Bearer", ...rotated }, fault);
  }

  /** RFC 7523 3, as Google asks it: RS256, the account, the scopes, this endpoint, and at most an hour. */
  function isSigned(assertion: string): boolean {
    const [header = "", claims = "", signature = ""] = assertion.split(".");
    const signed = createVerify("RSA-SHA256").update(`${header}.${claims}`).verify(publicKey, signature, "base64url");
    if (!signed || Header.safeParse(jsonIn(header)).success === false) return false;
    const read = Claims.safeParse(jsonIn(claims));
    if (!read.success) return false;
    const { iss, scope, aud, iat, exp } = read.data;
    const now = Date.now() / 1_000;
    const isTimely = iat <= now + 60 && exp > now && exp - iat <= 3_600;
    // Google's own client names the usual endpoint, whatever the credentials say
    const isForUs = aud === token_uri || aud === "https://oauth2.googleapis.com/token";
    return iss === client_email && isForUs && scope === SCOPES && isTimely;
  }

  return {
    url,
    account,
    person,
    domains,
    asked,
    grants,
    settings,
    tokens,
    expire: () => valid.clear(),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

const Header = z.object({ alg: z.literal("RS256"), typ: z.literal("JWT"), kid: z.literal("key-1") });
const Claims = z.object({ iss: z.string(), scope: z.string(), aud: z.string(), iat: z.number(), exp: z.number() });

function jsonIn(part: string): unknown {
  return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
}

function secret(kind: string): string {
  return `${kind}.${createHash("sha256").update(randomBytes(16)).digest("hex")}`;
}

function isCut(fault: GoogleFault): fault is Cut {
  return fault === "half" || fault === "short";
}

function fail(res: ServerResponse, fault: Exclude<GoogleFault, Cut>): void {
  if (fault === "hang") return;
  if (fault === "reset") res.socket?.resetAndDestroy();
  else
    res
      .writeHead(fault.status, { "content-type": "application/json", ...fault.headers })
      .end(JSON.stringify(fault.body ?? {}));
}

function send(res: ServerResponse, status: number, content: object, cut: Cut | null = null): void {
  const text = JSON.stringify(content);
  const length = Buffer.byteLength(text) + (cut === null ? 0 : 1);
  res.writeHead(status, { "content-type": "application/json; charset=UTF-8", "content-length": String(length) });
  if (cut === null) res.end(text);
  else res.write(cut === "half" ? text.slice(0, text.length / 2) : text, () => res.destroy());
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

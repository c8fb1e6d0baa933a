import { createHmac, timingSafeEqual } from "node:crypto";
import { MINUTE_MS } from "../time/durations.ts";

interface Key {
  kid: string;
  key: Buffer;
}

const TOKEN = /^v1\.([A-Za-z0-9_-]{1,32})\.([A-Za-z0-9_-]{1,8000})\.([A-Za-z0-9_-]{43})$/;

/**
 * The token inside a URL that needs no credential: `v1.<kid>.<payload>.<mac>`. Until `until` (epoch milliseconds) its
 * holder may read only the one thing that the payload names. A token that was signed for one use is not valid for
 * another.
 */
function addressToken<T extends { until: number }>(use: string) {
  const macOf = (key: Buffer, signed: string) => createHmac("sha256", key).update(`${use}\0${signed}`).digest();
  return {
    sign([newest]: readonly [Key, ...Key[]], payload: T): string {
      const signed = `v1.${newest.kid}.${Buffer.from(JSON.stringify(payload)).toString("base64url")}`;
      return `${signed}.${macOf(newest.key, signed).toString("base64url")}`;
    },
    /**
     * Returns null for a token that none of the keys has signed, or that has expired. `now` is in epoch milliseconds.
     */
    read(keys: readonly Key[], token: string, now: number): T | null {
      const [, kid, body, mac] = TOKEN.exec(token) ?? [];
      const key = keys.find((candidate) => candidate.kid === kid)?.key;
      if (key === undefined || body === undefined || mac === undefined) return null;
      const signature = Buffer.from(mac, "base64url");
      const own = macOf(key, `v1.${kid}.${body}`);
      if (
        signature.toString("base64url") !== mac ||
        signature.length !== own.length ||
        !timingSafeEqual(signature, own)
      )
        return null;
      const payload: T = JSON.parse(Buffer.from(body, "base64url").toString());
      return payload.until > now ? payload : null;
    },
  };
}

/** The content of the token in the URL of an export. `until` is in epoch milliseconds. */
export interface ExportAddress {
  workspaceId: string;
  until: number;
  /** What is exported. A URL without this field exports leads. */
  kind?: "leads" | "lead" | "recipients" | "report" | "links" | "workbook" | "workspace" | "person";
  /** The filters of the caller's request, already checked. */
  asked: Record<string, unknown>;
}

export const { sign: signExport, read: readExport } = addressToken<ExportAddress>("export");

/** The content of the token in the URL of an attachment. `until` is in epoch milliseconds. */
interface FileAddress {
  workspaceId: string;
  until: number;
  messageId: string;
  attachmentId: string;
}

export const { sign: signFileToken, read: readFileToken } = addressToken<FileAddress>("file");

/** Milliseconds for which a plan may be committed (rules/access 4.2). */
export const PLAN_MS = 15 * MINUTE_MS;

/** The content of the token of a plan. `until` is in epoch milliseconds. */
export interface PlanAddress {
  /** The random id of the plan. A plan is committed only once. */
  id: string;
  until: number;
  workspaceId: string;
  credentialId: string;
  /** The name of the operation, as in the audit log. */
  verb: string;
  /** Digests of the fields of the request, and of the effect that was shown. */
  asked: string;
  effect: string;
}

export const { sign: signPlan, read: readPlan } = addressToken<PlanAddress>("plan");

/**
 * The content of the token in a URL that undoes a connection made by an OAuth consent. `until` is in epoch
 * milliseconds.
 */
interface UndoAddress {
  workspaceId: string;
  until: number;
  consentId: string;
}

export const { sign: signUndo, read: readUndo } = addressToken<UndoAddress>("undo");

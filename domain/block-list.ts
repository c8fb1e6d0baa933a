import { invalid } from "./errors.ts";
import { normalizeAddress } from "./message.ts";
import type { BlockType } from "./states.ts";

export interface Blocked {
  value: string;
  type: BlockType;
}

/**
 * What a caller asks to block, normalised: `Ada@X.com` is an address, `X.com` and `@x.com` a domain with all its
 * sub-domains (behaviours 2). @throws VALIDATION_FAILED when it is neither, or not of the type that was named.
 */
export function readBlocked(value: string, type?: BlockType): Blocked {
  const text = value.trim();
  const isDomain = !text.includes("@") || text.startsWith("@");
  const found: BlockType = isDomain ? "DOMAIN" : "EMAIL";
  const read = normalizeAddress(isDomain ? `postmaster@${text.replace(/^@/, "")}` : text);
  if (read === null) throw invalid("value", "must be an e-mail address or a domain", "INVALID_FORMAT");
  if (type !== undefined && type !== found) throw invalid("type", `does not fit the value, which is of type ${found}`, "TYPE_MISMATCH");
  return { value: isDomain ? read.domain : read.address, type: found };
}

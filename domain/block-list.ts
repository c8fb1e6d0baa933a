import { isLocalName } from "./access/allowed-hosts.ts";
import { invalid } from "./errors.ts";
import { isPublicSuffix, normalizeAddress } from "./mail/message.ts";
import type { BlockType } from "./states.ts";

export interface Blocked {
  value: string;
  type: BlockType;
}

/**
 * What a caller asks to block, normalised: `Ada@X.com` is an address, `X.com` and `@x.com` a domain with all its
 * sub-domains (behaviours 2). @throws VALIDATION_FAILED when it is neither, not of the type that was named, or a domain that is nobody's:
 * to block `co.uk` would stop mail to a country by one slip.
 */
export function readBlocked(value: string, type?: BlockType): Blocked {
  const text = value.trim();
  const isDomain = !text.includes("@") || text.startsWith("@");
  const found: BlockType = isDomain ? "DOMAIN" : "EMAIL";
  const read = normalizeAddress(isDomain ? `postmaster@${text.replace(/^@/, "")}` : text);
  if (read === null) throw invalid("value", "must be an e-mail address or a domain", "INVALID_FORMAT");
  if (type !== undefined && type !== found) throw invalid("type", `does not fit the value, which is of type ${found}`, "TYPE_MISMATCH");
  if (!isDomain) return { value: read.address, type: found };
  if (isPublicSuffix(read.domain)) throw invalid("value", "is shared by all who have a domain under it", "PUBLIC_SUFFIX");
  if (isLocalName(read.domain)) throw invalid("value", "is no domain of the internet", "INVALID_FORMAT");
  return { value: read.domain, type: found };
}

import { isLocalName } from "./access/allowed-hosts.ts";
import { invalid } from "./errors.ts";
import { isPublicSuffix, normalizeAddress } from "./mail/message.ts";
import type { BlockType } from "./states.ts";
import { peel, readOneAddress } from "./values/address.ts";
import { withoutInvisible } from "./values/invisible.ts";

export interface BlockListValue {
  value: string;
  type: BlockType;
}

/**
 * Normalises a value that a caller wants to block: `Ada@X.com` is an address, `X.com` and `@x.com` are a domain with
 * all its sub-domains (rules/leads 3.1). Throws VALIDATION_FAILED when the value is neither, when it is not of the type
 * that the caller named, or when the domain is a public suffix: blocking `co.uk` by mistake would stop mail to a whole
 * country.
 */
export function readBlockListValue(value: string, type?: BlockType): BlockListValue {
  const text = peel(withoutInvisible(value));
  const isDomain = !text.includes("@") || text.startsWith("@");
  const found: BlockType = isDomain ? "DOMAIN" : "EMAIL";
  const read = isDomain ? normalizeAddress(`postmaster@${text.replace(/^@/, "")}`) : readOneAddress(value);
  if (read === null) throw invalid("value", "must be an e-mail address or a domain", "INVALID_FORMAT");
  if (type !== undefined && type !== found)
    throw invalid("type", `must match the value, which is of type ${found}`, "TYPE_MISMATCH");
  if (!isDomain) return { value: read.address, type: found };
  if (isPublicSuffix(read.domain))
    throw invalid("value", "is a public suffix, which many owners share", "PUBLIC_SUFFIX");
  if (isLocalName(read.domain)) throw invalid("value", "is not a public internet domain", "INVALID_FORMAT");
  return { value: read.domain, type: found };
}

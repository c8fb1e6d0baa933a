/** How a receiver checks a signature: the raw body, the header X-Service-Signature and the secret go in. As docs/guides/webhooks.md has it. */
export const LANGUAGES = ["Node", "Python", "PHP"] as const;

export const SNIPPETS: Record<(typeof LANGUAGES)[number], string> = {
  Node: `import { createHmac, timingSafeEqual } from "crypto";

export function isGenuine(body, header, secret) {
  const own = Buffer.from(\`sha256=\${createHmac("sha256", secret).update(body).digest("hex")}\`);
  const given = Buffer.from(header ?? "");
  return own.length === given.length && timingSafeEqual(own, given);
}`,
  Python: `import hashlib
import hmac

def is_genuine(body: bytes, header: str, secret: str) -> bool:
    own = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(own.encode(), header.encode())`,
  PHP: `<?php
function is_genuine(string $body, string $header, string $secret): bool {
    return hash_equals('sha256=' . hash_hmac('sha256', $body, $secret), $header);
}`,
};

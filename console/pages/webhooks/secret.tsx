import { useState } from "react";
import { ShownOnce } from "../../kit/copy.tsx";
import { Field, Select, TextArea } from "../../kit/field.tsx";
import { Modal } from "../../kit/modal.tsx";
import { webhookWords as says } from "../../words/en/webhooks.ts";
import { words } from "../../words/en.ts";

export interface Secret {
  url: string;
  /** Undefined if the answer with the secret never arrived. */
  text: string | undefined;
}

/** Shows a secret once, with code for a receiver to verify signatures. */
export function SecretShown({ secret: { url, text }, onClose }: { secret: Secret; onClose: () => void }) {
  return (
    <Modal title={says.secretTitle} onClose={onClose} isWide>
      <p>
        <strong>{url}</strong>
      </p>
      <p>{says.secretText}</p>
      <ShownOnce label={says.secret} text={text} />
      <Snippet />
      <div className="buttons">
        <button type="button" className="primary" onClick={onClose}>
          {words.close}
        </button>
      </div>
    </Modal>
  );
}

/** Code that verifies a signature, for each language, with a button to copy it. */
function Snippet() {
  const [language, setLanguage] = useState<string>(LANGUAGES[0]);
  const text = SNIPPETS[LANGUAGES.find((one) => one === language) ?? LANGUAGES[0]];
  return (
    <>
      <Select
        label={says.language}
        name="language"
        value={language}
        options={LANGUAGES.map((value) => ({ value, text: value }))}
        onPick={setLanguage}
      />
      <ShownOnce label={says.snippet} text={text} rows={text.split("\n").length} />
    </>
  );
}

/** A form that verifies a signature. It runs only in the browser; nothing is sent to the server. */
export function Check() {
  const [given, setGiven] = useState({ secret: "", body: "", header: "" });
  const [isGenuine, setGenuine] = useState<boolean | null>(null);
  const type = (name: keyof typeof given) => (value: string) => {
    setGenuine(null);
    setGiven({ ...given, [name]: value });
  };
  const [forSecret, forBody, forHeader] = [type("secret"), type("body"), type("header")];
  const compare = async () => setGenuine(await isSignedBy(given.secret.trim(), given.body, given.header.trim()));
  return (
    <details className="narrow">
      <summary>{says.verify}</summary>
      <p>
        {says.verifyText} <span className="fine">{says.stays}</span>
      </p>
      {window.isSecureContext ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void compare();
          }}
        >
          <TextArea
            label={says.body}
            name="body"
            rows={4}
            dir="ltr"
            required
            onChange={({ currentTarget }) => forBody(currentTarget.value)}
          />
          <Field
            label={says.header}
            name="header"
            dir="ltr"
            required
            onChange={({ currentTarget }) => forHeader(currentTarget.value)}
          />
          <Field
            label={says.secret}
            name="secret"
            dir="ltr"
            autoComplete="off"
            required
            onChange={({ currentTarget }) => forSecret(currentTarget.value)}
          />
          <div className="chips">
            <button type="submit">{says.check}</button>
            <span role="status">
              {isGenuine !== null && (
                <span className={`mark ${isGenuine ? "good" : "bad"}`}>{isGenuine ? says.genuine : says.forged}</span>
              )}
            </span>
          </div>
        </form>
      ) : (
        <p>{says.cannotCheck}</p>
      )}
      <Snippet />
    </details>
  );
}

/**
 * Whether the signature of a body is valid for a secret, calculated as a receiver does. It works only on pages loaded
 * over https or from localhost.
 */
async function isSignedBy(secret: string, body: string, header: string): Promise<boolean> {
  const bytes = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", bytes.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes.encode(body)));
  return header === `sha256=${[...mac].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/**
 * Code with which a receiver verifies a signature, as in docs/guides/webhooks.md. Its inputs are the raw body, the
 * header X-Service-Signature and the secret.
 */
const LANGUAGES = ["Node", "Python", "PHP"] as const;

const SNIPPETS: Record<(typeof LANGUAGES)[number], string> = {
  Node: `import { createHmac, timingSafeEqual } from "crypto";

function isGenuine(body, header, secret) {
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

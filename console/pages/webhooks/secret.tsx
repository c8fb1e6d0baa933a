import { useState } from "react";
import { Field, Select, TextArea } from "../../kit/field.tsx";
import { Modal } from "../../kit/modal.tsx";
import { ShownOnce } from "../../kit/shown-once.tsx";
import { webhookWords as says } from "../../words/en/webhooks.ts";
import { words } from "../../words/en.ts";
import { isSignedBy } from "./signature.ts";
import { LANGUAGES, SNIPPETS } from "./snippets.ts";

export interface Secret {
  url: string;
  /** Undefined where the answer that had it never arrived. */
  text: string | undefined;
}

/** A secret that nothing shows again, and how a receiver uses it. */
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

/** A few lines that check a signature, by language, to be copied. */
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

/** Compares a signature with what it should be, in the browser alone. */
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
          <Field label={says.header} name="header" dir="ltr" required onChange={({ currentTarget }) => forHeader(currentTarget.value)} />
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
              {isGenuine !== null && <span className={`mark ${isGenuine ? "good" : "bad"}`}>{isGenuine ? says.genuine : says.forged}</span>}
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

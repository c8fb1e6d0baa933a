import { type ReactNode, useEffect } from "react";
import { SCOPES } from "../../domain/scopes.ts";
import type { Refusal } from "../api/refusal.ts";
import { useSignal } from "../api/signal.ts";
import { loadSentences, placeInWords, sentenceOf, sentences } from "../words/codes.ts";
import { words } from "../words/en.ts";

/** An error, shown where it occurred: a sentence, the code and trace id for support, and a button to try again. */
export function RefusalAlert({ refusal, again }: { refusal: Refusal; again?: () => void }) {
  const { code, traceId, status } = refusal;
  const texts = useSignal(sentences);
  useEffect(() => void loadSentences().catch(() => {}), []); // without them the code is shown
  return (
    <div className="alert bad" role="alert">
      <p>{status === 403 ? forbiddenSentence(refusal) : sentenceOf(refusal, texts)}</p>
      {refusal.issues.length > 0 && (
        <ul>
          {refusal.issues.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {placeInWords(path)} {message}
            </li>
          ))}
        </ul>
      )}
      <p className="fine">
        <code>{code}</code>
        {traceId !== undefined && (
          <>
            {" "}
            {words.trace} <code>{traceId}</code>
          </>
        )}
      </p>
      {again !== undefined && (
        <button type="button" onClick={again}>
          {words.tryAgain}
        </button>
      )}
    </div>
  );
}

function forbiddenSentence(refusal: Refusal): string {
  const { requiredScope } = refusal.details;
  const names: Readonly<Record<string, string>> = SCOPES;
  const may = typeof requiredScope === "string" ? names[requiredScope] : undefined;
  return may === undefined ? sentenceOf(refusal) : words.mayNot(may);
}

/** A notice that is not an error. `attention` means that a person should act. */
export function Notice({ kind = "plain", children }: { kind?: "plain" | "attention"; children: ReactNode }) {
  return (
    <div className={`alert ${kind}`} role="note">
      {children}
    </div>
  );
}

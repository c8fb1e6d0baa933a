import { When } from "../../kit/when.tsx";
import { approvalWords as says } from "../../words/en/approvals.ts";
import type { Approval } from "./reads.ts";

/** What approving puts on the wire: whom, how many, from where, when, and the very mails. */
export function EffectOf({ effect }: { effect: Approval["effect"] }) {
  if (effect === null) return null;
  const { people, mails, mailboxes, heldOut, firstSendAt, lastSendAt, recipients, texts, validation } = effect;
  return (
    <>
      <p className="headline">{says.people(people)}</p>
      {heldOut > 0 && <p>{says.heldOut(heldOut)}</p>}
      <p>
        {says.mails(mails, mailboxes.length)} <bdi>({mailboxes.map(({ email }) => email).join(", ")})</bdi>
      </p>
      <p>
        {says.first} {firstSendAt === null ? says.atOnce : <When at={String(firstSendAt)} />}
        {lastSendAt !== null && lastSendAt !== firstSendAt && (
          <>
            , {says.last.toLowerCase()} <When at={String(lastSendAt)} />
          </>
        )}
      </p>
      {validation !== null && validation.warnings.length > 0 && (
        <ul>
          {validation.warnings.map(({ code, message, path }) => (
            <li key={`${code} ${path}`}>{message}</li>
          ))}
        </ul>
      )}
      {recipients.length > 1 && (
        <details>
          <summary>{says.who}</summary>
          <ul className="plain">
            {recipients.map((address) => (
              <li key={address}>
                <bdi>{address}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
      {texts.length > 0 && (
        <details open={texts.length === 1}>
          <summary>{says.texts}</summary>
          {texts.map(({ to, cc, subject, text, fileNames, stepId }, index) => (
            <article key={stepId ?? index} className="mail">
              <h3>
                <bdi>{subject === "" ? says.noSubject : subject}</bdi>
              </h3>
              <p className="fine">
                <bdi>{says.to(to)}</bdi>
                {cc.length > 0 && <bdi>, {says.copies(cc.join(", "))}</bdi>}
                {fileNames.length > 0 && <bdi>, {says.files(fileNames.join(", "))}</bdi>}
              </p>
              <p className="text">
                <bdi>{text}</bdi>
              </p>
            </article>
          ))}
        </details>
      )}
    </>
  );
}

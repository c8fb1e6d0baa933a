import { When } from "../../kit/when.tsx";
import { EFFECTS } from "../../words/en/access/policies.ts";
import { approvalWords as says } from "../../words/en/approvals.ts";
import { EditOf } from "./edit.tsx";
import type { Approval } from "./reads.ts";

/**
 * The effect of approving: the recipients, the number of emails, the mailboxes, the times and the texts; or what it
 * changes, discloses and deletes.
 */
export function EffectOf({ effect }: { effect: Approval["effect"] }) {
  if (effect === null) return null;
  if (effect.kind === "CHANGE") return <ChangeOf effect={effect} />;
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
            <li key={`${code} ${path} ${message}`}>{message}</li>
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
      <Texts texts={texts} />
    </>
  );
}

type Effect = NonNullable<Approval["effect"]>;

/**
 * The effect of a call that does not itself send: what it would create, change and delete, whom it would email later,
 * and which addresses it would notify.
 */
function ChangeOf({ effect: { people, causes, changes, differences, destinations, texts, edit } }: { effect: Effect }) {
  return (
    <>
      {causes.length > 0 && <p className="headline">{causes.map((cause) => EFFECTS[cause]).join(", ")}</p>}
      {people > 0 && <p>{says.added(people)}</p>}
      {destinations.length > 0 && (
        <p>
          {says.tells} <bdi>{destinations.join(", ")}</bdi>
        </p>
      )}
      <ul>
        {besidesJobs(changes).map(({ what, created, changed, deleted, examples }) => (
          <li key={what}>
            {says.change(what, { created, changed, deleted })} <bdi className="fine">{examples.join(", ")}</bdi>
          </li>
        ))}
      </ul>
      {edit !== null && <EditOf edit={edit} />}
      {differences.map(({ to, before, after }) => (
        <article key={to} className="mail">
          <h3>
            <bdi>{says.nextTo(to)}</bdi>
          </h3>
          <Version head={says.before} mail={before} />
          <Version head={says.after} mail={after} />
        </article>
      ))}
      <Texts texts={texts} />
    </>
  );
}

/** The changes without the job that makes them. */
function besidesJobs(changes: Effect["changes"]): Effect["changes"] {
  const others = changes.filter(({ what }) => what !== "jobs");
  return others.length === 0 ? changes : others;
}

function Version({ head, mail }: { head: string; mail: Effect["differences"][number]["before"] }) {
  return (
    <>
      <p className="fine">
        {head} <bdi>{mail === null ? says.noMail : mail.subject === "" ? says.noSubject : mail.subject}</bdi>
      </p>
      {mail !== null && (
        <p className="text">
          <bdi>{mail.text}</bdi>
        </p>
      )}
    </>
  );
}

function Texts({ texts }: { texts: Effect["texts"] }) {
  return (
    <>
      {texts.length > 0 && (
        <details open={texts.length === 1}>
          <summary>{says.texts}</summary>
          {texts.map(({ to, cc, subject, text, fileNames, stepId, variantId }, index) => (
            <article key={`${stepId ?? index} ${variantId} ${to}`} className="mail">
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

import type { ReactNode } from "react";
import { Given, LongText } from "../../kit/given.tsx";
import { To } from "../../kit/to.tsx";
import { When } from "../../kit/when.tsx";
import { ACTOR } from "../../words/en/access/audit.ts";
import { CREATED_FROM, leadWords as says, VERIFICATION_REASON } from "../../words/en/leads/lead.ts";
import { VERIFICATION } from "../../words/en/leads/leads.ts";
import { useMemberNames } from "../access/reads.ts";
import type { Lead } from "./reads.ts";

const TEXTS = ["fullName", "company", "jobTitle", "website", "phone", "city", "state", "country", "timezone"] as const;

/** A text with more characters than this gets a row of its own. */
const WIDE = 80;

/** The data of a lead: filled fields, custom fields, tags, lists, and where the lead comes from. */
export function Facts({ lead }: { lead: Lead }) {
  const texts = TEXTS.flatMap((name) => {
    const text = lead[name];
    return text === null ? [] : [{ name: says.fields[name], text }];
  });
  const custom = Object.entries(lead.customFields).map(([name, value]) => ({ name, text: valueText(value) }));
  const { emailDomain, secondaryEmails, tags, lists, source, createdAt, lastContactedAt, lastRepliedAt } = lead;
  return (
    <section aria-labelledby="facts">
      <h2 id="facts">{says.facts}</h2>
      {texts.length + custom.length === 0 && <p>{says.nothingKnown}</p>}
      <dl className="facts">
        {[...texts, ...custom].map(({ name, text }) => (
          <Fact key={name} name={<Given>{name}</Given>} isWide={text.length > WIDE}>
            <LongText text={text} />
          </Fact>
        ))}
        {secondaryEmails.length > 0 && (
          <Fact name={says.others}>
            <Given>{secondaryEmails.join(", ")}</Given>
          </Fact>
        )}
        <Fact name={says.verification}>
          <Verification lead={lead} />
        </Fact>
        {tags.length > 0 && (
          <Fact name={says.tags}>
            <Links all={tags.map((tag) => ({ id: tag, name: tag, view: { tag } }))} />
          </Fact>
        )}
        {lists.length > 0 && (
          <Fact name={says.lists}>
            <Links all={lists.map(({ id, name }) => ({ id, name, view: { list: id } }))} />
          </Fact>
        )}
        <Fact name={says.colleagues}>
          <To page="/leads" view={{ domain: emailDomain }}>
            {says.sameDomain(emailDomain)}
          </To>
        </Fact>
        {source !== null && (
          <Fact name={says.source}>
            <Given>{source}</Given>
          </Fact>
        )}
        <Fact name={says.createdFrom}>
          <CreatedFrom lead={lead} />
        </Fact>
        <Fact name={says.createdAt}>
          <When at={createdAt} />
        </Fact>
        {lastContactedAt !== null && (
          <Fact name={says.lastContactedAt}>
            <When at={lastContactedAt} />
          </Fact>
        )}
        {lastRepliedAt !== null && (
          <Fact name={says.lastRepliedAt}>
            <When at={lastRepliedAt} />
          </Fact>
        )}
      </dl>
    </section>
  );
}

function Fact({ name, isWide = false, children }: { name: ReactNode; isWide?: boolean; children: ReactNode }) {
  return (
    <div className={isWide ? "wide" : ""}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Links to all leads that have the tag or are in the list. */
function Links({ all }: { all: readonly { id: string; name: string; view: Readonly<Record<string, string>> }[] }) {
  return (
    <ul className="plain">
      {all.map(({ id, name, view }) => (
        <li key={id}>
          <To page="/leads" view={view}>
            <Given>{name}</Given>
          </To>
        </li>
      ))}
    </ul>
  );
}

/** What the lead was created from, and by whom. */
function CreatedFrom({ lead: { createdFrom } }: { lead: Lead }) {
  const { nameOf } = useMemberNames();
  if (createdFrom === null) return <span className="fine">{says.notRecorded}</span>;
  const { kind, name, actor } = createdFrom;
  return (
    <>
      <Given>{CREATED_FROM[kind](name)}</Given>
      {actor !== null && (
        <span className="fine">
          {" "}
          {says.by} {actor.kind !== "CONSOLE" && `${ACTOR[actor.kind]} `}
          <bdi>{nameOf(actor.id) ?? actor.id}</bdi>
        </span>
      )}
    </>
  );
}

function Verification({ lead: { verificationStatus, verifiedAt, verification } }: { lead: Lead }) {
  const details = verification === null ? [] : saidOf(verification);
  return (
    <>
      {VERIFICATION[verificationStatus]}
      {details.length > 0 && `: ${details.join(", ")}`}
      {verifiedAt !== null && (
        <span className="fine">
          {" "}
          <When at={verification?.foundAt ?? verifiedAt} />
        </span>
      )}
      {verification !== null && verification.suggestion !== null && (
        <div>{says.suggestion(verification.suggestion)}</div>
      )}
    </>
  );
}

function saidOf({
  reason,
  isDisposable,
  isRole,
  isFreeMail,
  mailHost,
  smtpCode,
  enhancedCode,
}: NonNullable<Lead["verification"]>) {
  const code = [smtpCode, enhancedCode].filter((part) => part !== null).join(" ");
  const known = [
    VERIFICATION_REASON[reason],
    ...(isDisposable ? [says.disposable] : []),
    ...(isRole ? [says.role] : []),
    ...(isFreeMail ? [says.freeMail] : []),
    ...(mailHost !== null && code !== "" ? [says.server(mailHost, code)] : []),
  ];
  return [...new Set(known)];
}

function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

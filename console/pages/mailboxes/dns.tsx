import type { Out } from "../../api/call.ts";
import { useCall, useWrite } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Copy } from "../../kit/copy.tsx";
import { Looking } from "../../kit/looking.tsx";
import { say } from "../../kit/toast.tsx";
import { When } from "../../kit/when.tsx";
import { dnsWords as says } from "../../words/en/mailboxes/mailbox.ts";
import { DNS_VERDICT, VERIFICATION } from "../../words/en/mailboxes/states.ts";
import { DnsMarks } from "./marks.tsx";
import { type Mailbox, RENEWS } from "./reads.ts";

type Check = Out<"get /deliverability/domains">["items"][number]["checks"][number];
const EVERY_MS = 5_000;

/** The results of the DNS checks of the mailbox's domain, and the records to publish, ready to copy. */
export function Dns({ mailbox }: { mailbox: Mailbox }) {
  const { id: mailboxId, email, verification } = mailbox;
  const domain = email.slice(email.lastIndexOf("@") + 1);
  const may = useMay();
  const { data, refusal, isLooking, again } = useCall(
    "get /deliverability/domains",
    { domain },
    { every: EVERY_MS, isOff: !may("deliverability:read") },
  );
  const checks = data?.items[0]?.checks ?? [];
  return (
    <section aria-labelledby="dns">
      <div className="title">
        <h2 id="dns">{says.domain(domain)}</h2>
        {may("mailboxes:write") && <CheckAgain mailboxId={mailboxId} />}
      </div>
      <p>
        {VERIFICATION[verification.status]}{" "}
        {verification.checkedAt !== null && (
          <span className="fine">
            {says.checked} <When at={verification.checkedAt} />
          </span>
        )}
      </p>
      <DnsMarks mailbox={mailbox} />
      {refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
      {data === undefined && <Looking isLooking={isLooking} />}
      {data !== undefined && checks.length === 0 && <p>{says.none}</p>}
      {checks.map((check) => (
        <OneCheck key={check.check} check={check} />
      ))}
      <Tracking mailbox={mailbox} />
    </section>
  );
}

/** The button that checks the records of a domain again, by a probe from one of its mailboxes. */
export function CheckAgain({ mailboxId }: { mailboxId: string }) {
  const { run, isRunning, refusal } = useWrite("post /mailboxes/:mailboxId/verify-dns", { renews: RENEWS });
  const ask = async () => {
    if ((await run({ action: "resend", mailboxId })) !== null) say(says.saidAgain);
  };
  return (
    <>
      <button type="button" aria-disabled={isRunning} onClick={() => void ask()}>
        {says.again}
      </button>
      {refusal !== null && <RefusalAlert refusal={refusal} />}
    </>
  );
}

/** What one check found, and the records to publish. */
export function OneCheck({ check: { check, verdict, detail, found, publish } }: { check: Check }) {
  const text = verdict === "ABSENT" ? says.optional : DNS_VERDICT[verdict].text;
  const name = check.replaceAll("_", "-");
  return (
    <article className="check">
      <h3>
        {name} <span className="fine">{text}</span>
      </h3>
      <p>{detail}</p>
      {found.length > 0 && (
        <details>
          <summary>{`${says.found}: ${name}`}</summary>
          <ul className="plain">
            {found.map((record) => (
              <li key={record}>
                <code>{record}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
      {publish.length > 0 && <p>{says.publish}</p>}
      {publish.map((record) => (
        <Publish key={`${record.type} ${record.name} ${record.value}`} {...record} />
      ))}
    </article>
  );
}

function Publish({ type, name, value }: Check["publish"][number]) {
  return (
    <dl className="publish">
      <dt>{says.type}</dt>
      <dd>{type}</dd>
      <dt>{says.name}</dt>
      <dd>
        <Copy label={`${type} ${says.name}, ${name}`} text={name} />
      </dd>
      <dt>{says.value}</dt>
      <dd>
        <Copy label={`${type} ${says.value}, ${name}`} text={value} />
      </dd>
    </dl>
  );
}

/** The record that a tracking domain of the mailbox needs. */
export function Tracking({ mailbox: { trackingDomain } }: { mailbox: Pick<Mailbox, "trackingDomain"> }) {
  const { domain, expectedCname, status, error } = trackingDomain;
  if (domain === null || expectedCname === null) return null;
  const { text } = DNS_VERDICT[status === "VERIFIED" ? "PASS" : status === "FAILED" ? "FAIL" : "UNKNOWN"];
  return (
    <article className="check">
      <h3>
        {says.tracking} <span className="fine">{text}</span>
      </h3>
      {error !== null && <p>{says.trackingFault(error)}</p>}
      {status !== "VERIFIED" && <Publish type="CNAME" name={domain} value={expectedCname} />}
    </article>
  );
}

import type { FindingVerdict } from "../../../domain/deliverability/finding.ts";
import type { ItemOf } from "../../api/call.ts";
import { useCall } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Empty } from "../../kit/page.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { To } from "../../kit/to.tsx";
import { PAGE_SIZE, type Raw, readPaged, useSort, useView } from "../../kit/view.ts";
import { When } from "../../kit/when.tsx";
import { FINDING, RULE, deliverabilityWords as says } from "../../words/en/mailboxes/deliverability.ts";
import { dnsWords } from "../../words/en/mailboxes/mailbox.ts";
import { NOT_CHECKED } from "../../words/en/mailboxes/states.ts";
import { nouns } from "../../words/en/nouns.ts";
import { CheckAgain, OneCheck, Tracking } from "../mailboxes/dns.tsx";
import type { ListedMailbox } from "../mailboxes/reads.ts";

type Domain = ItemOf<"get /deliverability/domains"> & { id: string };

const EVERY_MS = 10_000;
/** Milliseconds between reads while a domain is open, because a person may wait for the result of a check. */
const SOON_MS = 3_000;
const RECORDS = ["mx", "spf", "dkim", "dmarc"] as const;

function readView(raw: Raw) {
  return { ...readPaged(raw), domain: raw["domain"] ?? null };
}

/** All sending domains with the results of their last check. An open one shows what to publish. */
export function Domains() {
  const [{ page, domain: open }, change] = useView(readView);
  const may = useMay();
  const order = useSort({ served: ["domain"], usual: "domain" });
  const domains = useCall(
    "get /deliverability/domains",
    { page, pageSize: PAGE_SIZE, sort: order.asked },
    { every: open === null ? EVERY_MS : SOON_MS },
  );
  const mailboxes = useCall("get /mailboxes", { figures: "false" }, { isOff: open === null, every: EVERY_MS });
  // A link may open a domain of another page
  const isApart = open !== null && domains.data?.items.every(({ domain }) => domain !== open) === true;
  const apart = useCall("get /deliverability/domains", { domain: open ?? "" }, { isOff: !isApart, every: SOON_MS });
  const data = domains.data && {
    ...domains.data,
    items: domains.data.items.map((one): Domain => ({ ...one, id: one.domain })),
  };
  const columns: Column<Domain>[] = [
    { head: says.domain, by: "domain", sortKey: ({ domain }) => domain, cell: ({ domain }) => domain },
    {
      head: says.mailboxes,
      isNumber: true,
      cell: ({ mailboxes }) => (mailboxes === 0 ? says.monitored : mailboxes),
    },
    { head: says.records, cell: (row) => <Marks domain={row} /> },
    {
      head: says.blockLists,
      cell: ({ blockLists }) => {
        const listed = blockLists.filter(({ status }) => status === "LISTED").length;
        if (listed > 0) return <span className="wrong">{says.listed(listed)}</span>;
        return blockLists.length === 0 ? says.noLists : says.notListed;
      },
    },
    { head: says.score, cell: ({ score }) => (score === null ? says.unscored : says.ofHundred(score)) },
    {
      head: says.inJunk,
      isNumber: true,
      cell: ({ spamPlacementRate: rate }) => (rate === null ? "–" : says.share(rate)),
    },
    {
      head: says.checked,
      cell: ({ checkedAt }) => (checkedAt === null ? says.never : <When at={checkedAt} />),
    },
    {
      head: says.details,
      cell: ({ domain }) => (
        <button
          type="button"
          aria-expanded={open === domain}
          aria-label={(open === domain ? says.hideOf : says.showOf)(domain)}
          onClick={() => change({ domain: open === domain ? null : domain, page })}
        >
          {open === domain ? says.hide : says.show}
        </button>
      ),
    },
  ];
  return (
    <>
      {mailboxes.refusal !== null && <RefusalAlert refusal={mailboxes.refusal} again={mailboxes.again} />}
      {isApart && apart.refusal !== null && <RefusalAlert refusal={apart.refusal} again={apart.again} />}
      {isApart &&
        apart.data?.items.map((one) => (
          <DomainShown key={one.domain} domain={{ ...one, id: one.domain }} mailboxes={mailboxes.data ?? []} />
        ))}
      <Table
        label={says.parts.domains}
        nouns={nouns.domains}
        rows={{ ...domains, data }}
        order={order}
        columns={columns}
        opened={{ id: open, show: (row) => <DomainShown domain={row} mailboxes={mailboxes.data ?? []} /> }}
        empty={
          <Empty text={says.noDomains}>
            {may("mailboxes:connect") && (
              <To page="/mailboxes/connect" className="button primary">
                {says.connect}
              </To>
            )}
          </Empty>
        }
        onPage={(next) => change({ page: next, domain: null })}
      />
    </>
  );
}

/** The result of each check in a word, with its meaning on hover and for screen readers. */
function Marks({ domain }: { domain: Domain }) {
  return (
    <ul className="signs">
      {RECORDS.map((name) => {
        const verdict: FindingVerdict | null = domain[name];
        const { word, text } = verdict === null ? NOT_CHECKED : FINDING[verdict];
        return (
          <li key={name} title={text}>
            {name.toUpperCase()}{" "}
            <span aria-hidden="true" className={verdict === "FAIL" ? "bad" : "fine"}>
              {word}
            </span>
            <span className="hidden">{text}</span>
          </li>
        );
      })}
    </ul>
  );
}

/** What the checks of a domain found, what to publish, and its tracking domains. */
function DomainShown({ domain, mailboxes }: { domain: Domain; mailboxes: readonly ListedMailbox[] }) {
  const may = useMay();
  const own = mailboxes.filter(({ email }) => email.endsWith(`@${domain.domain}`));
  // A check sends a probe from a mailbox to itself, so it takes one that is connected
  const prober = own.find(({ status }) => status === "CONNECTED");
  const listed = domain.blockLists.filter(({ status }) => status === "LISTED");
  const tracked = own.filter(({ trackingDomain }) => trackingDomain.domain !== null);
  return (
    <section>
      <h2>{dnsWords.domain(domain.domain)}</h2>
      {may("mailboxes:write") && prober !== undefined && <CheckAgain mailboxId={prober.id} />}
      {domain.checks.length === 0 && <p>{dnsWords.none}</p>}
      {domain.checks.map((check) => (
        <OneCheck key={check.check} check={check} />
      ))}
      {listed.length > 0 && (
        <article className="check">
          <h3>{says.blockLists}</h3>
          {listed.map(({ subject, zone }) => (
            <p key={`${subject} ${zone}`}>{says.listedOn(subject, zone)}</p>
          ))}
          <p>{says.unlist}</p>
        </article>
      )}
      <SenderRules domain={domain} />
      {[...new Map(tracked.map((one) => [one.trackingDomain.domain, one])).values()].map((mailbox) => (
        <Tracking key={mailbox.id} mailbox={mailbox} />
      ))}
    </section>
  );
}

/** The requirements of mail services that the domain does not meet. */
function SenderRules({ domain: { senderRules } }: { domain: Domain }) {
  const broken = senderRules.flatMap(({ host, rules }) =>
    rules.filter(({ verdict }) => verdict === "FAIL" || verdict === "WARN").map((rule) => ({ host, ...rule })),
  );
  if (senderRules.length === 0) return null;
  return (
    <article className="check">
      <h3>{says.rules}</h3>
      {broken.length === 0 && <p>{says.rulesMet}</p>}
      <ul className="plain">
        {broken.map(({ host, rule, detail }) => (
          <li key={`${host} ${rule}`}>{says.rule(inWords(host), RULE[rule], detail)}</li>
        ))}
      </ul>
    </article>
  );
}

function inWords(host: string): string {
  return `${host.charAt(0)}${host.slice(1).toLowerCase()}`;
}

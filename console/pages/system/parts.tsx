import type { Out } from "../../api/call.ts";
import { systemWords as says } from "../../words/en/system.ts";

export type System = Out<"get /system">;
type State = "good" | "waits" | "bad";

interface Part {
  name: string;
  state: State;
  details: string;
}

/** Milliseconds that work may wait or be late before a part counts as unhealthy. */
const SLOW_MS = 60_000;
const BEHIND_MS = 10_000;
/** Milliseconds without progress until a job counts as stuck; long, because jobs may wait for slow mail servers. */
const STUCK_MS = 15 * 60_000;

/** Each part of the service with its state, as a word and a colour, and details. */
export function Parts({ system }: { system: System }) {
  return (
    <table className="cards">
      <caption className="hidden">{says.parts}</caption>
      <thead>
        <tr>
          <th scope="col">{says.part}</th>
          <th scope="col">{says.state}</th>
          <th scope="col">{says.details}</th>
        </tr>
      </thead>
      <tbody>
        {systemParts(system).map(({ name, state, details }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td data-head={says.state}>
              <span className={`mark ${state}`}>{says.states[state]}</span>
            </td>
            <td data-head={says.details}>{details}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function systemParts({
  database,
  engine,
  outbox,
  webhooks,
  jobs,
  mailboxes,
  providers,
  overdue,
  heldBack,
  unknown,
}: System): Part[] {
  const { GOOD, FAILING, DOWN, OFF } = mailboxes.byCondition;
  return [
    {
      name: says.database,
      state: (database.lagMs ?? 0) > BEHIND_MS ? "waits" : "good",
      details: says.mongo(database.version, database.members, database.lagMs),
    },
    ...partsOfEngine(engine),
    {
      name: says.outbox,
      state: outbox.oldestMs > SLOW_MS ? "waits" : "good",
      details: says.rows(outbox.rows, outbox.oldestMs),
    },
    {
      name: says.webhooks,
      state: webhooks.lateMs > SLOW_MS || webhooks.deadLetters > 0 ? "waits" : "good",
      details: says.posts(webhooks.waiting, webhooks.lateMs, webhooks.deadLetters),
    },
    {
      name: says.jobs,
      state: jobs.open > 0 && jobs.oldestMs > STUCK_MS ? "waits" : "good",
      details: says.openJobs(jobs.open, jobs.oldestMs),
    },
    {
      name: says.mailboxes,
      state: mailboxes.unsynced + DOWN > 0 ? "bad" : FAILING > 0 ? "waits" : "good",
      details: says.mailboxStates({ good: GOOD, failing: FAILING, down: DOWN, off: OFF, unread: mailboxes.unsynced }),
    },
    {
      name: says.providers,
      state: providers.some(({ mailboxes }) => mailboxes > 0) ? "bad" : providers.length > 0 ? "waits" : "good",
      details: says.providerProblems(providers.map(({ message }) => message)),
    },
    { name: says.overdue, state: overdue.count > 0 ? "bad" : "good", details: says.overdueCount(overdue.count) },
    { name: says.heldBack, state: heldBack.count > 0 ? "waits" : "good", details: says.heldBackCount(heldBack.count) },
    { name: says.unknown, state: unknown.count > 0 ? "waits" : "good", details: says.unknownCount(unknown.count) },
  ];
}

/**
 * Temporal and its workers. While Temporal is unreachable, nothing is known about the workers, so only Temporal is
 * listed.
 */
function partsOfEngine({ state, missing }: System["engine"]): Part[] {
  if (state === null) return [{ name: says.engine, state: "bad", details: says.away }];
  const idle = state.queues.filter(({ pollers }) => pollers === 0).map(({ name }) => name);
  const lacks = missing.filter(({ code }) => code !== "NO_WORKER").map(({ message }) => message);
  return [
    {
      name: says.engine,
      state: lacks.length > 0 ? "bad" : "good",
      details: [says.temporal(state.version, state.namespace), ...lacks].join(". "),
    },
    {
      name: says.workers,
      state: idle.length > 0 ? "bad" : "good",
      details: idle.length > 0 ? says.noWorker(idle.join(", ")) : says.allWorked(state.queues.length),
    },
  ];
}

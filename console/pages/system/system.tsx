import { useCall } from "../../api/query.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Looking } from "../../kit/looking.tsx";
import { Page } from "../../kit/page.tsx";
import { Scrolling } from "../../kit/scrolling.tsx";
import { To } from "../../kit/to.tsx";
import { When } from "../../kit/when.tsx";
import { QUEUE, systemWords as says } from "../../words/en/system.ts";
import { formatCount } from "../../words/format.ts";
import { Parts, type System } from "./parts.tsx";
import { SetUp } from "./setup.tsx";
import { Overdue, Unknown, Unread } from "./waiting.tsx";

const EVERY_MS = 15_000;

/** The state of the service, for operators: the health of its parts, then everything that waits for a person. */
export function SystemPage() {
  const system = useCall("get /system", {}, { every: EVERY_MS });
  const { data, refusal, isLooking, again } = system;
  return (
    <Page title={says.title} actions={<To page="/system/workspaces">{says.workspaces}</To>}>
      {refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
      <Looking isLooking={isLooking} />
      {data !== undefined && (
        <>
          <Scrolling label={says.parts}>
            <Parts system={data} />
          </Scrolling>
          <p className="fine">
            {says.readAt} <When at={data.at} />
          </p>
          <Unknown system={data} called={system} />
          <Overdue system={data} called={system} />
          <Unread system={data} called={system} />
          <Queues engine={data.engine} />
          <SetUp />
          <Versions versions={data.versions} />
        </>
      )}
    </Page>
  );
}

function Queues({ engine: { state } }: { engine: System["engine"] }) {
  if (state === null) return null;
  return (
    <section>
      <h2>{says.queues}</h2>
      <Scrolling label={says.queues}>
        <table className="cards">
          <thead>
            <tr>
              <th scope="col">{says.queue}</th>
              {[says.backlog, says.oldest, says.pollers].map((head) => (
                <th key={head} scope="col" className="number">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {state.queues.map(({ name, backlog, oldestMs, pollers }) => (
              <tr key={name}>
                <th scope="row">
                  {name} <span className="fine">{QUEUE[name]}</span>
                </th>
                <td className="number" data-head={says.backlog}>
                  {formatCount(backlog)}
                </td>
                <td className="number" data-head={says.oldest}>
                  {says.span(oldestMs)}
                </td>
                <td className="number" data-head={says.pollers}>
                  {formatCount(pollers)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
    </section>
  );
}

function Versions({ versions: { service, node, schema } }: Pick<System, "versions">) {
  return (
    <section>
      <h2>{says.versions}</h2>
      <dl className="pairs">
        <dt>{says.service}</dt>
        <dd>{service}</dd>
        <dt>{says.node}</dt>
        <dd>{node}</dd>
        <dt>{says.schema}</dt>
        <dd>{schema ?? says.none}</dd>
      </dl>
    </section>
  );
}

import type { Out } from "../../api/call.ts";
import { useCall } from "../../api/query.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Looking } from "../../kit/looking.tsx";
import { Scrolling } from "../../kit/scrolling.tsx";
import { When } from "../../kit/when.tsx";
import { deliveryWords as says } from "../../words/en/webhooks.ts";
import { formatCount } from "../../words/format.ts";

type Attempt = Out<"get /webhooks/deliveries/:deliveryId">["attemptLog"][number];
const EVERY_MS = 5_000;

/** One delivery: its body, and the result of each attempt. */
export function DeliveryShown({ deliveryId }: { deliveryId: string }) {
  const { data, refusal, again } = useCall("get /webhooks/deliveries/:deliveryId", { deliveryId }, { every: EVERY_MS });
  if (data === undefined)
    return refusal === null ? <Looking isLooking={true} /> : <RefusalAlert refusal={refusal} again={again} />;
  const { attemptLog, payload, totalAttempts, attempts } = data;
  return (
    <>
      <h2>{says.body}</h2>
      <pre dir="ltr">{JSON.stringify(payload)}</pre>
      <h2>{says.attemptsOf}</h2>
      {attemptLog.length === 0 ? (
        <p>{says.noAttempts}</p>
      ) : (
        <>
          <Attempts log={attemptLog} />
          {totalAttempts > attempts && (
            <p className="fine">
              {says.total(totalAttempts)}. {says.earlier}
            </p>
          )}
        </>
      )}
    </>
  );
}

function Attempts({ log }: { log: readonly Attempt[] }) {
  return (
    <Scrolling label={says.attemptsOf}>
      <table>
        <thead>
          <tr>
            <th scope="col">{says.attempt}</th>
            <th scope="col">{says.at}</th>
            <th scope="col" className="number">
              {says.took}
            </th>
            <th scope="col">{says.got}</th>
            <th scope="col">{says.words}</th>
          </tr>
        </thead>
        <tbody>
          {log.map(({ attempt, startedAt, ms, statusCode, cause, location, bodyExcerpt }) => (
            <tr key={startedAt}>
              <th scope="row">{formatCount(attempt)}</th>
              <td data-head={says.at}>
                <When at={startedAt} />
              </td>
              <td className="number" data-head={says.took}>
                {says.milliseconds(ms)}
              </td>
              <td data-head={says.got}>
                {statusCode === null ? says.cause(cause ?? "") : says.status(statusCode)}
                {location !== null && <span className="fine"> {says.redirect(location)}</span>}
              </td>
              <td data-head={says.words}>{bodyExcerpt ?? ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

import { useCall, useWrite } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { say } from "../../kit/toast.tsx";
import { Due } from "../../kit/when.tsx";
import { faultInWords } from "../../words/codes.ts";
import { replyWords as says, scheduledWords } from "../../words/en/inbox.ts";
import type { Conversation } from "./reads.ts";

const EVERY_MS = 15_000;
const MOST = 200;

/** The scheduled replies of this conversation, and those that failed since its last email. */
export function ScheduledHere({ thread: { id, mailboxId, lastMessageAt } }: { thread: Conversation }) {
  const input = { status: "PENDING,SENDING,FAILED", mailboxIds: mailboxId, pageSize: MOST, sort: "-sendAt" as const };
  const { data } = useCall("get /inbox/scheduled", input, { every: EVERY_MS });
  const cancel = useWrite("post /inbox/scheduled/:scheduledId/cancel", { renews: ["get /inbox/scheduled"] });
  const may = useMay();
  const here = (data?.items ?? []).filter(
    ({ threadId, status, sendAt }) =>
      threadId === id && (status !== "FAILED" || Date.parse(String(sendAt)) > Date.parse(String(lastMessageAt))),
  );
  const stop = async (scheduledId: string) => {
    if ((await cancel.run({ scheduledId })) !== null) say(scheduledWords.saidCancelled);
  };
  return (
    <>
      {cancel.refusal !== null && <RefusalAlert refusal={cancel.refusal} />}
      {here.map(({ id: scheduledId, status, sendAt, bodyText, error }) => (
        <div key={scheduledId} className={status === "FAILED" ? "alert bad" : "alert attention"}>
          <p>
            {status === "FAILED" ? (
              <>
                {says.failed} {error?.code === "SEND_UNKNOWN" ? scheduledWords.unknown : error && faultInWords(error)}
              </>
            ) : (
              <>
                {says.waiting} <Due at={String(sendAt)} />
              </>
            )}
          </p>
          <p className="text fine">
            <bdi>{bodyText}</bdi>
          </p>
          {status === "PENDING" && may("inbox:write") && (
            <button type="button" onClick={() => void stop(scheduledId)}>
              {says.cancel}
            </button>
          )}
        </div>
      ))}
    </>
  );
}

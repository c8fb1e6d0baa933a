import check from "lucide/dist/esm/icons/check.mjs";
import mail from "lucide/dist/esm/icons/mail.mjs";
import messageSquare from "lucide/dist/esm/icons/message-square.mjs";
import stamp from "lucide/dist/esm/icons/stamp.mjs";
import type { MailboxCondition } from "../../../domain/mailboxes/condition.ts";
import { Icon } from "../../kit/icon.tsx";
import { Looking, Skeleton } from "../../kit/looking.tsx";
import { Empty } from "../../kit/page.tsx";
import { To } from "../../kit/to.tsx";
import { When } from "../../kit/when.tsx";
import { homeWords as says } from "../../words/en/home.ts";
import { MAILBOX_STATUS } from "../../words/en/mailboxes/states.ts";
import { whoOf } from "../inbox/who.ts";
import type { HomeRead } from "./reads.ts";

/** The states of a mailbox that a person has to mend, with the colour of each. */
const BROKEN: Partial<Record<MailboxCondition, string>> = { FAILING: "waits", DOWN: "bad" };

interface NeedsYouProps {
  /** Undefined until it is read. */
  home: HomeRead | undefined;
  /** False if it could not be read, which the page says above. */
  isLooking: boolean;
}

/** Unread conversations, actions that wait for approval, and mailboxes whose servers do not respond. */
export function NeedsYou({ home, isLooking }: NeedsYouProps) {
  const unread = home?.replies?.items ?? [];
  const waiting = home?.approvals?.total ?? 0;
  const broken = home?.mailboxes?.items ?? [];
  const more = (home?.replies?.total ?? 0) - unread.length;
  const isLate = home !== undefined && [home.replies, home.approvals, home.mailboxes].includes(null);
  return (
    <section className="card" aria-labelledby="needs-you">
      <h2 id="needs-you">{says.needsYou}</h2>
      {home === undefined && isLooking && (
        <>
          <Looking isLooking={true} />
          <Skeleton rows={3} />
        </>
      )}
      {isLate && <p className="fine">{says.late}</p>}
      <ul className="rows">
        {waiting > 0 && (
          <li>
            <Icon of={stamp} />
            <To page="/approvals">{says.waiting(waiting)}</To>
          </li>
        )}
        {broken.map(({ id, email, condition, status }) => (
          <li key={id}>
            <Icon of={mail} />
            <To page="/mailboxes/$mailboxId" ids={{ mailboxId: id }}>
              {email}
            </To>
            <span className={`mark ${BROKEN[condition]}`}>{MAILBOX_STATUS[status]}</span>
          </li>
        ))}
        {unread.map((thread) => (
          <li key={thread.id}>
            <Icon of={messageSquare} />
            <span className="two">
              <To page="/inbox" view={{ open: thread.id }}>
                <bdi>{whoOf(thread)}</bdi>
              </To>
              <span className="fine">
                <bdi>{thread.subject === "" ? says.noSubject : thread.subject}</bdi>
              </span>
            </span>
            <span className="fine">
              <When at={String(thread.lastMessageAt)} />
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p>
          <To page="/inbox" view={{ view: "unread" }}>
            {says.more(more)}
          </To>
        </p>
      )}
      {home !== undefined && !isLate && unread.length === 0 && waiting === 0 && broken.length === 0 && (
        <div className="empty">
          <Empty icon={check} text={says.nothingNeedsYou} />
        </div>
      )}
    </section>
  );
}

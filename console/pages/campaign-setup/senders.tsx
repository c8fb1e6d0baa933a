import { useRef, useState } from "react";
import { useCall } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Empty } from "../../kit/page.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { To } from "../../kit/to.tsx";
import { pageOfWhole, readPaged, useView } from "../../kit/view.ts";
import { senderWords as says } from "../../words/en/campaign-setup/schedule.ts";
import { settingWords } from "../../words/en/campaign-setup/settings.ts";
import { BAND } from "../../words/en/mailboxes/states.ts";
import { nouns } from "../../words/en/nouns.ts";
import { words } from "../../words/en.ts";
import type { Campaign } from "../campaign/reads.ts";
import { Status } from "../mailboxes/marks.tsx";
import type { ListedMailbox } from "../mailboxes/reads.ts";
import { isSame, SENDER_GROUPS } from "./setting-kinds.ts";
import { SettingGroups } from "./setting-row.tsx";
import { useMayChange, useSettingWrite } from "./setting-write.tsx";

const EVERY_MS = 15_000;

/** From where a campaign sends: its mailboxes with what they can still send today, and how they take turns. */
export function Senders({ campaign }: { campaign: Campaign }) {
  const may = useMay();
  return (
    <>
      {may("mailboxes:read") && <Mailboxes campaign={campaign} />}
      <SettingGroups campaign={campaign} groups={SENDER_GROUPS} />
    </>
  );
}

function Mailboxes({ campaign }: { campaign: Campaign }) {
  const mailboxes = useCall("get /mailboxes", {}, { every: EVERY_MS });
  const [{ page }, change] = useView(readPaged);
  const may = useMay();
  const mayChange = useMayChange(campaign);
  const { save, isRunning, isSaved, refusal, dialog } = useSettingWrite(campaign, says.title.toLowerCase());
  const saved = idsIn(campaign.settings["mailboxIds"]);
  const tags = idsIn(campaign.settings["mailboxTags"]);
  const present = useRef(saved);
  present.current = saved;
  // What was chosen is shown at once. While a choice is being saved, another one may wait, so the server is not followed
  const [wanted, setWanted] = useState(saved);
  const [known, setKnown] = useState(saved);
  if (!isRunning && !isSame(known, saved)) {
    setKnown(saved);
    setWanted(saved);
  }
  const isTagged = (one: ListedMailbox) => one.tags.some((tag) => tags.includes(tag));
  const sends = (one: ListedMailbox) => wanted.includes(one.id) || isTagged(one);
  const choose = (id: string, isChosen: boolean) => {
    const next = isChosen ? [...wanted, id] : wanted.filter((one) => one !== id);
    setWanted(next);
    const names = mailboxes.data?.filter((one) => next.includes(one.id)).map(({ email }) => email) ?? [];
    const intro = <p>{says.change(names.length === 0 ? says.noMailbox : names.join(", "))}</p>;
    save({ mailboxIds: next }, { intro, onUndone: () => setWanted(present.current) });
  };
  const chosen = mailboxes.data?.filter(sends) ?? [];
  const columns: Column<ListedMailbox>[] = [
    {
      head: says.mailbox,
      cell: ({ id, email }) => (
        <To page="/mailboxes/$mailboxId" ids={{ mailboxId: id }}>
          {email}
        </To>
      ),
    },
    {
      head: says.chosen,
      cell: (one) => (
        <label className="choice">
          <input
            type="checkbox"
            aria-label={says.choose(one.email)}
            disabled={!mayChange}
            checked={wanted.includes(one.id)}
            onChange={({ currentTarget: { checked } }) => choose(one.id, checked)}
          />
          {isTagged(one) && <span className="fine"> {says.byTag}</span>}
        </label>
      ),
    },
    { head: words.status, cell: (one) => <Status mailbox={one} /> },
    { head: says.left, isNumber: true, cell: (one) => leftInWords(one) },
    {
      head: says.health,
      cell: ({ health: { band } }) => (
        <span className={`mark ${band === "HEALTHY" ? "good" : "waits"}`}>{BAND[band]}</span>
      ),
    },
  ];
  return (
    <section aria-labelledby="senders">
      <h2 id="senders">{says.title}</h2>
      <p>
        {says.lead} {mailboxes.data !== undefined && mailboxes.data.length > 0 && sumInWords(chosen)}{" "}
        <span className="fine" role="status">
          {isRunning ? settingWords.saving : isSaved ? settingWords.saved : ""}
        </span>
      </p>
      {refusal !== null && <RefusalAlert refusal={refusal} />}
      <Table
        label={says.label}
        nouns={nouns.mailboxes}
        rows={pageOfWhole(mailboxes, page)}
        columns={columns}
        empty={
          <Empty text={says.empty}>
            {may("mailboxes:connect") && (
              <To page="/mailboxes/connect" className="button primary">
                {says.connect}
              </To>
            )}
          </Empty>
        }
        onPage={(next) => change({ page: next })}
      />
      {dialog}
    </section>
  );
}

/** How many emails a mailbox may still send today; null without a limit or while this is being counted. */
function leftIn({ sentToday, dailySendLimit }: ListedMailbox): number | null {
  return sentToday === undefined || dailySendLimit === 0 ? null : Math.max(0, dailySendLimit - sentToday.total);
}

function leftInWords(mailbox: ListedMailbox): string {
  if (mailbox.dailySendLimit === 0) return says.leftOf(0, 0);
  const left = leftIn(mailbox);
  return left === null ? "–" : says.leftOf(left, mailbox.dailySendLimit);
}

function sumInWords(chosen: readonly ListedMailbox[]): string {
  const lefts = chosen.map(leftIn);
  const sum = lefts.reduce<number | null>((all, left) => (all === null || left === null ? null : all + left), 0);
  return says.sum(chosen.length, sum);
}

function idsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

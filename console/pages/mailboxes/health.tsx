import { useState } from "react";
import { isGraver } from "../../../domain/mailboxes/band.ts";
import type { Out } from "../../api/call.ts";
import { useCall, useWrite } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { Confirm } from "../../kit/modal.tsx";
import { Empty } from "../../kit/page.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { say } from "../../kit/toast.tsx";
import { pageOfWhole, readPaged, useView } from "../../kit/view.ts";
import { When } from "../../kit/when.tsx";
import { healthWords as says } from "../../words/en/mailboxes/mailbox.ts";
import { BAND, BAND_MEANS, evidenceInWords } from "../../words/en/mailboxes/states.ts";
import { nouns } from "../../words/en/nouns.ts";
import { words } from "../../words/en.ts";
import { type Mailbox, RENEWS } from "./reads.ts";

type Change = Out<"get /mailboxes/:mailboxId/health">[number] & { id: string };
const HISTORY_DAYS = 90;

/** A mailbox's health band with its meaning, the numbers behind it, and its history. */
export function Health({ mailbox }: { mailbox: Mailbox }) {
  const { id: mailboxId, health } = mailbox;
  const { band, score, since, until, step, nextReviewAt } = health;
  const [{ page }, change] = useView(readPaged);
  const may = useMay();
  const changes = useCall("get /mailboxes/:mailboxId/health", { mailboxId, days: HISTORY_DAYS });
  const changesWithIds = changes.data?.map((one, index): Change => ({ ...one, id: `${one.at} ${index}` }));
  const rows = pageOfWhole({ ...changes, data: changesWithIds }, page);
  const why = evidenceInWords(health);
  return (
    <section aria-labelledby="health">
      <h2 id="health">
        <span className={`mark ${band === "HEALTHY" ? "good" : "waits"}`}>{BAND[band]}</span>
      </h2>
      <p>
        {BAND_MEANS[band]} {step !== null && says.step(step)}
      </p>
      {why !== null && <p>{why}</p>}
      <dl className="pairs">
        <div className="pair">
          <dt>{says.score}</dt>
          <dd>{score === null ? says.unscored : says.ofHundred(score)}</dd>
        </div>
        <Instant name={says.since} at={since} />
        <Instant name={says.until} at={until} />
        <Instant name={says.next} at={nextReviewAt} />
      </dl>
      {isGraver(band, "HEALTHY") && may("mailboxes:write") && <SetHealthy mailboxId={mailboxId} />}
      <h3>{says.history}</h3>
      <Table
        label={says.history}
        nouns={nouns.changes}
        rows={rows}
        columns={COLUMNS}
        empty={<Empty text={says.historyEmpty} />}
        onPage={(next) => change({ page: next })}
      />
    </section>
  );
}

function Instant({ name, at }: { name: string; at: string | null }) {
  if (at === null) return null;
  return (
    <div className="pair">
      <dt>{name}</dt>
      <dd>
        <When at={at} />
      </dd>
    </div>
  );
}

const COLUMNS: readonly Column<Change>[] = [
  { head: says.when, cell: ({ at }) => <When at={at} /> },
  { head: says.from, cell: ({ from, fromStep }) => bandAt(from, fromStep) },
  { head: says.to, cell: ({ to, step }) => bandAt(to, step) },
  { head: words.reason, cell: (change) => evidenceInWords(change) ?? "–" },
  { head: says.by, cell: ({ by }) => says.byWhom[by] },
];

function bandAt(band: Change["to"], step: number | null): string {
  return step === null ? BAND[band] : says.atStep(BAND[band], step);
}

function SetHealthy({ mailboxId }: { mailboxId: string }) {
  const [isAsking, setAsking] = useState(false);
  const { run, isRunning, refusal } = useWrite("post /mailboxes/manage", { renews: RENEWS });
  const act = async () => {
    if ((await run({ action: "setHealthy", mailboxId })) === null) return;
    say(says.saidHealthy);
    setAsking(false);
  };
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        {says.setHealthy}
      </button>
      {isAsking && (
        <Confirm
          title={says.setHealthyTitle}
          effect={<p>{says.setHealthyEffect}</p>}
          act={says.setHealthyAct}
          isRunning={isRunning}
          refusal={refusal}
          onAct={() => void act()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

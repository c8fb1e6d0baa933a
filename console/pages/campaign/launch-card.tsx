import { useCallback, useEffect, useState } from "react";
import type { Out } from "../../api/call.ts";
import { useWrite } from "../../api/query.ts";
import { Notice } from "../../kit/alert.tsx";
import { Looking } from "../../kit/looking.tsx";
import { Confirm } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { When } from "../../kit/when.tsx";
import { campaignWords, launchWords as says } from "../../words/en/campaign.ts";
import { type Campaign, RENEWS } from "./reads.ts";

type Control = "post /campaigns/:campaignId/control";
type Card = Out<Control, { action: "launch"; planOnly: true }>;
type Effect = Card["plan"]["effect"];

interface LaunchCardProps {
  campaign: Campaign;
  action: "launch" | "resume";
  onClose: () => void;
}

/**
 * Shows what a launch would do: how many people, who they are, which emails, from which mailboxes, and when. The button
 * launches exactly this plan by its token. If a recipient, text or setting has changed since, the new plan is shown
 * instead.
 */
export function LaunchCard({ campaign: { id: campaignId, name }, action, onClose }: LaunchCardProps) {
  const plan = useWrite("post /campaigns/:campaignId/control", { renews: [] });
  const commit = useWrite("post /campaigns/:campaignId/control", { renews: RENEWS });
  const [card, setCard] = useState<Card | null>(null);
  const [isStale, setStale] = useState(false);
  const [notes, setNotes] = useState<readonly string[]>([]);
  const look = useCallback(async () => {
    const planned = await plan.run({ action, campaignId, planOnly: true });
    if (planned !== null) setCard(planned);
  }, [plan.run, action, campaignId]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the card opens
  useEffect(() => void look(), []);

  const send = async () => {
    if (card === null) return;
    const answer = await commit.run({ action, campaignId, planToken: card.planToken });
    if (answer === null) return;
    if ("launched" in answer) {
      if (!answer.launched) return void setNotes([says.notLaunched]);
      if (answer.waitingFor.length > 0)
        return void setNotes([says.waiting, ...answer.waitingFor.map(({ message }) => message)]);
    }
    say(campaignWords.said[action]);
    onClose();
  };
  const wasStale = commit.refusal?.code === "PLAN_STALE";
  useEffect(() => {
    if (!wasStale) return;
    setStale(true);
    setCard(null);
    commit.clear();
    void look();
  }, [wasStale, commit.clear, look]);

  const effect = card?.plan.effect;
  const people = effect?.people ?? 0;
  const isForbidden = effect?.validation?.valid === false;
  return (
    <Confirm
      title={action === "launch" ? says.title(name) : says.resumeTitle(name)}
      isWide
      effect={
        <>
          {isStale && <Notice kind="attention">{says.stale}</Notice>}
          {effect === undefined ? <Looking isLooking={plan.isRunning} /> : <EffectShown effect={effect} />}
          {notes.map((note) => (
            <Notice key={note} kind="attention">
              {note}
            </Notice>
          ))}
        </>
      }
      act={effect === undefined ? says.working : says.act(people)}
      isRunning={commit.isRunning}
      isBlocked={effect === undefined || isForbidden || people === 0 || notes.length > 0}
      refusal={plan.refusal ?? (wasStale ? null : commit.refusal)}
      onAct={() => void send()}
      onClose={onClose}
    />
  );
}

function EffectShown({ effect }: { effect: Effect }) {
  const { people, heldOut, mails, mailboxes, recipients, texts, firstSendAt, lastSendAt, validation } = effect;
  return (
    <>
      <p className="headline">{people === 0 ? says.nobody : says.people(people)}</p>
      {heldOut > 0 && <p>{says.heldOut(heldOut)}</p>}
      <p>
        {says.from(mails, mailboxes.length)}
        {validation !== null && `, ${says.daily(validation.summary.dailyCapacity)}`}
      </p>
      <p>
        {says.first} {firstSendAt === null ? says.unknown : <When at={firstSendAt} />}, {says.last.toLowerCase()}{" "}
        {lastSendAt === null ? says.unknown : <When at={lastSendAt} />}
      </p>
      {validation !== null && <Findings findings={validation} />}
      {recipients.length > 0 && (
        <details open>
          <summary>{says.who}</summary>
          <ul className="plain">
            {recipients.map((address) => (
              <li key={address}>{address}</li>
            ))}
          </ul>
        </details>
      )}
      {texts.length > 0 && (
        <details>
          <summary>{says.mails}</summary>
          {texts.map(({ to, stepId, variantId, subject, text }) => (
            <article key={`${stepId} ${variantId} ${to}`} className="mail">
              <h3>{subject === "" ? says.noSubject : subject}</h3>
              <p className="fine">{says.as(to)}</p>
              <p className="text">{text}</p>
            </article>
          ))}
        </details>
      )}
    </>
  );
}

function Findings({ findings: { errors, warnings } }: { findings: NonNullable<Effect["validation"]> }) {
  return (
    <>
      {errors.length > 0 && (
        <div className="alert bad" role="alert">
          <p>{says.forbids}</p>
          <ul>
            {errors.map(({ code, message, path }) => (
              <li key={`${code} ${path} ${message}`}>{message}</li>
            ))}
          </ul>
        </div>
      )}
      {warnings.length > 0 && (
        <details>
          <summary>{says.warns(warnings.length)}</summary>
          <ul>
            {warnings.map(({ code, message, path }) => (
              <li key={`${code} ${path} ${message}`}>{message}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

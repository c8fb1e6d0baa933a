import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useWorkspaceId } from "../../api/path-id.ts";
import { useWrite } from "../../api/query.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Menu } from "../../kit/menu.tsx";
import { Confirm } from "../../kit/modal.tsx";
import { pathTo } from "../../kit/to.tsx";
import { say } from "../../kit/toast.tsx";
import { webhookWords as says } from "../../words/en/webhooks.ts";
import { EditWebhook } from "./edit.tsx";
import { RENEWS, RENEWS_DELIVERIES, type Subscription } from "./reads.ts";
import type { Secret } from "./secret.tsx";

type Deed = "switch" | "edit" | "rotate" | "remove";

interface ActsProps {
  subscription: Subscription;
  onSecret: (secret: Secret) => void;
}

/** The actions for one webhook. A test runs immediately; every other action shows its effect first. */
export function SubscriptionActs({ subscription, onSecret }: ActsProps) {
  const { id: webhookId, url, enabled } = subscription;
  const [asked, setAsked] = useState<Deed | null>(null);
  const test = useWrite("post /webhooks/:webhookId/test", { renews: RENEWS_DELIVERIES });
  const navigate = useNavigate();
  const workspaceId = useWorkspaceId();
  const close = () => setAsked(null);
  // The page of the delivery shows the test's result
  const post = async () => {
    const sent = await test.run({ webhookId });
    if (sent === null) return;
    await navigate({
      to: pathTo(workspaceId, "/webhooks/deliveries"),
      search: { webhook: webhookId, open: sent.deliveryId },
    });
  };
  const items = [
    { name: enabled ? says.pause : says.enable, run: () => setAsked("switch") },
    { name: says.edit, run: () => setAsked("edit") },
    { name: says.rotate, run: () => setAsked("rotate") },
    { name: says.remove, run: () => setAsked("remove") },
  ];
  return (
    <>
      <div className="chips">
        <button
          type="button"
          aria-label={`${says.test} ${url}`}
          aria-disabled={test.isRunning}
          onClick={() => void post()}
        >
          {says.test}
        </button>
        <Menu label={says.moreShort} of={url} items={items} />
      </div>
      {test.refusal !== null && <RefusalAlert refusal={test.refusal} />}
      {asked === "switch" && <Switch subscription={subscription} onClose={close} />}
      {asked === "edit" && <EditWebhook subscription={subscription} onClose={close} />}
      {asked === "rotate" && (
        <Rotate
          subscription={subscription}
          onClose={close}
          onDone={(secret) => {
            close();
            onSecret(secret);
          }}
        />
      )}
      {asked === "remove" && <Remove subscription={subscription} onClose={close} />}
    </>
  );
}

interface DeedProps {
  subscription: Subscription;
  onClose: () => void;
}

function Switch({ subscription: { id: webhookId, url, enabled }, onClose }: DeedProps) {
  const { run, isRunning, refusal } = useWrite("patch /webhooks/:webhookId", { renews: RENEWS });
  const act = async () => {
    if ((await run({ webhookId, enabled: !enabled })) === null) return;
    say(enabled ? says.saidPaused : says.saidEnabled);
    onClose();
  };
  return (
    <Confirm
      title={enabled ? says.pauseTitle(url) : says.enableTitle(url)}
      effect={<p>{enabled ? says.pauseEffect : says.enableEffect}</p>}
      act={enabled ? says.pauseAct : says.enableAct}
      {...{ isRunning, refusal, onClose }}
      onAct={() => void act()}
    />
  );
}

function Rotate({
  subscription: { id: webhookId, url },
  onClose,
  onDone,
}: DeedProps & { onDone: (secret: Secret) => void }) {
  const { run, isRunning, refusal } = useWrite("post /webhooks/:webhookId/rotate-secret", { renews: RENEWS });
  const act = async () => {
    const answer = await run({ webhookId });
    if (answer !== null) onDone({ url, text: answer.signingSecret });
  };
  return (
    <Confirm
      title={says.rotateTitle}
      effect={<p>{says.rotateEffect}</p>}
      act={says.rotateAct}
      {...{ isRunning, refusal, onClose }}
      onAct={() => void act()}
    />
  );
}

function Remove({ subscription: { id: webhookId, url }, onClose }: DeedProps) {
  const { run, isRunning, refusal } = useWrite("delete /webhooks/:webhookId", { renews: RENEWS });
  const act = async () => {
    if ((await run({ webhookId })) === null) return;
    say(says.saidRemoved);
    onClose();
  };
  return (
    <Confirm
      title={says.removeTitle(url)}
      effect={<p>{says.removeEffect}</p>}
      act={says.removeAct}
      isDangerous
      {...{ isRunning, refusal, onClose }}
      onAct={() => void act()}
    />
  );
}

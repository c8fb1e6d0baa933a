import { useState } from "react";
import { useWrite } from "../../api/query.ts";
import { Confirm } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { systemWords as says } from "../../words/en/system.ts";
import type { System } from "./parts.tsx";

export type UnknownSend = System["unknown"]["items"][number];

const CHOICES = ["markSent", "markNotSent", "resend"] as const;

interface ResolveProps {
  send: UnknownSend;
  campaignId: string;
  onClose: () => void;
}

/**
 * A dialog in which a person states the outcome of an email whose outcome is unknown. Each choice shows its effect
 * first.
 */
export function Resolve({ send: { sendId, email }, campaignId, onClose }: ResolveProps) {
  const [chosen, setChosen] = useState<(typeof CHOICES)[number] | null>(null);
  const { run, isRunning, refusal } = useWrite("post /campaigns/:campaignId/sends/:sendId/resolve", {
    renews: [
      "get /system",
      "get /campaigns/:campaignId/recipients",
      "get /campaigns/:campaignId/recipients/:recipientId/explain",
    ],
  });
  const act = async () => {
    if (chosen === null || (await run({ action: chosen, campaignId, sendId })) === null) return;
    say(says.said[chosen]);
    onClose();
  };
  return (
    <Confirm
      title={says.resolveTitle(email ?? sendId)}
      effect={
        <fieldset>
          <legend>{says.choose}</legend>
          {CHOICES.map((choice) => (
            <div key={choice}>
              <label className="tick">
                <input
                  type="radio"
                  name="resolution"
                  checked={chosen === choice}
                  aria-describedby={`effect-${choice}`}
                  onChange={() => setChosen(choice)}
                />
                {says.choices[choice]}
              </label>
              <p id={`effect-${choice}`} className="fine">
                {says.effects[choice]}
              </p>
            </div>
          ))}
        </fieldset>
      }
      act={chosen === null ? says.resolveAct : says.acts[chosen]}
      isDangerous={chosen === "resend"}
      isBlocked={chosen === null}
      {...{ isRunning, refusal, onClose }}
      onAct={() => void act()}
    />
  );
}

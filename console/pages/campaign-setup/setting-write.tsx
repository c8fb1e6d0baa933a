import { type ReactNode, useRef, useState } from "react";
import { useWrite } from "../../api/query.ts";
import type { Refusal } from "../../api/refusal.ts";
import { useMay } from "../../api/workspace.ts";
import { settingWords as says } from "../../words/en/campaign-setup/settings.ts";
import { type Campaign, hasBegun, RENEWS } from "../campaign/reads.ts";
import { Planned } from "./planned.tsx";

const ENDPOINT = "patch /campaigns/:campaignId/settings";

type Patch = Record<string, unknown>;

interface Saved {
  /** The change in words, for the dialog that shows its effect. */
  intro: ReactNode;
  onSaved?: () => void;
  /** Called when the server refused the change, or a person decided against it. */
  onUndone?: (isRefused: boolean) => void;
}

export interface SettingWrite {
  save(patch: Patch, saved: Saved): void;
  isRunning: boolean;
  /** Whether the last change was saved. */
  isSaved: boolean;
  refusal: Refusal | null;
  /** The dialog that shows the effect of a change on a launched campaign. */
  dialog: ReactNode;
}

/**
 * Saves settings. On a launched campaign it first shows the effect, and changes exactly what was shown. A change made
 * while another one is being saved is saved after it.
 */
export function useSettingWrite({ id: campaignId, status }: Campaign, name: string): SettingWrite {
  const commit = useWrite(ENDPOINT, { renews: RENEWS });
  const plan = useWrite(ENDPOINT, { renews: [] });
  const [asked, setAsked] = useState<({ patch: Patch } & Saved) | null>(null);
  const [isSaved, setSaved] = useState(false);
  const next = useRef<Patch | null>(null);
  const isBusy = useRef(false);

  const write = async (patch: Patch, { onSaved, onUndone }: Saved) => {
    next.current = { ...next.current, ...patch };
    if (isBusy.current) return;
    isBusy.current = true;
    setSaved(false);
    let isDone = true;
    while (next.current !== null && isDone) {
      const settings: Patch = next.current;
      next.current = null;
      isDone = (await commit.run({ campaignId, settings })) !== null;
    }
    isBusy.current = false;
    next.current = null;
    setSaved(isDone);
    if (isDone) onSaved?.();
    else onUndone?.(true);
  };

  const save = (patch: Patch, saved: Saved) => {
    if (hasBegun(status)) {
      setSaved(false);
      setAsked({ patch, ...saved });
    } else void write(patch, saved);
  };
  const close = (isDone: boolean) => {
    if (isDone) asked?.onSaved?.();
    else asked?.onUndone?.(false);
    setSaved(isDone);
    setAsked(null);
    plan.clear();
    commit.clear();
  };
  const dialog = asked !== null && (
    <Planned
      title={says.planTitle(name)}
      act={says.planAct}
      intro={asked.intro}
      plan={{ ...plan, ask: () => plan.run({ campaignId, settings: asked.patch, planOnly: true }) }}
      commit={{
        ...commit,
        run: async (planToken) => (await commit.run({ campaignId, settings: asked.patch, planToken })) !== null,
      }}
      onDone={() => close(true)}
      onClose={() => close(false)}
    />
  );
  return { save, isRunning: commit.isRunning, isSaved, refusal: asked === null ? commit.refusal : null, dialog };
}

/** Whether this person may change the settings of a campaign now. */
export function useMayChange({ status }: Campaign): boolean {
  return useMay()("campaigns:write") && status !== "ARCHIVED";
}

import { type ReactNode, useRef, useState } from "react";
import { useIsShown } from "../../api/is-shown.ts";
import { useWrite } from "../../api/query.ts";
import type { Refusal } from "../../api/refusal.ts";
import { useMay } from "../../api/workspace.ts";
import { say } from "../../kit/toast.tsx";
import { settingWords as says } from "../../words/en/campaign-setup/settings.ts";
import { type Campaign, hasBegun, RENEWS } from "../campaign/reads.ts";
import { Planned } from "./planned.tsx";
import { useDirect } from "./present-campaign.ts";

const ENDPOINT = "patch /campaigns/:campaignId/settings";

type Patch = Record<string, unknown>;

interface Saved {
  /** The change in words, for the dialog that shows its effect. */
  intro: ReactNode;
  onSaved?: () => void;
  /** Called when the server refused the change, or a person decided against it. */
  onUndone?: (isRefused: boolean) => void;
}

type Change = { patch: Patch } & Saved;

export interface SettingWrite {
  save(patch: Patch, saved: Saved): void;
  /** Whether a change, or one that waits for it, is being saved. */
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
export function useSettingWrite(campaign: Campaign, name: string): SettingWrite {
  const { id: campaignId } = campaign;
  const direct = useDirect(campaign);
  const commit = useWrite(ENDPOINT, { renews: RENEWS });
  const plan = useWrite(ENDPOINT, { renews: [] });
  const [asked, setAsked] = useState<Change | null>(null);
  const [isSaved, setSaved] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const next = useRef<Change | null>(null);
  const isWriting = useRef(false);
  const isShown = useIsShown();

  const write = async () => {
    let outcome = "DONE";
    let change: Change | null = null;
    while (next.current !== null && outcome === "DONE") {
      const { patch }: Change = next.current;
      change = next.current;
      next.current = null;
      outcome = await direct({
        needsPlan: hasBegun,
        write: async (expectedVersion) => (await commit.run({ campaignId, settings: patch, expectedVersion })) !== null,
      });
    }
    const waiting: Change | null = next.current;
    next.current = null;
    setSaved(outcome === "DONE");
    if (outcome === "DONE") change?.onSaved?.();
    else if (outcome === "REFUSED") {
      change?.onUndone?.(true);
      if (!isShown.current) say(says.refusedUndo(name));
    } else if (!isShown.current) say(says.notUndone(name));
    else if (change !== null) {
      commit.clear();
      setAsked({ ...change, ...waiting, patch: { ...change.patch, ...waiting?.patch } });
    }
  };

  const save = (patch: Patch, saved: Saved) => {
    next.current = { ...saved, patch: { ...next.current?.patch, ...patch } };
    if (isWriting.current) return;
    isWriting.current = true;
    setSaved(false);
    setBusy(true);
    void write().finally(() => {
      isWriting.current = false;
      setBusy(false);
    });
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
  return {
    save,
    isRunning: isBusy || commit.isRunning,
    isSaved,
    refusal: asked === null ? commit.refusal : null,
    dialog,
  };
}

/** Whether this person may change the settings of a campaign now. */
export function useMayChange({ status }: Campaign): boolean {
  return useMay()("campaigns:write") && status !== "ARCHIVED";
}

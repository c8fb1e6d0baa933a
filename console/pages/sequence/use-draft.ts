import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Out } from "../../api/call.ts";
import { useWrite } from "../../api/query.ts";
import type { Refusal } from "../../api/refusal.ts";
import { useUndoable } from "../../kit/toast.tsx";
import { editorWords } from "../../words/en/sequence-editor.ts";
import type { Campaign } from "../campaign/reads.ts";
import { keepCopy, openDraft } from "./copies.ts";
import {
  type Draft,
  hasChanges,
  type Step,
  type Stored,
  withAnswer,
  withNews,
  withOwnVersion,
  withoutChanges,
  withPresentIds,
  withSend,
  withSteps,
} from "./draft.ts";
import { type Leaving, useAutosave, useQuestionBeforeLeaving, useSamePerson } from "./use-autosave.ts";

type Write = "put /campaigns/:campaignId/sequence";
export type Planned = Out<Write, { action: "replaceSteps"; planOnly: true }>;

/** The sequence that a person edits, the state of its changes, and what can be done with them. */
export interface Editing {
  draft: Draft;
  hasChanges: boolean;
  /** Whether typing is saved by itself. Changes of a campaign that was launched need a plan. */
  savesItself: boolean;
  isSaving: boolean;
  /** Whether branches are being allowed, which waits for a save that is under way. */
  isAllowing: boolean;
  /** When the last save succeeded, in epoch milliseconds; null before the first one. */
  savedAt: number | null;
  /** Why the last save, plan or commit failed; null if it succeeded. */
  refusal: Refusal | null;
  /** Whether this browser has a copy of the changes. */
  isKept: boolean;
  /** The question before the page is left with changes that this browser cannot keep; null if none. */
  leaving: Leaving | null;
  /** The draft at the time of the call, for a message that was shown earlier. */
  latest(): Draft;
  /** Changes the steps. The second argument gives earlier steps the ids that they have now. */
  change(next: (steps: readonly Step[], present: (earlier: readonly Step[]) => Step[]) => readonly Step[]): void;
  /** Answers with the effect of the changes, which are not made. */
  plan(keepBooked: boolean): Promise<Planned | null>;
  commit(keepBooked: boolean, planToken: string): Promise<boolean>;
  allowBranches(): Promise<boolean>;
  /** Shows a message that offers to undo what it reports. */
  undoable(text: string, undo: () => void): void;
  discard(): void;
  /** Brings back changes that were discarded. */
  restore(steps: readonly Step[]): void;
  /** Answers a conflict: the person's own changes replace the other version. */
  keepOwn(): void;
  retry(): void;
}

interface Opened {
  campaign: Campaign;
  stored: Stored;
  /** Reads the sequence again. */
  again: () => void;
  place: string;
  /** When this page last learned who is signed in, in epoch milliseconds. */
  personReadAt: number;
}

export function useDraft({ campaign, stored, again, place, personReadAt }: Opened): Editing {
  const { id: campaignId, status } = campaign;
  const client = useQueryClient();
  const isSamePerson = useSamePerson(personReadAt);
  const [draft, setDraft] = useState(() => openDraft(place, stored));
  const latest = useRef(draft);
  latest.current = draft;
  const [savedAt, setSavedAt] = useState<number | null>(null);
  const [isKept, setKept] = useState(true);
  /** The steps that the server has refused. They are not sent again before they change. */
  const [refused, setRefused] = useState<readonly Step[] | null>(null);
  /** The version that the server no longer has, so that nothing is saved before the present one was read. */
  const [staleVersion, setStale] = useState<number | null>(null);
  /** The newest version at which the campaign was surely not launched yet. */
  const [draftVersion, setDraftVersion] = useState(0);
  /** The version that the last save by itself led to, once it has ended; 0 if it failed. */
  const saving = useRef(Promise.resolve(0));
  const [isAllowing, setAllowing] = useState(false);
  const { run, isRunning, refusal, clear } = useWrite("put /campaigns/:campaignId/sequence", { renews: [] });
  const isDirty = hasChanges(draft);
  const savesItself = status === "DRAFT";
  const isStale = staleVersion === draft.base.version && draft.conflict === null;

  useEffect(() => {
    if (status === "DRAFT") setDraftVersion((known) => Math.max(known, campaign.version));
  }, [status, campaign.version]);
  // An answer that was asked for before a save may come after it, so news wait for the end of the save
  useEffect(() => {
    if (!isRunning) setDraft((draft) => withNews(draft, stored));
  }, [stored, isRunning]);
  useEffect(() => setKept(keepCopy(place, draft)), [place, draft]);

  const renew = useCallback(() => {
    const isOfCampaign = ({ queryKey }: { queryKey: readonly unknown[] }) =>
      String(queryKey[0]).startsWith("get /campaigns");
    void client.invalidateQueries({ predicate: isOfCampaign });
  }, [client]);
  useEffect(() => {
    if (refusal?.code !== "VERSION_CONFLICT") return;
    setStale(draft.base.version);
    clear();
    again();
    renew();
  }, [refusal, draft.base.version, clear, again, renew]);

  const isUncertain = savesItself && draft.base.version > draftVersion && campaign.version < draft.base.version;
  useEffect(() => {
    if (isUncertain) renew();
  }, [isUncertain, renew]);

  const replace = (steps: readonly Step[]) => ({
    action: "replaceSteps" as const,
    campaignId,
    expectedVersion: draft.base.version,
    steps: [...steps],
  });
  const accept = (answer: Stored, sent: readonly Step[]) => {
    setDraft((draft) => withAnswer(draft, answer, sent));
    setSavedAt(Date.now());
    renew();
  };
  const save = async () => {
    const sent = draft.steps;
    setDraft((draft) => withSend(draft, sent));
    const answer = await run(replace(sent));
    setRefused(answer === null ? sent : null);
    if (answer === null || !("steps" in answer)) return 0;
    // The save succeeded at the version that was not launched, so the version after it is not either
    setDraftVersion((known) => Math.max(known, answer.version));
    accept(answer, sent);
    return answer.version;
  };
  const saveByItself = async () => {
    saving.current = save();
    await saving.current;
  };
  const isPossible =
    isDirty &&
    savesItself &&
    draft.conflict === null &&
    !isStale &&
    isSamePerson &&
    draft.base.version <= draftVersion &&
    !isRunning;
  useAutosave({
    isPossible,
    refusal,
    refused,
    steps: draft.steps,
    body: replace(draft.steps),
    save: saveByItself,
    place,
    renew,
  });

  return {
    draft,
    hasChanges: isDirty,
    savesItself,
    isSaving: isRunning,
    isAllowing,
    savedAt,
    refusal,
    isKept,
    leaving: useQuestionBeforeLeaving(isDirty && !isKept),
    latest: () => latest.current,
    change: (next) =>
      setDraft((draft) => ({ ...draft, steps: next(draft.steps, (earlier) => withPresentIds(draft, earlier)) })),
    async plan(keepBooked) {
      const answer = await run({ ...replace(draft.steps), keepBooked, planOnly: true as const });
      return answer;
    },
    async commit(keepBooked, planToken) {
      const sent = draft.steps;
      setDraft((draft) => withSend(draft, sent));
      const answer = await run({ ...replace(sent), keepBooked, planToken });
      if (answer === null || !("steps" in answer)) return false;
      accept(answer, sent);
      return true;
    },
    async allowBranches() {
      setAllowing(true);
      const expectedVersion = Math.max(await saving.current, latest.current.base.version);
      const answer = await run({ action: "setMode", campaignId, mode: "VISUAL", expectedVersion });
      setAllowing(false);
      if (answer === null || !("steps" in answer)) return false;
      setDraftVersion((known) => (savesItself ? Math.max(known, answer.version) : known));
      setDraft((draft) => ({ ...draft, base: { ...draft.base, version: answer.version, mode: answer.mode } }));
      renew();
      return true;
    },
    undoable: useUndoable(editorWords.undo),
    discard: () => setDraft(withoutChanges),
    restore: (steps) => setDraft((draft) => withSteps(draft, withPresentIds(draft, steps))),
    keepOwn: () => setDraft(withOwnVersion),
    retry: () => {
      setRefused(null);
      clear();
    },
  };
}

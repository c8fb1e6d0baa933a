import { useState } from "react";
import { DEFAULT_CONFIG, WARMUP_PRESETS, type WarmupPreset } from "../../../domain/warmup/enrolment.ts";
import { useWrite } from "../../api/query.ts";
import { Notice } from "../../kit/alert.tsx";
import type { Several } from "../../kit/chosen.tsx";
import { Select } from "../../kit/field.tsx";
import type { Act } from "../../kit/table.tsx";
import { say } from "../../kit/toast.tsx";
import { PRESET, manyWarmupWords as says, warmupWords } from "../../words/en/mailboxes/warmup.ts";
import type { ListedMailbox } from "../mailboxes/reads.ts";
import { RampEffect } from "./fields.tsx";
import { WARMUP_RENEWS } from "./reads.ts";

type Acted = "pause" | "stop" | "start";
type Rows = readonly ListedMailbox[];

/** A ramp of one's own is set for each mailbox by itself. */
const PRESETS = WARMUP_PRESETS.filter((preset) => preset !== "CUSTOM");

/** The actions on the warmup of several mailboxes. Each counts and changes only the mailboxes that it fits. */
export function useManyWarmups(): Several<ListedMailbox> {
  const { run, refusal } = useWrite("post /warmup/manage", { renews: WARMUP_RENEWS });
  const [preset, setPreset] = useState<WarmupPreset>("COLD");
  const done = (answer: Awaited<ReturnType<typeof run>>) => {
    if (answer !== null && "changed" in answer)
      say(answer.changed === answer.matched ? says.done(answer.changed) : says.partly(answer.changed, answer.matched));
    return answer;
  };
  const onboard = async (rows: Rows) =>
    done(await run({ action: "onboard", onboard: { mailboxIds: rows.map(({ id }) => id), preset } }));
  const move = (bulkAction: Acted) => async (rows: Rows) =>
    done(await run({ action: "bulkAction", bulkAction, mailboxIds: rows.map(({ id }) => id) }));
  const acts = (rows: Rows): Act<Rows>[] => {
    const fresh = rows.filter((row) => canWarm(row) && [null, "STOPPED"].includes(row.warmup?.status ?? null));
    const paused = rows.filter((row) => canWarm(row) && row.warmup?.status === "PAUSED");
    const active = rows.filter(({ warmup }) => warmup?.status === "ACTIVE");
    const running = rows.filter(({ warmup }) => (warmup?.status ?? "STOPPED") !== "STOPPED");
    const startEffect = (
      <>
        <p>{says.startEffect(fresh.length)}</p>
        <Select
          label={says.presetOf}
          name="preset"
          value={preset}
          options={PRESETS.map((value) => ({ value, text: PRESET[value] }))}
          onPick={(value) => setPreset(PRESETS.find((one) => one === value) ?? preset)}
        />
        <p>{says.each}</p>
        <RampEffect config={DEFAULT_CONFIG} preset={preset} limit={null} />
        <Notice kind="attention">{warmupWords.terms}</Notice>
      </>
    );
    return [
      ...offered(fresh, { name: says.start, effect: startEffect, refusal, run: onboard }),
      ...offered(paused, {
        name: says.resume,
        effect: <p>{says.resumeEffect(paused.length)}</p>,
        refusal,
        run: move("start"),
      }),
      ...offered(active, {
        name: says.pause,
        effect: <p>{says.pauseEffect(active.length)}</p>,
        refusal,
        run: move("pause"),
      }),
      ...offered(running, {
        name: says.stop,
        effect: <p>{says.stopEffect(running.length)}</p>,
        isDangerous: true,
        refusal,
        run: move("stop"),
      }),
    ];
  };
  return { nameOf: ({ email }) => email, acts };
}

/** The action for those rows that it fits; nothing if it fits none. */
function offered(rows: Rows, act: Act<Rows>): Act<Rows>[] {
  return rows.length === 0 ? [] : [{ ...act, run: () => act.run(rows) }];
}

/** Whether a warmup of the mailbox may start; the figures of the list may not have arrived yet. */
function canWarm({ status, warmup }: ListedMailbox): boolean {
  return warmup !== undefined && status !== "RECONNECT_REQUIRED" && status !== "DISCONNECTED";
}

import { useCall } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { Notice, RefusalAlert } from "../../kit/alert.tsx";
import { Given, Lines } from "../../kit/given.tsx";
import { Looking } from "../../kit/looking.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { PAGE_SIZE, type Raw, readPaged, useView } from "../../kit/view.ts";
import { When } from "../../kit/when.tsx";
import { changesInWords, idsBefore, type Names } from "../../words/changes.ts";
import { changeWords } from "../../words/en/changes.ts";
import { AUTHOR_KIND, EDIT_ACTION, historyWords as says } from "../../words/en/edits.ts";
import { nouns } from "../../words/en/nouns.ts";
import { words } from "../../words/en.ts";
import { Restore } from "../sequence/restore.tsx";
import { Opens } from "./opens.tsx";
import type { Campaign, Step, Version } from "./reads.ts";
import { StepShown } from "./step.tsx";

const EVERY_MS = 30_000;

function readView(raw: Raw) {
  const version = Number(raw["version"]);
  return { ...readPaged(raw), version: Number.isSafeInteger(version) && version > 0 ? version : null };
}

/** The history of a campaign's edits. It is loaded only when a person opens it. */
export function History({ campaign }: { campaign: Campaign }) {
  const [{ page, version }] = useView(readView);
  return (
    <section aria-labelledby="history">
      <Opens isOpenFirst={page > 1 || version !== null} summary={() => <h2 id="history">{says.title}</h2>}>
        <Versions campaign={campaign} />
      </Opens>
    </section>
  );
}

function Versions({ campaign }: { campaign: Campaign }) {
  const [{ page, version: opened }, change] = useView(readView);
  const { id: campaignId } = campaign;
  const list = useCall(
    "get /campaigns/:campaignId/versions",
    { campaignId, page, pageSize: PAGE_SIZE },
    { every: EVERY_MS },
  );
  const versions = list.data?.items ?? [];
  const newest = useCall(
    "get /campaigns/:campaignId/versions/:version",
    { campaignId, version: versions[0]?.version ?? 1 },
    { isOff: versions.every(({ changes }) => changes.every(({ stepId }) => stepId === null)) },
  );
  const names = namesIn(versions, newest.data?.steps ?? []);
  const rowOpened = versions.find(({ version }) => version === opened);
  const columns: Column<Version>[] = [
    { head: says.version, cell: ({ version }) => says.numbered(version) },
    { head: says.at, cell: ({ at }) => <When at={at} /> },
    { head: says.by, cell: ({ by }) => <Author by={by} /> },
    { head: says.changes, cell: (version) => <Done version={version} names={names.get(version.version)} /> },
    {
      head: words.actions,
      cell: ({ version, action }) => {
        if (action === "UPDATE_SETTINGS") return null;
        const isOpen = opened === version;
        const text = isOpen ? says.hide : says.show;
        return (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-label={`${text} ${says.stepsOf(version)}`}
            onClick={() => change({ version: isOpen ? null : version, page })}
          >
            {text}
          </button>
        );
      },
    },
  ];
  return (
    <>
      {opened !== null && list.data !== undefined && rowOpened === undefined && (
        <VersionShown campaign={campaign} version={opened} />
      )}
      <Table
        label={says.label}
        nouns={nouns.versions}
        // Wait for the names of the steps, otherwise the list would first say "A step"
        rows={newest.isLooking && newest.data === undefined ? { ...list, data: undefined } : list}
        columns={columns}
        empty={
          <>
            <p>{says.none}</p>
            <p className="fine">{says.noneText}</p>
          </>
        }
        opened={{
          id: rowOpened?.id ?? null,
          show: ({ version }) => <VersionShown campaign={campaign} version={version} />,
        }}
        onPage={(next) => change({ page: next, version: null })}
      />
    </>
  );
}

function Author({ by }: Pick<Version, "by">) {
  if (by === null) return "–";
  return (
    <>
      <Given>{by.name}</Given> <span className="fine">{AUTHOR_KIND[by.kind]}</span>
    </>
  );
}

function Done({ version: { action, revertedTo, changes }, names }: { version: Version; names: Names | undefined }) {
  return (
    <>
      <p>{action === "REVERT" ? says.restored(revertedTo) : EDIT_ACTION[action]}</p>
      {names !== undefined && <Lines lines={changesInWords(changes, names)} more={changeWords.more} />}
    </>
  );
}

/**
 * The names of steps and variants after each of these edits, newest first. They are derived backwards from the current
 * steps.
 */
function namesIn(versions: readonly Version[], steps: readonly Step[]): Map<number, Names> {
  const labels = new Map(steps.flatMap(({ variants }) => variants.map(({ variantId, label }) => [variantId, label])));
  let ids = steps.map(({ stepId }) => stepId);
  return new Map(
    versions.map(({ version, changes }) => {
      const places = new Map(ids.map((stepId, index) => [stepId, index + 1]));
      ids = idsBefore(ids, changes);
      for (const { variantId, field, before } of changes) {
        if (variantId !== null && field === "variant" && typeof before === "string") labels.set(variantId, before);
      }
      return [version, { orderOf: (id) => places.get(id) ?? null, labelOf: (id) => labels.get(id) ?? null }] as const;
    }),
  );
}

/** The steps of an earlier version, and whether it is the one that the campaign uses now. */
function VersionShown({ campaign, version }: { campaign: Campaign; version: number }) {
  const { id: campaignId, version: newest, status } = campaign;
  const may = useMay();
  const { data, refusal, again } = useCall("get /campaigns/:campaignId/versions/:version", { campaignId, version });
  // A campaign's version number also grows with each change of status; the server returns the edit that made its
  // current sequence
  const running = useCall("get /campaigns/:campaignId/versions/:version", { campaignId, version: newest });
  if (data === undefined)
    return refusal === null ? <Looking isLooking={true} /> : <RefusalAlert refusal={refusal} again={again} />;
  const isRunning = running.data?.version === data.version;
  return (
    <section aria-label={says.steps(version)}>
      <Notice kind={isRunning ? "plain" : "attention"}>
        <p>
          {says.from(data.version)} <When at={data.at} />.{" "}
          {isRunning ? says.running : running.data !== undefined && says.runs(running.data.version)}
        </p>
      </Notice>
      {running.data !== undefined && !isRunning && may("campaigns:write") && status !== "ARCHIVED" && (
        <Restore campaign={campaign} version={version} />
      )}
      {running.refusal !== null && <RefusalAlert refusal={running.refusal} again={running.again} />}
      {data.steps.length === 0 && <p>{says.noSteps}</p>}
      {data.steps.map((step) => (
        <StepShown key={step.stepId} step={step} steps={data.steps} results={null} isOpen={false} version={version} />
      ))}
    </section>
  );
}

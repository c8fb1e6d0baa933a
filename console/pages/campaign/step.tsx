import { type ReactNode, useId } from "react";
import { Given, LongText } from "../../kit/given.tsx";
import { To } from "../../kit/to.tsx";
import { branchWords, STEP_TYPE, sequenceWords as says, variantWords } from "../../words/en/sequence.ts";
import { wordFor } from "../../words/states.ts";
import { branchesInWords, delayInWords } from "../../words/steps.ts";
import { Opens } from "./opens.tsx";
import type { Step, StepResults } from "./reads.ts";
import { StepFigures } from "./step-figures.tsx";
import { VariantShown } from "./step-variant.tsx";

/** Variants of a step that are listed at first. */
const LISTED = 4;

interface StepShownProps {
  step: Step;
  steps: readonly Step[];
  /** The results of the step; null for a step that is not an email, and while unknown. */
  results: StepResults | null;
  /** Whether its texts are expanded at first. */
  isOpen: boolean;
  /** The earlier version that the step is from; undefined for the current one. */
  version?: number;
}

/** One step: its delay, what it does or says, where it leads, and its results. */
export function StepShown({ step, steps, results, isOpen, version }: StepShownProps) {
  const titleId = useId();
  const { order, type, threadMode, variants } = step;
  const shareOf = (id: string) => results?.variants.find(({ variantId }) => variantId === id)?.share ?? null;
  const shown = variants.map((variant) => (
    <VariantShown
      key={variant.variantId}
      step={step}
      variant={variant}
      share={shareOf(variant.variantId)}
      isOpen={isOpen}
      version={version}
    />
  ));
  return (
    <article className="step" aria-labelledby={titleId}>
      <h3 id={titleId}>{says.step(order, wordFor(STEP_TYPE, type))}</h3>
      <p className="fine">
        {delayInWords(step, steps)}
        {type === "EMAIL" && ` · ${says.thread[threadMode]}`}
      </p>
      <Deed step={step} />
      {shown.slice(0, LISTED)}
      {shown.length > LISTED && (
        <Opens summary={() => variantWords.more(shown.length - LISTED)}>
          <div className="within">{shown.slice(LISTED)}</div>
        </Opens>
      )}
      {type !== "MOVE_TO_CAMPAIGN" && <Branches lines={branchesInWords(step, steps)} />}
      {results !== null && <StepFigures step={results} />}
    </article>
  );
}

function Branches({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <>
      <h4>{branchWords.title}</h4>
      {lines.length > 2 && <p className="fine">{branchWords.order}</p>}
      <ol>
        {lines.map((line) => (
          <li key={line}>
            <LongText text={line} />
          </li>
        ))}
      </ol>
    </>
  );
}

/**
 * The details of a step that is not an email. Only the fields named here are shown, because others in its config could
 * contain a secret.
 */
function Deed({ step: { type, config } }: { step: Step }) {
  if (type === "EMAIL") return null;
  const { facts } = says;
  const rows: [name: string, text: ReactNode][] = [
    [facts.title, type === "TASK" ? longTextOf(config["title"]) : null],
    [facts.note, type === "TASK" || type === "APPROVAL" ? longTextOf(config["note"]) : null],
    [facts.assignee, type === "TASK" ? longTextOf(config["assignee"]) : null],
    [facts.host, type === "WEBHOOK" ? hostShown(config["url"]) : null],
    [facts.tags, type === "ADD_TAG" ? longTextOf(config["tags"]) : null],
  ];
  const { campaignId } = config;
  return (
    <>
      <p>{says.deeds[type]}</p>
      <dl>
        {rows
          .filter(([, text]) => text !== null)
          .map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
      </dl>
      {type === "MOVE_TO_CAMPAIGN" && typeof campaignId === "string" && (
        <p>
          <To page="/campaigns/$campaignId" ids={{ campaignId }}>
            {says.otherCampaign}
          </To>
        </p>
      )}
    </>
  );
}

function longTextOf(value: unknown): ReactNode {
  if (Array.isArray(value)) return value.length === 0 ? null : <LongText text={value.join(", ")} />;
  return typeof value === "string" && value !== "" ? <LongText text={value} /> : null;
}

/** Shows only the host of a webhook's URL, because the rest may contain a secret. */
function hostShown(url: unknown): ReactNode {
  const host = typeof url === "string" ? URL.parse(url)?.host : undefined;
  return host === undefined ? null : <Given>{host}</Given>;
}

import { AppError } from "../../domain/errors.ts";
import { type CampaignFinding, finding } from "../../domain/sequences/check.ts";
import { renderStep } from "../../domain/sequences/rendered-mail.ts";
import {
  type CheckedText,
  MOST_OF_A_CODE,
  textFinding,
  textsToCheck,
  textWarnings,
} from "../../domain/sequences/text-check.ts";
import { type EmptyGreeting, findEmptyGreetings, findGreetingLines } from "../../domain/templates/empty-greetings.ts";
import { foldVariableName } from "../../domain/templates/liquid.ts";
import { viewSource } from "../../domain/templates/source-view.ts";
import { findMarked } from "../../domain/templates/spintax.ts";
import { namesInSource, type Rendered } from "../../domain/templates/template.ts";
import { type LeadValues, sampleVariables } from "../../domain/templates/variables.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { RenderSources } from "../campaigns/missing.ts";
import { countBlank, leadKeyOf } from "../leads/blank-values.ts";
import { findCustomKeys } from "../leads/custom-keys.ts";

type Sources = RenderSources & { mailboxes: readonly Mailbox[] };

/** The share of people lacking a variable from which a warning is shown. */
const OFTEN = 0.2;
/** The maximum number of emails that one check renders to read their greetings. */
const MOST_RENDERED = 200;
/** The maximum number of variables of one greeting that are tested as missing, one by one and all together. */
const MOST_NAMES = 4;
const DRAWS = ["lea_1", "lea_2", "lea_3"];

/** Warnings about how a campaign's texts would look to its recipients (rules/campaigns 4.7). */
export async function checkTexts(sources: Sources): Promise<CampaignFinding[]> {
  const { campaign, settings, sequence, mailboxes } = sources;
  const texts = textsToCheck(sequence.steps, settings, mailboxes);
  const custom = (await findCustomKeys(campaign.workspaceId)) ?? [];
  const written = textWarnings(texts, new Set(custom.map(foldVariableName)));
  const shown = variablesIn(texts);
  const greetings = greetingsIn(sources, texts);
  const sets = new Map(
    [...[...shown.keys()].map((key) => [key]), ...greetings.map(({ keys }) => keys)].map((keys) => [keys.join(), keys]),
  );
  const { counts, people } = await countBlank(campaign, [...sets.values()], custom);
  const countOf = new Map([...sets.keys()].map((set, index) => [set, counts[index] ?? 0]));
  const often = [...shown].map(([key, variable]) => oftenEmpty(variable, countOf.get(key) ?? 0, people));
  const greeted = greetings.map((greeting) =>
    unnamed(sources, greeting, countOf.get(greeting.keys.join()) ?? 0, people),
  );
  const keysOfWritten = new Set(written.map(({ code, path, details }) => `${code} ${path} ${details["text"]}`));
  const spoken = mostOfEachPlace(greeted.filter((one) => one !== null)).filter(
    ({ code, path, details }) => !keysOfWritten.has(`${code} ${path} ${details["text"]}`),
  );
  return [
    ...written,
    ...spoken.slice(0, MOST_OF_A_CODE),
    ...often.filter((one) => one !== null).slice(0, MOST_OF_A_CODE),
  ];
}

interface ShownVariable {
  name: string;
  text: CheckedText;
  places: object[];
  /** Whether the variable has a fallback wherever it occurs. */
  hasDefault: boolean;
}

/** The lead values that texts show, by key. Variables that occur only in a condition are not included. */
function variablesIn(texts: readonly CheckedText[]): Map<string, ShownVariable> {
  const found = new Map<string, ShownVariable>();
  for (const text of texts) {
    if (text.field === "unsubscribeText") continue;
    const names = new Set(namesInSource(text.source));
    for (const { start, end } of outputsIn(text.source)) {
      const output = text.source.slice(start, end);
      const [name] = namesInSource(output);
      const key = name === undefined || !names.has(name) ? null : leadKeyOf(name);
      if (name === undefined || key === null) continue;
      const variable = found.get(key) ?? {
        name: key.replace(/^customFields\./, ""),
        text,
        places: [],
        hasDefault: true,
      };
      const place = { ...text.of, field: text.field, path: text.path };
      if (!variable.places.some((one) => JSON.stringify(one) === JSON.stringify(place))) variable.places.push(place);
      variable.hasDefault &&= /\|\s*default\b/.test(output);
      found.set(key, variable);
    }
  }
  return found;
}

function outputsIn(source: string) {
  return findMarked(source).filter(({ kind, start }) => kind === "token" && source.startsWith("{{", start));
}

function oftenEmpty(
  { name, text, places, hasDefault }: ShownVariable,
  count: number,
  people: number,
): CampaignFinding | null {
  const share = people === 0 ? 0 : count / people;
  if (share <= OFTEN) return null;
  const so = hasDefault ? "so they would read its default" : "so their emails show a fallback or a blank, or wait";
  const message = `${name} is empty for ${count} of ${people} people (${(share * 100).toFixed(1)} %), ${so}. Fill it in, or write the text without it`;
  return finding("OFTEN_EMPTY_VARIABLES", message, text.path, {
    ...text.of,
    field: text.field,
    text: name,
    variable: name,
    count,
    people,
    share: Number(share.toFixed(4)),
    hasDefault,
    places: places.slice(0, MOST_OF_A_CODE),
  });
}

/** A greeting that loses its name when these values are missing. */
interface FragileGreeting {
  text: CheckedText;
  greeting: string;
  start: number | null;
  names: string[];
  keys: string[];
  /** Whether an email with such a missing value is sent. With some settings, it is not. */
  isSent: boolean;
}

/**
 * Renders the greetings of the texts with and without the values that they use, and returns those that lose their name.
 */
function greetingsIn(sources: Sources, texts: readonly CheckedText[]): FragileGreeting[] {
  let left = MOST_RENDERED;
  const custom = new Set(texts.flatMap(({ source }) => namesInSource(source).flatMap((name) => leadKeyOf(name) ?? [])));
  return texts.flatMap((text) => {
    const lines = text.field === "signature" || text.field === "unsubscribeText" ? [] : linesOf(text);
    if (lines.length === 0) return [];
    const names = [...new Set(lines.flatMap((line) => line.names))]
      .filter((name) => leadKeyOf(name) !== null)
      .slice(0, MOST_NAMES);
    const sets = [...new Map([[], ...names.map((name) => [name]), names].map((set) => [set.join(), set])).values()];
    const usual = new Set<string>();
    return sets.flatMap((set) => {
      if (left <= 0) return [];
      left -= DRAWS.length;
      const keys = set.map((name) => leadKeyOf(name) ?? name);
      return DRAWS.flatMap((draw) => {
        const rendered = renderWithout(sources, text, exampleWithout(keys, custom, draw));
        return emptyIn(rendered, text).flatMap(({ text: greeting }) => {
          if (usual.has(greeting)) return [];
          if (set.length === 0) usual.add(greeting);
          const isSent = !set.some((name) =>
            rendered?.missingVariables.some((one) => foldVariableName(one) === foldVariableName(name)),
          );
          return [{ text, greeting, start: lines[0]?.start ?? null, names: set, keys, isSent }];
        });
      });
    });
  });
}

function linesOf({ source, kind }: CheckedText): { start: number; names: string[] }[] {
  const view = viewSource(source, kind);
  const tokens = findMarked(source).filter((one) => one.kind === "token");
  return findGreetingLines(view.text).map(({ start, end }) => {
    const [from, to] = [view.at[start] ?? 0, view.at[end - 1] ?? source.length];
    const inside = tokens.filter((token) => token.end > from && token.start <= to);
    const all = namesInSource(source);
    const names = inside.flatMap((token) => all.filter((name) => source.slice(token.start, token.end).includes(name)));
    return { start: from, names: [...new Set(names)] };
  });
}

function emptyIn(rendered: Rendered | null, { field }: CheckedText): EmptyGreeting[] {
  if (rendered === null) return [];
  if (field === "subject") return findEmptyGreetings(rendered.subject);
  return findEmptyGreetings(field === "bodyHtml" ? viewSource(rendered.html ?? "", "html").text : rendered.text);
}

/** Renders an email with this text for a lead; null when it cannot be rendered, which is reported separately. */
function renderWithout(sources: Sources, text: CheckedText, lead: LeadValues & { _id: string }): Rendered | null {
  const index = (text.of.step ?? 0) - 1;
  const step = sources.sequence.steps[index];
  const variant = step?.variants.find(({ variantId }) => variantId === text.of.variantId);
  if (step === undefined || variant === undefined) return null;
  const content = {
    variantId: variant.variantId,
    subject: null,
    bodyHtml: null,
    bodyText: null,
    [text.field]: text.source,
  };
  try {
    return renderStep({
      ...sources,
      settings: { ...sources.settings, textOnly: false, firstEmailTextOnly: false },
      step,
      variant: content,
      lead,
      recipient: null,
      now: new Date(),
      zone: "UTC",
      unsubscribeLink: "https://example.org/u/sample",
      isFirst: true,
      openingSubject: null,
    });
  } catch (err) {
    if (err instanceof AppError) return null;
    throw err;
  }
}

/** An example lead that has all values except these. */
function exampleWithout(
  keys: readonly string[],
  all: ReadonlySet<string>,
  leadId: string,
): LeadValues & { _id: string } {
  const fields = [...all].flatMap((key) =>
    key.startsWith("customFields.") && !keys.includes(key) ? [[key.slice("customFields.".length), "Example"]] : [],
  );
  const values: Record<string, unknown> = { ...sampleVariables(), customFields: Object.fromEntries(fields) };
  for (const key of keys.includes("fullName") ? [...keys, "firstName", "lastName"] : keys)
    if (key in values) values[key] = null;
  if (keys.some((key) => key === "firstName" || key === "lastName")) values["fullName"] = null;
  return { ...values, _id: leadId };
}

const WAITS: Record<RenderSources["settings"]["missingVariablePolicy"], string> = {
  PAUSE: "Their emails wait until it is filled in",
  SKIP_STEP: "They do not get this email",
  FALLBACK: "Their emails wait until it is filled in, because there is no fallback",
};

function unnamed(
  { settings }: Sources,
  greeting: FragileGreeting,
  count: number,
  people: number,
): CampaignFinding | null {
  const { text, names, isSent, start } = greeting;
  const one = { code: "EMPTY_GREETING", text: greeting.greeting, start };
  const instead = 'Add another word, as in {{ firstName | default: "there" }}';
  if (names.length === 0)
    return textFinding(
      text,
      { ...one, message: `recipients would read “${one.text}”, a greeting without a name. ${instead}` },
      { count: people, people },
    );
  if (count === 0) return null;
  const lacked = `${count} of ${people} people have no ${names.join(" and no ")}, so the greeting is “${one.text}”`;
  const message = `${lacked}. ${isSent ? "" : `${WAITS[settings.missingVariablePolicy]}. `}${instead}`;
  return textFinding(text, { ...one, message }, { count, people, variables: names, isSent });
}

/** When a greeting has several findings, only the one that affects the most people is kept. */
function mostOfEachPlace(found: readonly CampaignFinding[]): CampaignFinding[] {
  const most = new Map<string | null, CampaignFinding>();
  for (const one of found)
    if (Number(one.details["count"]) > Number(most.get(one.path)?.details["count"] ?? -1)) most.set(one.path, one);
  return [...most.values()];
}

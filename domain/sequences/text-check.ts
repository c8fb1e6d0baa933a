import type { Settings } from "../campaigns/settings.ts";
import { findBrokenPlaceholders, withoutBroken } from "../templates/broken-placeholders.ts";
import { findCodeGroups } from "../templates/code-as-spintax.ts";
import { findEmptyGreetings } from "../templates/empty-greetings.ts";
import { findForeignPlaceholders } from "../templates/foreign-placeholders.ts";
import {
  findForeignUnsubscribeLinks,
  findLinksWithoutScheme,
  foreignWaysOut,
  namesWayOut,
} from "../templates/link-flaws.ts";
import { OWN, type SourceView, viewSource } from "../templates/source-view.ts";
import { positionOf } from "../templates/spintax.ts";
import { namesInSource } from "../templates/template.ts";
import { type CampaignFinding, finding } from "./check.ts";
import { openersOf } from "./graph.ts";
import type { Step } from "./sequence.ts";

/** A text that recipients get, and where it is in the campaign. */
export interface CheckedText {
  source: string;
  kind: "html" | "text";
  field: "subject" | "bodyHtml" | "bodyText" | "signature" | "unsubscribeText";
  path: string;
  /** Where the text is, in the form for messages: `Step 1, variant A, subject`. */
  where: string;
  /** The step, counted from 1, and the variant; empty for text that is in every email. */
  of: { stepId?: string; step?: number; variantId?: string; variant?: string };
}

interface Signed {
  _id: string;
  email: string;
  signatureHtml: string | null;
}

/**
 * The texts of a campaign: what the emails of each enabled variant show, the signatures, and the unsubscribe text.
 */
export function textsToCheck(steps: readonly Step[], settings: Settings, mailboxes: readonly Signed[]): CheckedText[] {
  const openers = openersOf(steps);
  const ofSteps = steps.flatMap(({ stepId, type, threadMode, variants }, index) =>
    variants.flatMap(({ variantId, label, enabled, ...texts }, at) => {
      if (type !== "EMAIL" || !enabled) return [];
      const of = { stepId, step: index + 1, variantId, variant: label };
      // A follow-up in its thread uses the subject that opened the thread
      const fields = openers.has(stepId) || threadMode === "NEW_THREAD" ? FIELDS : FIELDS.slice(1);
      return fields.flatMap((field) => {
        const source = texts[field];
        const where = `Step ${index + 1}, variant ${label}, ${NAMES[field]}`;
        if (source === null || source.trim() === "") return [];
        return [{ source, kind: kindOf(field), field, path: `steps.${index}.variants.${at}.${field}`, where, of }];
      });
    }),
  );
  const byText = new Map(
    settings.signatureMode === "NONE" ? [] : mailboxes.map((mailbox) => [mailbox.signatureHtml ?? "", mailbox]),
  );
  const signatures = [...byText].flatMap(([source, { _id, email }]) =>
    source.trim() === ""
      ? []
      : [
          {
            source,
            kind: "html" as const,
            field: "signature" as const,
            path: `mailboxes.${_id}`,
            where: `The signature of ${email}`,
            of: {},
          },
        ],
  );
  const { unsubscribeText } = settings;
  const path = "settings.unsubscribeText";
  const footer = {
    kind: "text" as const,
    field: "unsubscribeText" as const,
    path,
    where: "The unsubscribe text",
    of: {},
  };
  return [...ofSteps, ...signatures, ...(unsubscribeText === null ? [] : [{ ...footer, source: unsubscribeText }])];
}

const FIELDS = ["subject", "bodyHtml", "bodyText"] as const;
const NAMES = { subject: "subject", bodyHtml: "HTML body", bodyText: "text body" };

function kindOf(field: (typeof FIELDS)[number]): "html" | "text" {
  return field === "bodyHtml" ? "html" : "text";
}

interface Flaw {
  code: string;
  text: string;
  start: number;
  message: string;
}

/** The most findings with one code that a check lists. */
export const MOST_OF_A_CODE = 20;

/**
 * The warnings about what recipients would see in these texts (rules/campaigns 4.7). Each finding is listed once for
 * each field that contains it. `custom` are the folded keys of the workspace's own fields.
 */
export function textWarnings(texts: readonly CheckedText[], custom: ReadonlySet<string>): CampaignFinding[] {
  const perCode = new Map<string, number>();
  return texts.flatMap((text) => {
    const named = Map.groupBy(flawsOf(text, custom), ({ code, text }) => `${code} ${text}`);
    return [...named.values()].flatMap(([first, ...others]) => {
      if (first === undefined) return [];
      const count = perCode.get(first.code) ?? 0;
      perCode.set(first.code, count + 1);
      return count >= MOST_OF_A_CODE ? [] : [textFinding(text, first, { count: others.length + 1 })];
    });
  });
}

/** A finding about a part of a text. `start` is null if the text does not occur in this form in its source. */
export function textFinding(
  { source, field, path, where, of }: CheckedText,
  { code, text, start, message }: { code: string; text: string; start: number | null; message: string },
  more: object,
): CampaignFinding {
  const place = start === null ? {} : { ...positionOf(source, start), excerpt: excerptOf(source, start, text.length) };
  return finding(code, `${where}: ${message}`, path, {
    ...of,
    field,
    text: shortenForDisplay(text),
    ...place,
    ...more,
  });
}

const AROUND = 30;
const LONGEST = 200;
const OWN_RUN = new RegExp(`${OWN}+`, "g");

function excerptOf(source: string, start: number, length: number): string {
  const end = start + Math.min(length, LONGEST) + AROUND;
  return source
    .slice(Math.max(0, start - AROUND), end)
    .replace(/\s+/g, " ")
    .toWellFormed();
}

function shortenForDisplay(whole: string): string {
  const text = whole.replace(OWN_RUN, "{{…}}");
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST).toWellFormed()}…`;
}

function flawsOf({ source, kind, field }: CheckedText, custom: ReadonlySet<string>): Flaw[] {
  const whole = viewSource(source, kind);
  const view = withoutBroken(whole);
  const placeholders = placeholderFlaws(source, view, custom);
  return [
    ...placeholders,
    ...brokenFlaws(source, whole),
    ...codeFlaws(source).filter(
      ({ start, text }) => !placeholders.some((one) => one.start >= start - 1 && one.start < start + text.length),
    ),
    ...(field === "subject" ? [] : linkFlaws(source, view, custom)),
    ...findEmptyGreetings(view.text).map(({ text, index }) => ({
      code: "EMPTY_GREETING",
      text,
      start: view.at[index] ?? 0,
      message: `recipients would read “${text}”, a greeting without a name. Add {{ firstName | default: "there" }} or remove the gap`,
    })),
  ].sort((one, other) => one.start - other.start);
}

function placeholderFlaws(source: string, view: SourceView, custom: ReadonlySet<string>): Flaw[] {
  return findForeignPlaceholders(source, view, custom).flatMap(({ text, name, meant, start }): Flaw[] => {
    if (namesWayOut(name) || namesWayOut(text)) {
      if (isLabelOfLink(view, text, start)) return [];
      return [
        {
          code: "FOREIGN_UNSUBSCRIBE_LINK",
          text,
          start,
          message: `“${shortenForDisplay(text)}” is another tool's unsubscribe link. ${WRITE_LINK}`,
        },
      ];
    }
    const instead = meant === null ? "Write a variable such as {{firstName}} instead" : `Write {{${meant}}} instead`;
    const message = `recipients would not see a value for “${shortenForDisplay(text)}”, which is a placeholder of another tool. ${instead}`;
    return [{ code: "FOREIGN_PLACEHOLDER", text, start, message }];
  });
}

const WRITE_LINK = "It does not unsubscribe anyone from your emails. Write {{unsubscribeLink}} instead";

/** Whether a text in square brackets, such as "[Unsubscribe]", is the text of a link or stands before a link. */
function isLabelOfLink(view: SourceView, text: string, start: number): boolean {
  if (!/^\[\s*[\p{L} -]+\s*\]$/u.test(text)) return false;
  const index = view.at.indexOf(start);
  const behind = view.text.slice(index + text.length, index + text.length + 80).split("\n", 1)[0] ?? "";
  return (
    view.linked.some((link) => link.start <= index && index < link.end) ||
    behind.includes(OWN) ||
    /https?:\/\//i.test(behind)
  );
}

function brokenFlaws(source: string, view: SourceView): Flaw[] {
  return findBrokenPlaceholders(source, view).map(({ text, sign, meant, start }) => {
    const why =
      sign === null ? "is not recognised as a placeholder" : `contains “${sign}”, which an editor has inserted`;
    const message = `“${shortenForDisplay(text)}” ${why}, so recipients would not see what you mean. Write ${shortenForDisplay(meant)} instead`;
    return { code: "ENTITY_IN_PLACEHOLDER", text, start, message };
  });
}

function codeFlaws(source: string): Flaw[] {
  return findCodeGroups(source).map(({ text, part, start }) => {
    const message = `this code is read as spintax, so recipients would see only a part of it, such as “${shortenForDisplay(part)}”. Write \\{ and \\| to keep braces and bars`;
    return { code: "CODE_AS_SPINTAX", text, start, message };
  });
}

function linkFlaws(source: string, view: SourceView, custom: ReadonlySet<string>): Flaw[] {
  return [
    ...findLinksWithoutScheme(view).map(({ href, start }) => ({
      code: "LINK_WITHOUT_SCHEME",
      text: href,
      start,
      message: `the link “${shortenForDisplay(href)}” does not work in an email. Write the full address, such as ${wholeOf(href)}`,
    })),
    ...findForeignUnsubscribeLinks(view).map(({ href, start }) => ({
      code: "FOREIGN_UNSUBSCRIBE_LINK",
      text: href,
      start,
      message: `“${shortenForDisplay(href)}” is another tool's unsubscribe page. ${WRITE_LINK}`,
    })),
    ...foreignWaysOut(namesInSource(source), custom).map((name) => ({
      code: "FOREIGN_UNSUBSCRIBE_LINK",
      text: name,
      start: Math.max(0, source.indexOf(name)),
      message: `{{${name}}} is another tool's unsubscribe link. ${WRITE_LINK}`,
    })),
  ];
}

function wholeOf(href: string): string {
  if (/^[^\s/@]+@[^\s/@]+\.\w+$/.test(href)) return `mailto:${href}`;
  const address = href.replace(/^(?:h?t*ps?:?\/*|\/+)(?=[^/])/i, "").replaceAll(OWN, "");
  return /^[\w-]+(?:\.[\w-]+)+(?:[/:?#]|$)/.test(address)
    ? shortenForDisplay(`https://${address}`)
    : "https://example.com";
}

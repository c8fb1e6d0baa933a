import { AppError } from "../errors.ts";
import { decodeEntity, ENTITY } from "./source-view.ts";
import { type Group, parseSpintax } from "./spintax.ts";

/** Code that spintax would read as alternatives. */
export interface CodeGroup {
  text: string;
  /** One of the alternatives that recipients would get instead of the code. */
  part: string;
  start: number;
}

const CSS =
  "color|background(?:-[a-z]+)?|font(?:-[a-z]+)?|margin(?:-[a-z]+)?|padding(?:-[a-z]+)?|border(?:-[a-z]+)*|width|height|display|float|text-[a-z]+|line-height|max-[a-z]+|min-[a-z]+|mso-[a-z-]+|-webkit-[a-z-]+|position|opacity|content|z-index|overflow";
/** Patterns of code: in the alternatives of a group, and in the text right before its opening brace. */
const IN_PARTS = [
  /^\s*["'][\w$ .-]{1,60}["']\s*:/,
  /,\s*["'][\w$ .-]{1,60}["']\s*:/,
  new RegExp(`(?:^|[;{\\s])(?:${CSS})\\s?:\\s?[^\\s:]`, "i"),
  /=>|===|!==|\s(?:==|!=|&&|<=|>=|:=)\s|\+\+|\$\{/,
  /\b(?:function\s?\w{0,40}\(|return\s[^|]{0,80};|(?:const|let|var)\s\w{1,40}\s?=)/,
  /\b\w{1,40}\s?=\s?[^;|\s][^;|]{0,80};|\b\w{1,40}\([^()|]{0,80}\);/,
  /^\s*[a-z_$][\w$]{0,40}\??:\s?(?:string|number|boolean|null|undefined|true|false|any|-?\d[\d.]*)\b/,
  /^\s*[a-z]\s?[<>=∈≤≥]/,
];
const BEFORE =
  /(?:@(?:media|font-face|supports|keyframes)[^{}]{0,200}|\b(?:function|switch|if|while|for)\s?\([^()]{0,80}\)\s?|=>\s?|\b(?:const|let|var|type|interface)\s\w{1,40}\s?=?\s?)$/i;

const MOST_GROUPS = 2_000;

/**
 * The groups that spintax accepts although they are code: JSON, CSS, scripts and code samples. None if the source cannot
 * be read.
 */
export function findCodeGroups(source: string): CodeGroup[] {
  const groups = groupsOf(source);
  if (groups.length === 0) return [];
  const samples = samplesIn(source);
  const found: CodeGroup[] = [];
  let end = 0;
  for (const { options } of groups) {
    const [from, to] = [(options[0]?.start ?? 1) - 1, (options.at(-1)?.end ?? 0) + 1];
    // A group inside a found group is part of the same code
    if (from < end) continue;
    const parts = options.map((option) => source.slice(option.start, option.end));
    const isSample = samples.some(({ start, stop }) => start < from && from < stop);
    const before = source.slice(Math.max(0, from - 240), from);
    // Two bars in a row are an operator, unless they are at the end and mean an empty alternative
    const isDoubled = parts.some((part, index) => part === "" && index > 0 && index < parts.length - 1);
    const hasOperator = isDoubled && (before.endsWith("$") || /[=()<>;]/.test(parts.join("")));
    if (!isSample && !BEFORE.test(before) && !hasOperator && !parts.some(isCode)) continue;
    end = to;
    found.push({ text: source.slice(from, to), part: parts[0]?.trim() ?? "", start: from });
  }
  return found;
}

function groupsOf(source: string): Group[] {
  try {
    return parseSpintax(source).groups.slice(0, MOST_GROUPS);
  } catch (err) {
    if (err instanceof AppError) return [];
    throw err;
  }
}

function isCode(part: string): boolean {
  const text = part
    .slice(0, 2_000)
    .replace(/\{\{[^{}]*\}\}|\{%[^{}]*%\}/g, "x")
    .replace(/https?:\/\/[^\s<>"']+/gi, "x")
    .replace(/<\/?[a-z][^<>]*>/gi, "")
    .replace(ENTITY, decodeEntity);
  return IN_PARTS.some((pattern) => pattern.test(text));
}

/** The positions of code samples in HTML. */
function samplesIn(source: string): { start: number; stop: number }[] {
  const found: { start: number; stop: number }[] = [];
  let open: number | null = null;
  for (const { 0: tag, index } of source.matchAll(/<\/?(?:code|pre|kbd|samp)\b[^<>]{0,200}>/gi)) {
    if (!tag.startsWith("</")) open ??= index;
    else if (open !== null) {
      found.push({ start: open, stop: index });
      open = null;
    }
  }
  return found;
}

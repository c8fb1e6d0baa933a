import { readFileSync } from "node:fs";
import { describeFilters } from "../operations/sequences/filter-reference.ts";
import { describeTemplates } from "../operations/sequences/template-reference.ts";
import { MOST_CHARACTERS } from "./fit.ts";

/** A text about the service that an application may read as a resource. */
export interface Guide {
  /** The last part of its address. */
  name: string;
  title: string;
  description: string;
  text: string;
}

export const GUIDES = "outreach://guides/";
const ROOT = new URL("../", import.meta.url);

/** A page of `docs/` that is a guide. */
interface Page {
  name: string;
  path: string;
  about: string;
}

/** Pages outside `docs/guides` that help agents. */
const PAGES: readonly Page[] = [
  {
    name: "agents",
    path: "docs/agents.md",
    about: "connect an agent: keys, scopes, policies, and what results look like",
  },
  {
    name: "how-it-works",
    path: "docs/start/how-it-works.md",
    about: "one email from the launch to the reply: why it stops, and is never sent twice",
  },
];

let known: readonly Guide[] | null = null;

/** The guides of `docs/`, and the references of templates and filters, which are made from their definitions. */
export function loadGuides(): readonly Guide[] {
  known ??= [...referencesOfCode(), ...guidesOfDocs()];
  return known;
}

function referencesOfCode(): Guide[] {
  return [
    {
      name: "templates",
      title: "Templates",
      description: "Variables, tags and filters of subjects and bodies, with samples; spintax",
      text: describeTemplates(),
    },
    {
      name: "filters",
      title: "Filters of leads",
      description: "Fields, operators and values of filterRules, for DYNAMIC lists and branches",
      text: describeFilters(),
    },
  ];
}

/** A row of the table in docs/guides/README.md: a link to a page, and what it is about. */
const ROW = /^\| \[([\w-]+)\.md\]\(\1\.md\) \| (.+) \|$/gm;

/** The pages that fit a result. */
function guidesOfDocs(): Guide[] {
  const table = readFileSync(new URL("docs/guides/README.md", ROOT), "utf8");
  const listed = [...table.matchAll(ROW)].map(
    ([, name = "", about = ""]): Page => ({ name, path: `docs/guides/${name}.md`, about }),
  );
  const pages = [...PAGES, ...listed]
    .map((page) => ({ ...page, source: readFileSync(new URL(page.path, ROOT), "utf8") }))
    .filter(({ source }) => source.length <= MOST_CHARACTERS);
  const names = new Map(pages.map(({ name, path }) => [new URL(path, ROOT).href, name]));
  return pages.map((page) => guideFrom(page, names));
}

/** A link to another page of the repository, or to a heading of it. */
const LINK = /\[([^\]]+)\]\(([\w./-]+\.md)(?:#[\w-]+)?\)/g;

/** The page as a guide. Its links lead to other guides; a link to anything else keeps its words only. */
function guideFrom(
  { name, path, about, source }: Page & { source: string },
  names: ReadonlyMap<string, string>,
): Guide {
  const place = new URL(path, ROOT);
  const [, title = name] = /^# (.+)$/m.exec(source) ?? [];
  const text = source.replaceAll(LINK, (_link, words: string, target: string) => {
    const guide = names.get(new URL(target, place).href);
    return guide === undefined ? words : `[${words}](${GUIDES}${guide})`;
  });
  return { name, title, description: about.slice(0, 1).toUpperCase() + about.slice(1), text };
}

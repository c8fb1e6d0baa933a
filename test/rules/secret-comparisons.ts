import { join } from "node:path";

/** A file of the product by its path. */
export interface SourceFile {
  path: string;
  text: string;
}

/** One declaration at the top of a file, and the names that it gives. */
interface Part {
  path: string;
  names: readonly string[];
  text: string;
  /** Names that it uses. */
  words: readonly string[];
}

/**
 * Functions, of libraries and our own, that compare a secret with its stored form, or find by its hash what it opens.
 */
const COMPARES =
  /(?<![.\w])(?:timingSafeEqual|verifyAuthenticationResponse|verifyRegistrationResponse|stateId)\(|totp\.validate\(|OAuthRecord\.findOne\(/;
/** The same by the digest of a secret; other files have functions of this name too. */
const HASHES = /(?<![.\w])hashOf\(/;
const HASH_HOME = "operations/access/secrets.ts";
/** Functions that make a secret, or only name a count. */
const MAKES = /^(?:newSecret|hashOf|beginConsent|countTry|sign(?!In|Up)[A-Z]\w*)$/;

const BEGINS =
  /^(?:export )?(?:default )?(?:async )?(?:function\*?|const|let|class|interface|type)\s+(?:(?<name>\w+)|\{(?<names>[^}]*)\})|^(?:await|for|if|try)\b/;

/**
 * Every place at which a door reaches a comparison of a secret: `<file> <name>`. The name is that of a verb, or of the
 * function that a file of `api/` or `mcp/` takes from the rooms below or compares with itself.
 */
export function secretComparisons(files: readonly SourceFile[]): string[] {
  const parts = files.flatMap(partsOf);
  const imports = new Map(files.map((file) => [file.path, importsOf(file)]));
  const own = new Map(
    files.map(({ path }) => [path, new Set(parts.filter((part) => part.path === path).flatMap(({ names }) => names))]),
  );
  const homeOf = (path: string, name: string) =>
    imports.get(path)?.get(name) ?? (own.get(path)?.has(name) ? { path, name } : null);
  const comparing = new Set<string>();
  const verbs = new Set(parts.filter(isVerb).flatMap(({ path, names }) => names.map((name) => `${path}#${name}`)));
  const isComparing = (path: string, name: string) => {
    const home = homeOf(path, name);
    const key = `${home?.path}#${home?.name}`;
    // A file that names a verb, such as the catalogue, runs it through the common entry
    return comparing.has(key) && !verbs.has(key);
  };
  const note = ({ path, names }: Part) => {
    const before = comparing.size;
    for (const name of names) if (!MAKES.test(name)) comparing.add(`${path}#${name}`);
    return comparing.size > before;
  };
  for (const part of parts) if (comparesItself(part, homeOf)) note(part);
  for (let isNew = true; isNew; ) {
    isNew = false;
    for (const part of parts) {
      if (part.words.some((word) => !part.names.includes(word) && isComparing(part.path, word)))
        isNew = note(part) || isNew;
    }
  }
  const doors = parts.flatMap((part) => {
    if (isVerb(part))
      return part.names.filter((name) => comparing.has(`${part.path}#${name}`)).map((name) => `${part.path} ${name}`);
    return doorsIn(part, (word) => isComparing(part.path, word), homeOf);
  });
  return [...new Set(doors)].sort();
}

function isVerb({ path, text }: Part): boolean {
  return path.startsWith("operations/") && /= (?:\w*[oO]peration|choice)\(/.test(text);
}

function doorsIn(part: Part, isComparing: (word: string) => boolean, homeOf: HomeOf): string[] {
  const { path, names, words } = part;
  if (!/^(?:api\/(?!cli\/|main\.ts)|mcp\/(?!main\.ts))/.test(path)) return [];
  const taken = words.filter((word) => isComparing(word) && !/^(?:api|mcp)\//.test(homeOf(path, word)?.path ?? ""));
  const itself = comparesItself(part, homeOf) ? names : [];
  return [...taken, ...itself].map((name) => `${path} ${name}`);
}

type HomeOf = (path: string, name: string) => { path: string; name: string } | null;

function comparesItself({ path, text }: Part, homeOf: HomeOf): boolean {
  return COMPARES.test(text) || (HASHES.test(text) && homeOf(path, "hashOf")?.path === HASH_HOME);
}

function partsOf({ path, text }: SourceFile): Part[] {
  const parts: Omit<Part, "words">[] = [];
  for (const line of withoutTexts(text).split("\n")) {
    const begun = BEGINS.exec(line);
    if (begun !== null) parts.push({ path, names: namesIn(begun.groups), text: "" });
    const last = parts.at(-1);
    if (last !== undefined) last.text += `${line}\n`;
  }
  return parts.map((part) => ({ ...part, words: wordsOf(part.text) }));
}

function namesIn(groups: Record<string, string | undefined> = {}): string[] {
  const { name, names = "" } = groups;
  return name !== undefined ? [name] : names.split(",").flatMap((one) => /(\w+)\s*$/.exec(one)?.[1] ?? []);
}

/** What a file imports from the project, by the name it has here. Types are no code. */
function importsOf({ path, text }: SourceFile): Map<string, { path: string; name: string }> {
  const found = new Map<string, { path: string; name: string }>();
  for (const [, names = "", from = ""] of text.matchAll(/^import \{([^}]*)\} from "(\.[^"]+)"/gm)) {
    for (const one of names.split(",")) {
      const [, name, as] = /^\s*(\w+)(?:\s+as\s+(\w+))?\s*$/.exec(one) ?? [];
      if (name !== undefined) found.set(as ?? name, { path: join(path, "..", from), name });
    }
  }
  return found;
}

/** Names that a text uses, but not as a member or a key of something else. */
function wordsOf(text: string): string[] {
  return [...new Set([...text.matchAll(/(?<![.\w])([A-Za-z_]\w*)\b(?!\??:)/g)].map(([, word = ""]) => word))];
}

function withoutTexts(text: string): string {
  return text
    .replace(/\/\*\*?\s[\s\S]*?\*\//g, "")
    .replace(/(^|\s)\/\/ .*$/gm, "$1")
    .replace(/"(?:[^"\\\n]|\\.)*"/g, '""');
}

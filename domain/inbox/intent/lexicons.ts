import { IntentPhrases, Lexicon, MailingWords, type Tag, TimeWords } from "./lexicon.ts";
import ar from "./lexicons/ar.json" with { type: "json" };
import ca from "./lexicons/ca.json" with { type: "json" };
import cs from "./lexicons/cs.json" with { type: "json" };
import da from "./lexicons/da.json" with { type: "json" };
import de from "./lexicons/de.json" with { type: "json" };
import el from "./lexicons/el.json" with { type: "json" };
import en from "./lexicons/en.json" with { type: "json" };
import es from "./lexicons/es.json" with { type: "json" };
import et from "./lexicons/et.json" with { type: "json" };
import fi from "./lexicons/fi.json" with { type: "json" };
import fr from "./lexicons/fr.json" with { type: "json" };
import gl from "./lexicons/gl.json" with { type: "json" };
import he from "./lexicons/he.json" with { type: "json" };
import hr from "./lexicons/hr.json" with { type: "json" };
import hu from "./lexicons/hu.json" with { type: "json" };
import id from "./lexicons/id.json" with { type: "json" };
import it from "./lexicons/it.json" with { type: "json" };
import ja from "./lexicons/ja.json" with { type: "json" };
import ko from "./lexicons/ko.json" with { type: "json" };
import nb from "./lexicons/nb.json" with { type: "json" };
import nl from "./lexicons/nl.json" with { type: "json" };
import pl from "./lexicons/pl.json" with { type: "json" };
import pt from "./lexicons/pt.json" with { type: "json" };
import ro from "./lexicons/ro.json" with { type: "json" };
import ru from "./lexicons/ru.json" with { type: "json" };
import sk from "./lexicons/sk.json" with { type: "json" };
import sv from "./lexicons/sv.json" with { type: "json" };
import tr from "./lexicons/tr.json" with { type: "json" };
import uk from "./lexicons/uk.json" with { type: "json" };
import vi from "./lexicons/vi.json" with { type: "json" };
import zh from "./lexicons/zh.json" with { type: "json" };
import { addTo, KEY, Remembered, startsOf, Patterns as WordPatterns, wordsOfPattern } from "./patterns.ts";

/** How many tokens `...` in a pattern may stand for: words, or letters where words are not separated. */
const WIDEST = { spaced: 7, unspaced: 12 } as const;

const FILES = [
  en,
  ar,
  ca,
  cs,
  da,
  de,
  el,
  es,
  et,
  fi,
  fr,
  gl,
  he,
  hr,
  hu,
  id,
  it,
  ja,
  ko,
  nb,
  nl,
  pl,
  pt,
  ro,
  ru,
  sk,
  sv,
  tr,
  uk,
  vi,
  zh,
];

type Patterns = WordPatterns<Tag>;

/**
 * All languages with a lexicon. Each lexicon is compiled when the first text in its language is read, because most
 * processes read no text, and most texts need few languages.
 */
export class Languages {
  readonly #lexicons: ReadonlyMap<string, Lexicon>;
  readonly #patterns = new Map<string, Patterns>();
  readonly #byWord = new Map<string, string[]>();
  readonly #byStem = new Map<string, [stem: string, language: string][]>();
  readonly #languagesByWord = new Remembered(
    (word) => new Set([...(this.#byWord.get(word) ?? []), ...startsOf(this.#byStem, word)]),
  );

  constructor(lexicons: readonly Lexicon[]) {
    this.#lexicons = new Map(lexicons.map((one) => [one.language, one]));
    for (const lexicon of lexicons) this.#index(lexicon);
  }

  lexiconOf(language: string): Lexicon {
    const lexicon = this.#lexicons.get(language);
    if (lexicon === undefined) throw new Error(`No lexicon of ${language}`);
    return lexicon;
  }

  patternsOf(language: string): Patterns {
    const cachedPatterns = this.#patterns.get(language);
    if (cachedPatterns !== undefined) return cachedPatterns;
    const patterns = compilePatterns(this.lexiconOf(language));
    this.#patterns.set(language, patterns);
    return patterns;
  }

  /** The languages whose lexicon has a word. */
  thatKnow(word: string): ReadonlySet<string> {
    return this.#languagesByWord.of(word);
  }

  #index(lexicon: Lexicon): void {
    const { language } = lexicon;
    const seen = new Set<string>();
    for (const { word, isStem } of writtenIn(lexicon).flatMap(wordsOfPattern)) {
      const key = isStem ? `${word}*` : word;
      if (seen.has(key)) continue;
      seen.add(key);
      if (isStem) addTo(this.#byStem, word.slice(0, KEY), [word, language]);
      else addTo(this.#byWord, word, language);
    }
  }
}

let loaded: Languages | null = null;

export function languages(): Languages {
  loaded ??= new Languages(FILES.map((file) => Lexicon.parse(file)));
  return loaded;
}

function writtenIn({ mailing, intents, times }: Lexicon): string[] {
  return [...Object.values(mailing), ...Object.values(intents), ...Object.values(times)].flat();
}

function compilePatterns({ isUnspaced, mailing, intents, times }: Lexicon): Patterns {
  const patterns: Patterns = new WordPatterns(isUnspaced ? WIDEST.unspaced : WIDEST.spaced);
  const add = (tag: Tag, written: readonly string[]) => {
    for (const one of written) patterns.add(tag, one);
  };
  for (const tag of MailingWords.keyof().options) add(tag, mailing[tag]);
  for (const tag of IntentPhrases.keyof().options) add(tag, intents[tag]);
  for (const tag of TimeWords.keyof().options) add(tag, times[tag]);
  return patterns;
}

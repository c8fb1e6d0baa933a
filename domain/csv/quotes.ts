/** The position of a reader in a text with quoted cells. */
type Place = "start" | "plain" | "quoted" | "closed";

/** The characters after which a cell begins, for any delimiter. */
const ENDS = new Set([",", ";", "\t", "\n", "\r"]);

/**
 * Turns `\"` into the doubled quote of CSV. Some programs, but no spreadsheets, escape quotes by backslashes. A file
 * counts as escaped from the first piece in which the CSV rule would leave a quote in the middle of a cell. A file that
 * follows the rule has no such quote, so a cell that ends with a backslash, such as `"C:\temp\"`, stays unchanged.
 */
export class BackslashQuotes {
  #tail = "";
  /**
   * The character before the current piece shows whether the piece begins a cell. Following every quote instead would
   * add a tenth to the reading time.
   */
  #last = "\n";
  #hasQuotes = false;
  #place: Place | null = null;
  /** The first text with an escaped quote, once there is one. */
  example: string | null = null;

  read(text: string, isLast: boolean): string {
    let piece = this.#tail + text;
    // The character after them decides the meaning of a backslash and a quote, so both wait for the next piece
    const tailLength = isLast ? 0 : (/\\+"?$/.exec(piece.slice(-LONGEST_EXAMPLE))?.[0].length ?? 0);
    this.#tail = piece.slice(piece.length - tailLength);
    piece = piece.slice(0, piece.length - tailLength);
    this.#place ??= piece.includes('\\"') ? escapedFrom(piece, this.#starts(), isLast) : null;
    if (this.#place === null) {
      this.#last = piece.at(-1) ?? this.#last;
      this.#hasQuotes ||= piece.includes('"');
      return piece;
    }
    this.example ??= exampleIn(piece);
    const read = readQuotes(piece, this.#place, true);
    this.#place = read.place;
    return read.text;
  }

  #starts(): Place[] {
    const outside = ENDS.has(this.#last) ? "start" : this.#last === '"' ? "closed" : "plain";
    return this.#hasQuotes ? [outside, "quoted"] : [outside];
  }
}

/** Where a piece with quotes escaped by backslashes begins; null if it has none. */
function escapedFrom(piece: string, starts: readonly Place[], isLast: boolean): Place | null {
  const flawsFrom = (start: Place, isEscaped: boolean) => {
    const { flaws, place } = readQuotes(piece, start, isEscaped);
    return flaws + (isLast && place === "quoted" ? 1 : 0);
  };
  const byRule = Math.min(...starts.map((start) => flawsFrom(start, false)));
  const escaped = starts.map((start) => ({ start, found: flawsFrom(start, true) }));
  const least = Math.min(...escaped.map(({ found }) => found));
  if (least >= byRule) return null;
  const possible = escaped.filter(({ found }) => found === least).map(({ start }) => start);
  // Several positions are possible. A text with line breaks is hardly one long cell, so the first position counts;
  // otherwise the last one
  return (/[\r\n]/.test(piece) ? possible[0] : possible.at(-1)) ?? null;
}

/** Follows the quotes of a text. `flaws` counts quotes that neither begin nor end a cell. */
function readQuotes(piece: string, from: Place, isEscaped: boolean): { text: string; place: Place; flaws: number } {
  let [text, place, flaws, kept] = ["", from, 0, 0];
  for (let at = 0; at < piece.length; at++) {
    const char = piece.charAt(at);
    const next = isEscaped && char === "\\" ? piece.charAt(at + 1) : "";
    if (next === '"' || next === "\\") {
      text += piece.slice(kept, at) + withoutBackslash(next, place);
      kept = at + 2;
      at++;
      if (place === "closed") flaws++;
      if (place !== "quoted") place = "plain";
    } else if (place === "quoted") {
      if (char === '"') place = "closed";
    } else if (ENDS.has(char)) place = "start";
    else if (char === '"' && place !== "plain") place = "quoted";
    else {
      if (place === "closed" || char === '"') flaws++;
      place = "plain";
    }
  }
  return { text: text + piece.slice(kept), place, flaws };
}

/** At the beginning of an unquoted cell a quote keeps its backslash; otherwise it would begin a quoted cell. */
function withoutBackslash(char: string, place: Place): string {
  if (char === "\\") return char;
  return place === "quoted" ? '""' : place === "start" ? '\\"' : '"';
}

const LONGEST_EXAMPLE = 100;

function exampleIn(piece: string): string {
  const at = piece.indexOf('\\"');
  const begins = Math.max(piece.lastIndexOf("\n", at) + 1, at - LONGEST_EXAMPLE / 2);
  const [line = ""] = piece.slice(begins, begins + LONGEST_EXAMPLE).split(/[\r\n]/);
  return line;
}

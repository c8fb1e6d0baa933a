/** How the model server is reached: an OpenAI-compatible endpoint, whose address ends in its version. */
export interface AgentAccess {
  url: string;
  /** Its key; null if it needs none. */
  key: string | null;
  /** The model for workspaces that name none; null: each must name one. */
  model: string | null;
  prices: TokenPrices | null;
}

/** What a million tokens cost, in US dollars. */
export interface TokenPrices {
  input: number;
  output: number;
}

export interface TokenUse {
  input: number;
  output: number;
}

/**
 * What tokens cost, in millionths of a US dollar. The price of a million tokens in dollars is the price of one token in
 * millionths.
 */
export function costOf({ input, output }: TokenUse, prices: TokenPrices | null): number {
  return prices === null ? 0 : Math.round(input * prices.input + output * prices.output);
}

/** The most tokens of one answer: far more than a reply and its form need. */
export const MOST_ANSWER_TOKENS = 2_000;
/**
 * How many characters a token has, where no one has counted its tokens. The number is low, so that rather too many
 * tokens are counted.
 */
const CHARACTERS_A_TOKEN = 3;

export function tokensOf(characters: number): number {
  return Math.ceil(characters / CHARACTERS_A_TOKEN);
}

/** The most tokens that a question of this many characters may use, with its answer. */
export function tokensAtMost(characters: number): number {
  return tokensOf(characters) + MOST_ANSWER_TOKENS;
}

const MODEL_TROUBLES = ["UNAVAILABLE", "RATE_LIMITED", "KEY_REFUSED", "REFUSED", "ANSWER_INVALID"] as const;
export type ModelTroubleCode = (typeof MODEL_TROUBLES)[number];

/** A model server did not answer as it should. */
export class ModelTrouble extends Error {
  readonly code: ModelTroubleCode;
  constructor(code: ModelTroubleCode, options: ErrorOptions = {}) {
    super(`Model server: ${code}`, options);
    this.name = "ModelTrouble";
    this.code = code;
  }
}

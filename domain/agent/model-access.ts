/** How the model server is reached: an OpenAI-compatible endpoint, whose URL ends with the API version. */
export interface AgentAccess {
  url: string;
  /** The server's API key; null if it needs none. */
  key: string | null;
  /** The model for workspaces that choose none; null: each workspace must choose one. */
  model: string | null;
  prices: TokenPrices | null;
}

/** The prices of a million tokens, in US dollars. */
export interface TokenPrices {
  input: number;
  output: number;
}

export interface TokenUse {
  input: number;
  output: number;
}

/**
 * The cost of tokens, in millionths of a US dollar. The price of a million tokens in dollars is the price of one token
 * in millionths.
 */
export function costOf({ input, output }: TokenUse, prices: TokenPrices | null): number {
  return prices === null ? 0 : Math.round(input * prices.input + output * prices.output);
}

/** The most tokens of one answer, far more than a reply in the required form needs. */
export const MOST_ANSWER_TOKENS = 2_000;
/**
 * How many characters count as one token if the server does not report the number of tokens. The number is low, so that
 * the estimate is rather too high.
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

/** The error for a model server that does not answer, or answers in the wrong form. */
export class ModelTrouble extends Error {
  readonly code: ModelTroubleCode;
  constructor(code: ModelTroubleCode, options: ErrorOptions = {}) {
    super(`Model server: ${code}`, options);
    this.name = "ModelTrouble";
    this.code = code;
  }
}

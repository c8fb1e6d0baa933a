import { type Foreseen, type Rule, type RuleCode, rule, type Value } from "../../domain/recipients/explain.ts";

/** The forecast of a recipient, collected while its future is simulated. Instants are in epoch milliseconds. */
export class Forecast {
  readonly rules: Rule[] = [];
  readonly events: Foreseen[] = [];
  readonly now: number;
  /** The instant that the simulation has reached. */
  at: number;
  /**
   * Whether the following events may happen later than forecast, because their time depends on something without a
   * booking.
   */
  isEarliest = false;

  constructor(now: number) {
    this.now = now;
    this.at = now;
  }

  note(code: RuleCode, values: Record<string, Value> = {}): void {
    this.tell(rule(code, values));
  }

  /** Adds a rule that prevents or delays sending, unless the forecast contains it already. */
  tell(rule: Rule): void {
    if (!this.rules.some(({ text }) => text === rule.text)) this.rules.push(rule);
  }

  waitUntil(at: number): void {
    this.at = Math.max(this.at, at);
  }

  happens(
    event: Foreseen["event"],
    { stepId = null, reason = null }: Partial<Pick<Foreseen, "stepId" | "reason">> = {},
  ): void {
    this.events.push({ event, at: this.at, isEarliest: this.isEarliest, stepId, reason });
  }
}

import type { Inbound } from "./inbound.ts";

const MAX_TEXT = 200_000;
const MAX_LINES = 40;
/** The fewest characters of a line that is compared. Shorter lines, such as greetings, may occur in anyone's email. */
const LEAST = 40;

/**
 * Whether a message contains one of our message ids or a line of our email, however it is wrapped or marked as a quote
 * (rules/mail 10.1, rule 5).
 */
export function isQuoting(
  message: Pick<Inbound, "text" | "html">,
  ids: readonly string[],
  ours: string | null,
): boolean {
  const whole = `${message.text.slice(0, MAX_TEXT)}\n${(message.html ?? "").slice(0, MAX_TEXT)}`;
  if (ids.some((id) => id.length > 10 && whole.includes(id.replace(/^<|>$/g, "")))) return true;
  const comparedText = comparableLine(message.text.slice(0, MAX_TEXT));
  return (ours ?? "")
    .slice(0, MAX_TEXT)
    .split("\n")
    .map(comparableLine)
    .filter((line) => line.length >= LEAST)
    .slice(0, MAX_LINES)
    .some((line) => comparedText.includes(line));
}

function comparableLine(text: string): string {
  return text
    .replace(/^[>|\s]{1,40}/gm, " ")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

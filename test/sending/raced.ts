/**
 * Runs an email against a stop. In race 0 the stop answers first and in race 1 the mail goes first, so that both ends
 * are always seen, whatever the machine's speed. In every other race they run at once.
 */
export async function raced<Outcome, Answer>(
  race: number,
  sending: () => Promise<Outcome>,
  stopping: () => Promise<Answer>,
): Promise<[Outcome, Answer]> {
  if (race === 0) {
    const answer = await stopping();
    return [await sending(), answer];
  }
  if (race === 1) return [await sending(), await stopping()];
  return Promise.all([sending(), stopping()]);
}

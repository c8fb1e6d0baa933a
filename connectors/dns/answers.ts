import { type Ask, isAbsent } from "../net/records.ts";

/**
 * Runs a check that needs DNS; null when a query was not answered. Any other error is a bug in this service and is
 * thrown.
 */
export async function orUnanswered<T>(check: () => Promise<T>): Promise<T | null> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}

/**
 * The records of a name; none when the name server answers that there are none. Rejects when no name server answers.
 */
export async function recordsOf(ask: Ask, name: string, type: string): Promise<unknown[]> {
  try {
    return await ask(name, type);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

/** The TXT records of a name, each put together from its strings. Rejects when the name server does not answer. */
export async function textsOf(ask: Ask, name: string): Promise<string[]> {
  const records = await recordsOf(ask, name, "TXT");
  return records.map((record) => (Array.isArray(record) ? record.join("") : String(record)));
}

/** The IPv4 and IPv6 addresses of a name. Rejects when the name server does not answer. */
export async function resolveAddresses(ask: Ask, name: string): Promise<string[]> {
  const answers = await Promise.all([recordsOf(ask, name, "A"), recordsOf(ask, name, "AAAA")]);
  return answers.flat().map(String);
}

/** The title of a page. */
export async function titleOf(url: string, headers: Record<string, string> = {}): Promise<string | undefined> {
  const text = await (await fetch(url, { headers })).text();
  return /<title>([^<]*)<\/title>/.exec(text)?.[1];
}

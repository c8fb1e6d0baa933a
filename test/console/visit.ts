import type { PersonBrowser } from "../support/person.ts";
import type { World } from "../support/world.ts";
import type { Chromium, Look, Visit } from "./chromium.ts";

/** A window in which this person is signed in, at a page of theirs. */
export async function visitOf(
  chromium: Chromium,
  { baseUrl }: Pick<World, "baseUrl">,
  { browser }: { browser: PersonBrowser },
  path: string,
  look?: Look,
): Promise<Visit> {
  const opened = await chromium.open(look);
  await opened.context.addCookies([...browser.cookies].map(([name, value]) => ({ name, value, url: baseUrl })));
  await opened.page.goto(`${baseUrl}${path}`);
  return opened;
}

/**
 * The units that Google counts for a request, by its method and its path behind `/gmail/v1/users/me`; the first that
 * fits. An older project is charged less for reading.
 */
const UNITS: readonly [RegExp, number][] = [
  [/^POST \/drafts\/send$/, 100],
  [/^POST \/messages\/send$/, 100],
  [/^POST \/watch$/, 100],
  [/^POST \/stop$/, 50],
  [/^POST \/messages\/batch/, 50],
  [/^(?:POST|PUT|DELETE) \/drafts/, 10],
  [/^GET \/drafts/, 5],
  [/^GET \/threads\//, 40],
  [/^GET \/messages\/[^/]+$/, 20],
  [/^(?:GET|POST) \/messages/, 5],
  [/^GET \/history$/, 2],
  [/^GET \/(?:profile|labels|settings\/sendAs)/, 1],
];
/** For a request that is not in the table. */
const OTHER_UNITS = 10;

export function unitsOf(method: string, path: string): number {
  const [place = ""] = path.replace(/^(?:\/upload)?\/gmail\/v1\/users\/me/, "").split("?");
  return UNITS.find(([request]) => request.test(`${method} ${place}`))?.[1] ?? OTHER_UNITS;
}

/** What `createDraft`, `sendDraft` and the read of the Message-ID that left cost together. */
export const EMAIL_UNITS = 1 + 10 + 100 + 20;
